import { ButtonLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { CopyField } from '../../components/CopyField';
import { PostForm, Submit } from '../../components/forms/Form';
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
  return (
    <>
      {published && <JustPublished published={published} />}
      {hosting && (
        <Notice
          tone="good"
          title={
            <>
              <bdi>{hosting.title}</bdi> is ready to be shared.
            </>
          }
        >
          <CopyField label="Link to share" value={hosting.link} />
          <div>
            <ButtonLink quiet to={paths.manageParty(hosting.id)}>
              See who is coming
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
      <Notice tone="warn" title="What you published is removed again.">
        <p>What was booked before that stays booked.</p>
        <div>
          <ButtonLink quiet to={like}>
            Create appointments
          </ButtonLink>
        </div>
      </Notice>
    );
  }
  const title =
    created === 1 ? 'One appointment is open for booking.' : `${created} appointments are open for booking.`;
  return (
    <Notice tone="good" title={title}>
      {skipped > 0 && (
        <p>
          {skipped === 1 ? 'One was' : `${skipped} were`} left out, because{' '}
          {skipped === 1 ? 'it overlaps' : 'they overlap'} a time you already have.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.freeTimes()}>See free times</ButtonLink>
        <ButtonLink quiet to={like}>
          Publish more like this
        </ButtonLink>
        {created > 0 && (
          <PostForm action={paths.freeTimes()}>
            <input type="hidden" name="publication" value={publication} />
            <Submit ends="back">Undo: remove them</Submit>
          </PostForm>
        )}
      </div>
    </Notice>
  );
}

function JustRsvped({ party }: { party: GuestsParty & { own: Invitation } }) {
  const { accepted, plusOnes } = party.own;
  const title = accepted ? (
    <>
      You are going to <bdi>{party.title}</bdi>
      {plusOnes > 0 && `, with ${plusOnes} more`}.
    </>
  ) : (
    <>
      <bdi>{party.providerName}</bdi> knows that you can't come.
    </>
  );
  return (
    <Notice tone="good" title={title}>
      <p>{dateWords(party.date).full}</p>
      <div className="flex flex-wrap gap-3">
        {accepted && (
          <ButtonLink isFile to={paths.partyFile(party.id)}>
            Add to calendar
          </ButtonLink>
        )}
        <ButtonLink quiet to={paths.party(party.id)}>
          Change your answer
        </ButtonLink>
      </div>
    </Notice>
  );
}
