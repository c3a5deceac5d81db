import { json, type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { ErrorSummary } from '../../components/ErrorSummary';
import { Letter, letterMeta } from '../../components/Letter';
import { useRefusal } from '../../components/refusal';
import { DomainError, notFound } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { findPartyLetter } from '../../domain/parties/letters.server';
import {
  forGuests,
  type GuestsParty,
  type Invitation,
  invalidLink,
  isInvitationId,
  isTakingRsvps,
  mayBring,
  placesLeft,
  roomFor,
} from '../../domain/parties/parties';
import { partyRsvpForm } from '../../domain/parties/party-input';
import { rsvpToParty } from '../../domain/parties/rsvps.server';
import { answersFromForm } from '../../domain/templates/questions';
import { dateWords } from '../../domain/time/clock';
import { statuses } from '../../http/errors.server';
import { fields } from '../../http/form.server';
import { answerForm, answerPage } from '../../http/page.server';
import { CalledOff } from './CalledOff';
import { LogInFirst } from './LogInFirst';
import { Moved } from './Moved';
import { RsvpForm } from './RsvpForm';

export const handle = { isLetter: true };
export const meta: MetaFunction<typeof loader> = ({ data }) =>
  letterMeta(data, data && data.calledOffAt !== null ? 'Called off' : undefined);

/** The party for whoever has the link; whoever is logged in sees their own answer too. */
const show = answerPage('anyone', async ({ db, actor, viewer, now }, { params: { id = '' }, url }) => {
  const [found, reader] = await Promise.all([findPartyLetter(db, actor, id), viewer()]);
  if (!isInvitationId(id)) throw new DomainError('not_found', invalidLink);
  if (!found) throw notFound('party');
  const { party, template, calledOffAt } = found;
  const own = reader ? found.own : null;
  return {
    party: forGuests(party),
    isFull: roomFor(party, own) === 0,
    left: party.hideGoing ? null : placesLeft(party),
    mayBring: mayBring(party, own),
    own,
    template: reader ? template : null,
    isReader: reader !== null,
    isHost: reader?.accountId === party.providerId,
    isOpen: isTakingRsvps(party, now),
    isOver: party.endsAt <= now,
    step: url.searchParams.get('step'),
    calledOffAt,
    was: reader ? found.was : null,
  };
});

/** What was called off is not there any more; the letter says so. */
export async function loader(args: LoaderFunctionArgs) {
  const shown = await show(args);
  return json(shown, { status: shown.calledOffAt === null ? 200 : statuses.not_found });
}

export const action = answerForm('member', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  const rsvp = parse(partyRsvpForm, { ...fields(typed), id });
  try {
    await rsvpToParty(db, actor, rsvp, (questions) => answersFromForm(questions, typed), now);
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === 'not_found';
    // Called off while the letter was open, which says so when it is read again.
    if (isGone && (await findPartyLetter(db, actor, id))?.calledOffAt) return redirect(`/party/${id}`, 303);
    throw error;
  }
  return redirect(`/?rsvp=${id}`, 303);
});

export default function PartyLetter() {
  const shown = useLoaderData<typeof loader>();
  const { party, own, template, isReader, isHost, isOpen, isOver, isFull, left, mayBring, step } = shown;
  const refused = useRefusal();
  if (shown.calledOffAt !== null) {
    const file = own?.accepted ? `/party/${party.id}/daybook.ics` : null;
    return <CalledOff party={party} at={shown.calledOffAt} file={file} />;
  }
  const isRoomSaid = refused?.faults.some(({ field }) => field === null);
  return (
    <Letter
      party={party}
      answerBy={isOpen ? party.rsvpBy : null}
      greeting={
        <>
          <strong>{party.providerName}</strong> would love to see you.
        </>
      }
    >
      <ErrorSummary refused={refused} />
      {shown.was && <Moved was={shown.was} party={party} />}
      {isHost ? (
        <Host party={party} />
      ) : (
        <>
          {own && <OwnRsvp party={party} own={own} canChange={isOpen && !isFull} />}
          {isOpen && !isRoomSaid && <Room isFull={isFull} left={left} />}
          {isOpen && !isReader && <LogInFirst id={party.id} isFull={isFull} />}
          {isOpen && isReader && (
            <RsvpForm
              party={party}
              own={own}
              template={template}
              mayBring={mayBring}
              isFull={isFull}
              refused={refused}
              isAsking={step === 'questions'}
            />
          )}
          {!isOpen && <Closed party={party} isOver={isOver} />}
        </>
      )}
    </Letter>
  );
}

function Host({ party }: { party: GuestsParty }) {
  return (
    <div className="grid justify-items-center gap-3">
      <p className="text-muted">This is your own party, as your guests see it.</p>
      <ButtonLink to={`/view-party/${party.id}`}>Who is coming</ButtonLink>
    </div>
  );
}

function Closed({ party, isOver }: { party: GuestsParty; isOver: boolean }) {
  return (
    <p className="text-muted">
      {isOver || !party.rsvpBy ? 'This party is over.' : `Answers were welcome until ${dateWords(party.rsvpBy).full}.`}
    </p>
  );
}

function OwnRsvp({ party, own, canChange }: { party: GuestsParty; own: Invitation; canChange: boolean }) {
  if (!own.accepted) {
    return <p className="font-semibold text-accent">You said no.{canChange && ' You can change your mind below.'}</p>;
  }
  return (
    <div className="grid justify-items-center gap-3">
      <p className="font-semibold text-good">You are going{own.plusOnes > 0 && `, and bring ${own.plusOnes} more`}.</p>
      <div className="no-print">
        <ButtonLink quiet isFile to={`/party/${party.id}/daybook.ics`}>
          Add to calendar
        </ButtonLink>
      </div>
    </div>
  );
}

/** Whether there is room, where it is getting scarce. */
function Room({ isFull, left }: { isFull: boolean; left: number | null }) {
  if (isFull) return <p className="font-semibold text-accent">This party is full.</p>;
  if (left === null || left === 0 || left > 10) return null;
  return <p className="text-sm text-muted">{left === 1 ? 'One place is left.' : `${left} places are left.`}</p>;
}
