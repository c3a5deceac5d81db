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
import { asOne, findTemplateOfWanted, findWanted, ownInShop, type Wanted, whyNoTime } from './anyone.server';
import { bookingDetailsFor } from './booking-details';
import { claim, wouldBeGranted } from './claim.server';
import { type CheckedAnswers, type Claim, claimOf, type Shape } from './claim-request.server';
import {
  barredFrom,
  type Claimed,
  claimedBy,
  isBookedBy,
  type SubmittedAnswers,
  selectClaimed,
  whyNotGranted,
} from './claimed.server';
import { runAfterHolds } from './holds.server';
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
  const asking = { accountId: id, service, terms, people };
  const typedInput = z.safeParse(typedDetails, typed);
  // The first try books only a time without questions. For one with questions it writes nothing and reads them.
  const withoutAnswers = { answered: { answers: [], templateId: null }, isUnseen: true };
  const [first, template] = await Promise.all([
    typedInput.success
      ? claimAsGuest(db, booking, { ...typedInput.data, ...withoutAnswers }, now)
      : findWanted(db, wanted, asking, now).then((slot) => ({ slot, booked: null })),
    findTemplateOfWanted(db, wanted, service),
  ]);
  const { slot } = first;
  if (first.booked && !template) return first.booked;
  if (!slot) throw await whyNoTime(db, wanted);
  const barred = isBookedBy(slot, id) ? undefined : barredFrom(slot, { isGuest: true });
  if (barred) throw barred;
  const questions = template?.questions ?? [];
  const { answers, faults } = checkAnswers(questions, submitted(questions));
  const details = parse(bookingDetailsFor(slot), typed, () => faults);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  if (first.booked) return first.booked;
  const answered = { answers: template ? answers : [], templateId: template?.id ?? null };
  const { slot: row, booked } = await claimAsGuest(db, booking, { ...details, answered, isUnseen: false }, now);
  if (booked) return booked;
  if (!row) throw await whyNoTime(db, wanted);
  // The form would have been refused if it lacked one of these.
  const given = { hasPhone: true, hasAddress: true, hasEmail: true };
  throw whyNotGranted(row, { isGuest: true, given, answered });
}

// The guest is made by the condition of the claim, so a refused one leaves no guest.
const prepareGuest = prepareGuestWhere<Shape, Claim>((shape, values) => wouldBeGranted({ shape, values }));

async function claimAsGuest(
  db: Db,
  { id, sessionId, edgeZone, lang, origin, wanted, service = null, terms = null, people = 1, link }: GuestBooking,
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
): Promise<{ slot: Claimed | undefined; booked: Booked | null }> {
  const newcomer = { id, edgeZone, lang, origin, ...details };
  const asking = { accountId: id, service, terms, people };
  const { id: slotId, anyone } = asOne(wanted);
  const times = [{ id: slotId, link }];
  const booker = actorOf(newcomer, sessionId);
  const { email } = details;
  const { shape, values } = claimOf(
    { times, anyone, booker, service, terms, people, email, phone, place, answered, isUnseen },
    now,
  );
  const { statements, refuseTooMany } = prepareGuest(newcomer, shape, values, now, booker.sessionId);
  const {
    counted,
    opened,
    slot: rows,
    mine: [mine] = [],
  } = await runAfterHolds(db, now, {
    ...statements,
    claimed: claim({ shape, values }),
    slot: anyone ? undefined : selectClaimed(slotId, asking, now),
    mine: anyone && ownInShop({ ...anyone, accountId: id }),
  });
  refuseTooMany(counted);
  const slot = rows ? claimedBy(rows, id) : await findWanted(db, wanted, asking, now);
  const own = mine ?? (slot && isBookedBy(slot, id) ? slot : undefined);
  return { slot, booked: own ? { actor: opened.length > 0 ? booker : null, entryId: own.calendarId } : null };
}
