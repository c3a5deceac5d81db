import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { DomainError } from '../errors';
import { clientContact, guestDetails } from '../guests/guests';
import { actorOf, type NewGuest, prepareGuestWhere } from '../guests/guests.server';
import { parse } from '../input/fields';
import type { Actor } from '../profile/accounts';
import { checkAnswers, type SubmittedAnswers } from '../templates/answers';
import type { Instant } from '../time/clock';
import { wouldBeGranted } from './claim.server';
import {
  claimOfOne,
  findTemplateOfWanted,
  findWanted,
  type OneTime,
  sendClaim,
  type Wanted,
  whyNoTime,
} from './claim-one.server';
import type { CheckedAnswers, ClaimValues, Shape } from './claim-request.server';
import { barredFrom, type FoundTime, givenIn, isBookedBy, lackedBy, whyNotGranted } from './found-time.server';
import type { Terms } from './terms';

const typedDetails = z.extend(guestDetails, clientContact.shape);

/** A guest's booking. Their id is made from all that was typed and their browser's cookie, so a form sent twice books once. */
type GuestBooking = Pick<NewGuest, 'id' | 'edgeZone' | 'lang' | 'origin'> & {
  /** The session to open. Its id follows from the browser's cookie, so the same browser gets it again on a repeat. */
  sessionId: string;
  wanted: Wanted;
  service?: string | null;
  /** What the form said of the service. */
  terms?: Terms | null;
  people?: number;
  details: Readonly<Record<string, unknown>>;
  /** Null if the form asked no questions. */
  submitted: SubmittedAnswers | null;
};

/**
 * `actor` is null for a repeat whose session is not open any more, or without cookies: it opens none. `linkSource` is that of the link
 * which this form made. Where the provider has replaced the link since, a repeat leads to the old one, which opens nothing.
 */
type Booked = { actor: Actor | null; linkSource: string };

/**
 * Makes a guest with a session and books the slot for them, in one transaction. A repeat has no second effect, and opens no second
 * session.
 * @throws DomainError not_found, forbidden (only accounts may), conflict (taken or begun), invalid, too_many
 */
export async function bookAsNewGuest(db: Db, booking: GuestBooking, now: Instant): Promise<Booked> {
  const { id, wanted, service = null, terms = null, people = 1, details: typed, submitted } = booking;
  const one = { wanted, accountId: id, service, terms, people };
  const valid = z.safeParse(typedDetails, typed);
  // A valid form without questions is claimed in one trip. For another the time is read first, to name all faults at once.
  const filled =
    valid.success && !submitted ? { ...valid.data, answered: null } : await checkDetails(db, one, booking, now);
  const { booked, time } = await claimAsGuest(db, booking, one, filled, now);
  if (booked) return booked;
  if (!time) throw await whyNoTime(db, wanted);
  // A form that is older than the rule by which its provider takes no address is sent without it.
  if (filled.email && time.askEmail === 'no')
    return bookAsNewGuest(db, { ...booking, details: { ...typed, email: null } }, now);
  throw whyNotGranted(time, { isGuest: true, given: givenIn(filled), answered: filled.answered, requireAnswers: true });
}

/** What a guest has typed, and the answers if questions are asked. */
type Filled = z.output<typeof typedDetails> & { answered: CheckedAnswers | null };

/** Checks what was typed by what is asked at that time. @throws DomainError not_found, forbidden, conflict, invalid with all faults */
async function checkDetails(
  db: Db,
  one: OneTime,
  { id, wanted, service = null, details: typed, submitted }: GuestBooking,
  now: Instant,
): Promise<Filled> {
  const [time, template] = await Promise.all([findWanted(db, one, now), findTemplateOfWanted(db, wanted, service)]);
  if (!time) throw await whyNoTime(db, wanted);
  const barred = isBookedBy(time, id) ? undefined : barredFrom(time, { isGuest: true });
  if (barred) throw barred;
  const questions = template?.questions ?? [];
  const { answers, faults } = checkAnswers(questions, submitted?.(questions) ?? []);
  const wrong = [...lackedBy(time, givenIn(typed)), ...faults];
  const details = parse(typedDetails, typed, () => wrong);
  if (wrong.length > 0) throw new DomainError('invalid', wrong);
  const email = time.askEmail === 'no' ? null : details.email;
  return { ...details, email, answered: { answers: template ? answers : [], templateId: template?.id ?? null } };
}

// The guest is made by the condition of the claim, so a refused one leaves no guest.
const prepareGuestForBooking = prepareGuestWhere<Shape, ClaimValues>((shape, values) =>
  wouldBeGranted({ shape, values }),
);

async function claimAsGuest(
  db: Db,
  { id, sessionId, edgeZone, lang, origin }: GuestBooking,
  one: OneTime,
  { phone, address, answered, ...details }: Filled,
  now: Instant,
): Promise<{ booked: Booked | null; time: FoundTime | undefined }> {
  const guest = { id, edgeZone, lang, origin, ...details };
  const asker = actorOf(guest, sessionId);
  const ready = claimOfOne(
    one,
    { asker, seed: id, given: { email: details.email, phone, address }, answered, requireAnswers: true },
    now,
  );
  const { statements, refuse } = prepareGuestForBooking(guest, ready.shape, ready.values, now, sessionId);
  const { done, own, time } = await sendClaim(db, one, ready, statements, now);
  refuse(done.counted);
  const actor = done.opened.length > 0 ? asker : null;
  return { booked: own ? { actor, linkSource: `${id} ${own.calendarId}` } : null, time };
}
