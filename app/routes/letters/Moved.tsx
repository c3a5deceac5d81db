import { Notice } from '../../components/Card';
import { PreviousTime } from '../../components/times/PreviousTime';
import type { Before, GuestsParty } from '../../domain/parties/parties';

/** Tells guests who said yes that the party has moved since, with its old time or place. */
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
