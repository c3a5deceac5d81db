import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import type { ComponentProps } from 'react';
import type { Db } from '../../../db/client';
import { ButtonLink } from '../../components/Button';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { NameField } from '../../components/forms/GuestFields';
import { RobotGuard } from '../../components/forms/RobotGuard';
import { useRefusal } from '../../components/forms/refusal';
import { Letter, letterMeta } from '../../components/frame/Letter';
import { useWords } from '../../components/words';
import { DomainError } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { rsvpPath } from '../../domain/links.server';
import { notFound } from '../../domain/not-found';
import { rsvpAsGuest } from '../../domain/parties/guest-rsvps.server';
import { findPartyLetter } from '../../domain/parties/letters.server';
import {
  forGuests,
  type GuestsParty,
  invalidLink,
  isInvitationId,
  isTakingRsvps,
  mayBring,
  placesLeft,
  roomFor,
} from '../../domain/parties/parties';
import { partyRsvp, rsvpForm } from '../../domain/parties/party-input';
import { rsvpToParty } from '../../domain/parties/rsvps.server';
import { isGuest, isOwnedBy } from '../../domain/profile/accounts';
import { answersFromForm, type Question } from '../../domain/templates/questions';
import { statuses } from '../../http/errors.server';
import { fields, type Typed } from '../../http/form.server';
import { checkForm, formToken } from '../../http/form-token.server';
import { arrivalOf, originOf, setGuestSession } from '../../http/login.server';
import { guestOfForm, knowBrowser } from '../../http/own-form.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { CalledOff } from './CalledOff';
import { LogInFirst } from './LogInFirst';
import { Moved } from './Moved';
import { RsvpForm } from './RsvpForm';
import { Closed, OwnRsvp, Room } from './RsvpWords';

export const handle = { isLetter: true };
export const meta: MetaFunction<typeof loader> = ({ data }) =>
  letterMeta(data, data && data.calledOffAt !== null ? msg`Called off` : undefined);

/** The party for whoever has the link; whoever is logged in sees their own RSVP too. */
const show = pageLoader('anyone', async (context, { params: { id = '' }, url }) => {
  const { db, actor, viewer, now, hasMail } = context;
  const [found, reader] = await Promise.all([findPartyLetter(db, actor, id), viewer()]);
  if (!isInvitationId(id)) throw new DomainError('not_found', invalidLink);
  if (!found) throw notFound('party');
  const { party, template, calledOffAt } = found;
  const own = reader ? found.own : null;
  const isForAnyone = party.openTo === 'anyone';
  if (isForAnyone && !reader) await knowBrowser(context);
  return {
    party: forGuests(party),
    link: url.origin + paths.party(id),
    isFull: roomFor(party, own) === 0,
    left: party.hideGoing ? null : placesLeft(party),
    mayBring: mayBring(party, own),
    own,
    template: reader || isForAnyone ? template : null,
    readerName: reader?.displayName ?? null,
    asksEmail: hasMail && (!reader || isGuest(reader)),
    needsAccount: !isForAnyone && reader !== null && isGuest(reader) && !own,
    token: isForAnyone && !reader ? formToken(context, formOf(id)) : null,
    isHost: isOwnedBy(reader, party),
    isOpen: isTakingRsvps(party, now),
    isOver: party.endsAt <= now,
    step: url.searchParams.get('step'),
    calledOffAt,
    cancelReason: found.cancelReason,
    was: reader ? found.was : null,
  };
});

/** A party that was called off is not found; its letter says so. */
export async function loader(args: LoaderFunctionArgs) {
  const shown = await show(args);
  return json(shown, { status: shown.calledOffAt === null ? 200 : statuses.not_found });
}

/** Which form it is, for its token. It says `answer` for an RSVP, as forms do that are open while we deploy. */
const formOf = (id: string) => `answer ${id}`;

/** The RSVP that a form gives to the party. */
const rsvpOf = (typed: Typed, id: string) => parse(rsvpForm, { ...fields(typed), id });

const asMember = formAction('member', async ({ db, actor, now, links }, typed, { params: { id = '' } }) => {
  const rsvp = rsvpOf(typed, id);
  try {
    const own = await rsvpToParty(db, actor, rsvp, (questions) => answersFromForm(questions, typed), now, links.make());
    return redirect(actor.isGuest ? rsvpPath(links, own.id) : paths.home({ rsvp: id }), 303);
  } catch (error) {
    return toCalledOff(db, id, error);
  }
});

/** Goes back to the letter if the party was called off while it was open. Else throws the error. */
async function toCalledOff(db: Db, id: string, error: unknown) {
  const isGone = error instanceof DomainError && error.code === 'not_found';
  if (isGone && (await findPartyLetter(db, null, id))?.calledOffAt) return redirect(paths.party(id), 303);
  throw error;
}

