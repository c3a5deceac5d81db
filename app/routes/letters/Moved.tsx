import { Trans, useLingui } from '@lingui/react/macro';
import { Notice } from '../../components/Card';
import { PreviousTime } from '../../components/times/PreviousTime';
import type { Before, GuestsParty } from '../../domain/parties/parties';

/** Tells guests who said yes that the party has moved since, with its old time or place. */
export function Moved({ was, party }: { was: Before; party: GuestsParty }) {
  const { t } = useLingui();
  const isParty = party.kind === 'party';
  return (
    <div className="text-start">
      <Notice
        tone="warn"
        title={isParty ? t`This party has moved since you said yes.` : t`This meetup has moved since you said yes.`}
      >
        <p>
          <PreviousTime was={was} zone={party.timeZone} />
        </p>
        <p>
          <Trans>When and where it is now stands above.</Trans>
        </p>
      </Notice>
    </div>
  );
}
