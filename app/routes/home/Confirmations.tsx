import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { CopyField } from '../../components/CopyField';
import { JustPublished, type PublishedByForm } from '../../components/times/JustPublished';
import { useWords } from '../../components/words';
import type { GuestsParty, Invitation, Party } from '../../domain/parties/parties';
import { dateWords } from '../../domain/time/clock';
import * as paths from '../../paths';

export type Confirmed = {
  published?: PublishedByForm;
  hosting?: Party & { link: string };
  rsvp?: GuestsParty & { own: Invitation };
};
export function Confirmations({ confirmations: { published, hosting, rsvp } }: { confirmations: Confirmed }) {
  const { t } = useLingui();
  const title = hosting?.title;
  return (
    <>
      {published && <JustPublished published={published} />}
      {hosting && (
        <Notice
          tone="good"
          title={
            <Trans>
              <bdi>{title}</bdi> is ready to be shared.
            </Trans>
          }
        >
          <CopyField label={t`Link to share`} value={hosting.link} />
          <div>
            <ButtonLink quiet to={paths.manageParty(hosting.id)}>
              <Trans>See who is coming</Trans>
            </ButtonLink>
          </div>
        </Notice>
      )}
      {rsvp && <JustRsvped party={rsvp} />}
    </>
  );
}

function JustRsvped({ party }: { party: GuestsParty & { own: Invitation } }) {
  const words = useWords();
  const { accepted } = party.own;
  return (
    <Notice
      tone="good"
      title={<AnswerWords title={words(party.title)} host={words(party.providerName)} {...party.own} />}
    >
      <p>{words(dateWords(party.date).full)}</p>
      <div className="flex flex-wrap gap-3">
        {accepted && (
          <ButtonLink isFile to={paths.partyFile(party.id)}>
            <Trans>Add to calendar</Trans>
          </ButtonLink>
        )}
        <ButtonLink quiet to={paths.party(party.id)}>
          <Trans>Change your answer</Trans>
        </ButtonLink>
      </div>
    </Notice>
  );
}

type Answered = Pick<Invitation, 'accepted' | 'plusOnes'> & { title: string; host: string };
function AnswerWords({ accepted, plusOnes, title, host }: Answered) {
  if (!accepted) {
    return (
      <Trans>
        <bdi>{host}</bdi> knows that you can't come.
      </Trans>
    );
  }
  return plusOnes > 0 ? (
    <Trans>
      You are going to <bdi>{title}</bdi>, with <Plural value={plusOnes} one="# more" other="# more" />.
    </Trans>
  ) : (
    <Trans>
      You are going to <bdi>{title}</bdi>.
    </Trans>
  );
}
