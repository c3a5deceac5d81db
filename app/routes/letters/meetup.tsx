import { json, redirect } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { Button, ButtonLink } from '../../components/Button';
import { RefusalNotice } from '../../components/Card';
import { PostForm } from '../../components/Form';
import { Letter, letterMeta } from '../../components/Letter';
import { useRefusal } from '../../components/refusal';
import { DomainError, invalid, type Trouble } from '../../domain/errors';
import { findByLink, noInvitation, rsvpByLink } from '../../domain/parties/attendees.server';
import { forGuests, invalidLink, isInvitationId } from '../../domain/parties/parties';
import { failureOf } from '../../http/errors.server';
import { answerForm, answerPage } from '../../http/page.server';

export const handle = { isLetter: true };
export const meta: MetaFunction<typeof loader> = ({ data }) => letterMeta(data?.party);

const status = { true: 'You accepted.', false: 'You declined.', null: 'You have not responded yet.' };

/** @throws DomainError invalid where the address can't be an invitation's */
function invitationId(id: string): string {
  if (!isInvitationId(id)) throw invalid(null, invalidLink);
  return id;
}

/** The meetup for whoever has the personal link, greeted by the name on the host's list. */
export const loader = answerPage('anyone', async ({ db, now }, { params: { id = '' } }) => {
  const found = await findByLink(db, invitationId(id));
  if (!found) throw noInvitation();
  const { name, accepted } = found.invitation;
  return { party: forGuests(found.party), id, name, accepted, isOver: found.party.endsAt <= now };
});

export const action = answerForm('anyone', async (context, typed, { params: { id = '' } }) => {
  const answer = typed.accepted?.[0];
  if (answer !== 'true' && answer !== 'false') throw invalid(null, wentWrong);
  try {
    await rsvpByLink(context.db, { id: invitationId(id), accepted: answer === 'true' }, context.now);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const { status: code, headers } = failureOf(error);
    context.refusalHeaders = headers;
    throw json({ message: wentWrong } satisfies Trouble, { status: code });
  }
  return redirect(`/meetup-rsvp/${id}`, 303);
});

const wentWrong = 'Something went wrong. Please try again.';

export default function MeetupLetter() {
  const { party, id, name, accepted, isOver } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const look = accepted === null ? 'text-muted' : accepted ? 'text-good' : 'text-accent';
  return (
    <Letter
      party={party}
      greeting={
        <>
          Hi <strong>{name}</strong>, <bdi>{party.providerName}</bdi> would love to see you.
        </>
      }
    >
      <RefusalNotice refused={refused} />
      <p role="status" className={`font-semibold ${look}`}>
        {status[`${accepted}`]}
      </p>
      {isOver ? (
        <p className="text-muted">This meetup is over.</p>
      ) : (
        <PostForm className="flex flex-wrap justify-center gap-3">
          <Button name="accepted" value="true" disabled={accepted === true}>
            Accept
          </Button>
          <Button quiet name="accepted" value="false" disabled={accepted === false}>
            Decline
          </Button>
        </PostForm>
      )}
      {accepted && (
        <div>
          <ButtonLink quiet isFile to={`/meetup-rsvp/${id}/daybook.ics`}>
            Add to calendar
          </ButtonLink>
        </div>
      )}
    </Letter>
  );
}
