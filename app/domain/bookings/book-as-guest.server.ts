import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { DomainError } from '../errors';
import { clientAddress, type GuestDetails, guestDetails } from '../guests/guests';
import { actorOf, type Newcomer, prepareGuestWhere } from '../guests/guests.server';
import { parse, phone as phoneField } from '../input/fields';
import type { NewLink } from '../links.server';
import type { Actor } from '../profile/accounts';
import { checkAnswers } from '../templates/answers';
import type { Instant } from '../time/clock';
import { findTemplateOfWanted, findWanted, type Wanted, whyNoTime } from './anyone.server';
import { bookingDetailsFor } from './booking-details';
import { wouldBeGranted } from './claim.server';
import { claimOfOne, type OneTime, sendClaim } from './claim-one.server';
import type { CheckedAnswers, Claim, Shape } from './claim-request.server';
import { barredFrom, type Claimed, isBookedBy, type SubmittedAnswers, whyNotGranted } from './claimed.server';
import type { Terms } from './terms';

const typedDetails = z.extend(guestDetails, { phone: phoneField, address: clientAddress });

/** A guest's booking. The guest's id is made from the form's one-time key, so a form sent twice books once. */
type GuestBooking = Pick<Newcomer, 'id' | 'edgeZone' | 'lang' | 'origin'> & {
  /** Random, or known to the browser alone that sends the form: whoever has it gets the session. */
  sessionId: string;
  wanted: Wanted;
  service?: string | null;
  /** What the form said of the service. */
  terms?: Terms | null;
  people?: number;
  details: unknown;
  submitted: SubmittedAnswers;
  link: NewLink;
};

/** `actor` is null if another browser sent the form before. `entryId` is the booking that the personal link opens. */
type Booked = { actor: Actor | null; entryId: string };

/**
 * Makes a guest with a session and books the slot for them, in one transaction. A repeat has no second effect, and no
 * session but the one with its id.
 * @throws DomainError not_found, forbidden (only accounts may), conflict (taken or begun), invalid, too_many
 */
export async function bookAsGuest(db: Db, booking: GuestBooking, now: Instant): Promise<Booked> {
  const { id, wanted, service = null, terms = null, people = 1, details: typed, submitted } = booking;
  const one = { wanted, asking: { accountId: id, service, terms, people } };
  const typedInput = z.safeParse(typedDetails, typed);
  // The first try books only a time without questions. For one with questions it writes nothing and reads them.
  const withoutAnswers = { answered: { answers: [], templateId: null }, isUnseen: true };
  const [{ booked, time }, template] = await Promise.all([
    typedInput.success
      ? claimAsGuest(db, booking, one, { ...typedInput.data, ...withoutAnswers }, now)
      : findWanted(db, wanted, one.asking, now).then((time) => ({ booked: null, time })),
    findTemplateOfWanted(db, wanted, service),
  ]);
  if (booked) return booked;
  if (!time) throw await whyNoTime(db, wanted);
  const barred = isBookedBy(time, id) ? undefined : barredFrom(time, { isGuest: true });
  if (barred) throw barred;
  const questions = template?.questions ?? [];
  const { answers, faults } = checkAnswers(questions, submitted(questions));
  const details = parse(bookingDetailsFor(time), typed, () => faults);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  const answered = { answers: template ? answers : [], templateId: template?.id ?? null };
  const again = await claimAsGuest(db, booking, one, { ...details, answered, isUnseen: false }, now);
  if (again.booked) return again.booked;
  if (!again.time) throw await whyNoTime(db, wanted);
  // The form would have been refused if it lacked one of these.
  const given = { hasPhone: true, hasAddress: true, hasEmail: true };
  throw whyNotGranted(again.time, { isGuest: true, given, answered });
}

// The guest is made by the condition of the claim, so a refused one leaves no guest.
const prepareGuest = prepareGuestWhere<Shape, Claim>((shape, values) => wouldBeGranted({ shape, values }));

async function claimAsGuest(
  db: Db,
  { id, sessionId, edgeZone, lang, origin, link }: GuestBooking,
  one: OneTime,
  {
    phone,
    address: place,
    answered,
    isUnseen,
    ...details
  }: GuestDetails & {
    phone: string | null;
    address: string | null;
    answered: CheckedAnswers;
    isUnseen: boolean;
  },
  now: Instant,
): Promise<{ booked: Booked | null; time: Claimed | undefined }> {
  const newcomer = { id, edgeZone, lang, origin, ...details };
  const booker = actorOf(newcomer, sessionId);
  const ready = claimOfOne(one, { booker, link, email: details.email, phone, place, answered, isUnseen }, now);
  const { statements, refuseTooMany } = prepareGuest(newcomer, ready.shape, ready.values, now, booker.sessionId);
  const { done, own, time } = await sendClaim(db, one, ready, statements, now);
  refuseTooMany(done.counted);
  return { booked: own ? { actor: done.opened.length > 0 ? booker : null, entryId: own.calendarId } : null, time };
}