/** Stores the RSVP of a stranger, as a new guest; the personal link is where they see and change it. */
const asGuest = formAction('anyone', async (context, typed, { params: { id = '' } }) => {
  const { db, now, links } = context;
  checkForm(context, typed, formOf(id));
  const guest = {
    ...(await guestOfForm(context, typed, formOf(id))),
    ...arrivalOf(context),
    origin: await originOf(context),
    // Their details are checked with their answers, so that one refusal names all faults.
    rsvp: parse(partyRsvp, { ...fields(typed), id }),
    details: fields(typed),
    submitted: (questions: Question[]) => answersFromForm(questions, typed),
    link: links.make(),
  };
  try {
    const { actor, own } = await rsvpAsGuest(db, guest, now);
    if (actor) await setGuestSession(context, actor);
    return redirect(rsvpPath(links, own.id), 303);
  } catch (error) {
    return toCalledOff(db, id, error);
  }
});

/** A reader who has logged in meanwhile replies as themselves, whichever form they had open. */
export async function action(args: ActionFunctionArgs) {
  const isStranger = new URL(args.request.url).searchParams.has('guest') && !(await args.context.viewer());
  return isStranger ? asGuest(args) : asMember(args);
}

export default function PartyLetter() {
  const shown = useLoaderData<typeof loader>();
  const { party, own, template, readerName, isHost, isOpen, isOver, isFull, left, mayBring, step, needsAccount } =
    shown;
  const isReader = readerName !== null;
  const refused = useRefusal();
  const words = useWords();
  const host = words(party.providerName);
  if (shown.calledOffAt !== null) {
    const file = own?.accepted ? paths.partyFile(party.id) : null;
    return <CalledOff party={party} at={shown.calledOffAt} reason={shown.cancelReason} file={file} />;
  }
  const guestsToken = isOpen && !isReader ? shown.token : null;
  const isRoomSaid = refused?.faults.some(({ field }) => field === null);
  return (
    <Letter
      party={party}
      rsvpBy={isOpen ? party.rsvpBy : null}
      greeting={
        <Trans>
          <strong>{host}</strong> would love to see you.
        </Trans>
      }
    >
      <ErrorSummary refused={refused} />
      {shown.was && <Moved was={shown.was} party={party} />}
      {isHost ? (
        <Host party={party} />
      ) : (
        <>
          {own && (
            <OwnRsvp
              file={paths.partyFile(party.id)}
              link={shown.link}
              party={party}
              own={own}
              canChange={isOpen && !isFull}
            />
          )}
          {isOpen && !isRoomSaid && <Room isFull={isFull} left={left} />}
          {guestsToken && <GuestForm {...shown} token={guestsToken} refused={refused} />}
          {needsAccount && (
            <p className="font-semibold">
              <Trans>Only people with an account can answer this party.</Trans>
            </p>
          )}
          {isOpen && (!isReader || needsAccount) && <LogInFirst id={party.id} isFull={isFull} isMain={!guestsToken} />}
          {isOpen && isReader && !needsAccount && (
            <RsvpForm
              path={paths.party(party.id)}
              party={party}
              own={own}
              template={template}
              mayBring={mayBring}
              isFull={isFull}
              asksEmail={shown.asksEmail}
              refused={refused}
              isAsking={step === 'questions'}
            >
              {!own && (
                <p className="text-center text-muted">
                  <Trans>
                    You answer as <strong>{readerName}</strong>.
                  </Trans>
                </p>
              )}
            </RsvpForm>
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
      <p className="text-muted">
        <Trans>This is your own party, as your guests see it.</Trans>
      </p>
      <ButtonLink to={paths.manageParty(party.id)}>
        <Trans>Who is coming</Trans>
      </ButtonLink>
    </div>
  );
}

type GuestFormProps = Pick<
  ComponentProps<typeof RsvpForm>,
  'party' | 'template' | 'mayBring' | 'isFull' | 'asksEmail' | 'refused'
>;

/** The form for whoever has no account: their name and their RSVP, at once. */
function GuestForm({ token, ...form }: GuestFormProps & { token: string }) {
  const { party, isFull, refused } = form;
  if (isFull && !refused) return null;
  return (
    <section aria-labelledby="by-name" className="no-print grid gap-4 text-start">
      <h3 id="by-name" className="text-lg">
        <Trans>Answer with your name</Trans>
      </h3>
      <RsvpForm {...form} own={null} path={paths.party(party.id)} action={`${paths.party(party.id)}?guest`} isAsking>
        <RobotGuard token={token} />
        <NameField refused={refused} />
      </RsvpForm>
    </section>
  );
}
