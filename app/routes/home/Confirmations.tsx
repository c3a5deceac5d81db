import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { CopyField } from '../../components/CopyField';
import { PostForm, Submit } from '../../components/forms/Form';
import { useWords } from '../../components/words';
import type { GuestsParty, Invitation, Party } from '../../domain/parties/parties';
import type { Published } from '../../domain/slots/publish.server';
import { dateWords } from '../../domain/time/clock';
import * as paths from '../../paths';

export type Confirmed = {
  published?: Published & { key: string };
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

function JustPublished({ published }: { published: Published & { key: string } }) {
  const { created, skipped, publication, isUndone, key } = published;
  const like = paths.createTimes({ like: key });
  if (isUndone) {
    return (
      <Notice tone="warn" title={<Trans>What you published is removed again.</Trans>}>
        <p>
          <Trans>What was booked before that stays booked.</Trans>
        </p>
        <div>
          <ButtonLink quiet to={like}>
            <Trans>Create appointments</Trans>
          </ButtonLink>
        </div>
      </Notice>
    );
  }
  const title = (
    <Plural
      value={created}
      _1="One appointment is open for booking."
      one="# appointment is open for booking."
      other="# appointments are open for booking."
    />
  );
  return (
    <Notice tone="good" title={title}>
      {skipped > 0 && (
        <p>
          <Plural
            value={skipped}
            _1="One was left out, because it overlaps a time you already have."
            one="# was left out, because it overlaps a time you already have."
            other="# were left out, because they overlap a time you already have."
          />
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.freeTimes()}>
          <Trans>See free times</Trans>
        </ButtonLink>
        <ButtonLink quiet to={like}>
          <Trans>Publish more like this</Trans>
        </ButtonLink>
        {created > 0 && (
          <PostForm action={paths.freeTimes()}>
            <input type="hidden" name="publication" value={publication} />
            <Submit ends="back">
              <Trans>Undo: remove them</Trans>
            </Submit>
          </PostForm>
        )}
      </div>
    </Notice>
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
