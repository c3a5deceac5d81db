import { Notice } from '../../components/Card';
import { PreviousTime } from '../../components/PreviousTime';
import type { Before, GuestsParty } from '../../domain/parties/parties';

/** Says to who is coming that it is at another time or place than when they said yes, and what that was. */
export function Moved({ was, party }: { was: Before; party: GuestsParty }) {
  return (
    <div className="text-left">
      <Notice tone="warn" title={`This ${party.kind} has moved since you said yes.`}>
        <p>
          <PreviousTime was={was} zone={party.timeZone} />
        </p>
        <p>When and where it is now stands above.</p>
      </Notice>
    </div>
  );
}
