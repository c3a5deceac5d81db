import { and, eq, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, bookings, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { hasEnded, isBooked } from '../../../db/states';
import { DomainError } from '../errors';
import { clientAddress, type GuestDetails, guestDetails } from '../guests/guests';
import { actorOf, type Newcomer, prepareGuestWhere } from '../guests/guests.server';
import { parse, phone as phoneField } from '../input/fields';
import type { NewLink } from '../links.server';
import { notFound } from '../not-found';
import { linkSeedOf } from '../people/client-columns.server';
import type { Actor } from '../profile/accounts';
import type { Rules } from '../profile/rules';
import { checkAnswers } from '../templates/answers';
import type { Instant } from '../time/clock';
import { asOne, findTemplateOfWanted, findWanted, ownInShop, type Wanted } from './anyone.server';
import type { Appointment } from './appointments';
import { openSlot } from './appointments.server';
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
import { bookedAsOpen, changeableUntil, changeableUntilIfBooked, openColumns, reach } from './columns.server';
import { runAfterHolds } from './holds.server';
import type { Terms } from './terms';

type Bookable = Pick<Rules, 'openTo' | 'askEmail' | 'askPhone'> & {
  appointment: Appointment;
  providerId: string;
  /** The seed of the personal link; null for everybody but the booker. */
  linkSeed: string | null;
  /** The booker whose session it is; null for everybody but them. */
  bookerId: string | null;
};

/** Who looks at a time: an account, or whoever has the session that its booking opened. */
type Reader = { accountId: string } | { sessionId: string };

const { openTo, askEmail } = accounts;

// A canceled booking has an id of its own, and no slot has that id.
const offered = statement<{ id: string; reader: string; session: string }>()(({ id, reader, session }) => {
  const ofSlot = sql`${isBooked(bookings)} AND ${bookings.startsAt} = ${slots.startsAt}
    AND coalesce(${bookings.slotId}, ${bookings.id}) = ${slots.id}`;
  const ownBooker = sql`(SELECT ${bookings.bookerId} FROM ${bookings} WHERE ${session} <> ''
    AND ${bookings.providerId} = ${slots.providerId} AND ${ofSlot}
    AND EXISTS (SELECT 1 FROM sessions WHERE account_id = ${bookings.bookerId} AND id = ${session}))`;
  return unionAll(
    orm
      .select({
        ...openColumns,
        openTo,
        askEmail,
        ...reach,
        changeableUntil: changeableUntilIfBooked.as('changeable_until'),
        providerId: slots.providerId,
        linkSeed: sql<string | null>`(SELECT ${linkSeedOf} FROM ${bookings}
          WHERE ${bookings.bookerId} = coalesce(nullif(${reader}, ''), ${ownBooker}) AND ${ofSlot})`.as('own_seed'),
        bookerId: sql<string | null>`${ownBooker}`.as('own_booker'),
      })
      .from(slots)
      .innerJoin(accounts, eq(accounts.id, slots.providerId))
      .where(hasId(slots, id)),
    orm
      .select({
        ...bookedAsOpen,
        openTo,
        askEmail,
        ...reach,
        changeableUntil: changeableUntil.as('changeable_until'),
        providerId: bookings.providerId,
        linkSeed: sql<string | null>`NULL`.as('own_seed'),
        bookerId: sql<string | null>`NULL`.as('own_booker'),
      })
      .from(bookings)
      .innerJoin(accounts, eq(accounts.id, bookings.providerId))
      .where(and(hasId(bookings, id), hasEnded(bookings))),
  );
});

/** Finds a slot and its provider's rules; undefined if there is none. The result doesn't tell who booked the slot. */
export async function findBookable(db: Db, id: string, reader: Reader | null): Promise<Bookable | undefined> {
  const { accountId = '', sessionId = '' } = { ...reader } as { accountId?: string; sessionId?: string };
  const [[row]] = await db.run(offered({ id, reader: accountId, session: sessionId }));
  if (!row) return undefined;
  const {
    openTo,
    askEmail,
    askPhone,
    providerAddress,
    providerPhone,
    changeableUntil,
    providerId,
    linkSeed,
    bookerId,
    ...slot
  } = row;
  const appointment = { ...openSlot(slot), changeableUntil, providerAddress, providerPhone };
  return { appointment, openTo, askEmail, askPhone, providerId, linkSeed, bookerId };
}

const typedDetails = z.extend(guestDetails, { phone: phoneField, address: clientAddress });

/** A guest's booking. The guest's id is made from the form's one-time key, so a form sent twice books once. */
type GuestBooking = Pick<Newcomer, 'id' | 'edgeZone' | 'lang' | 'origin'> & {
  /** Random, or known to the browser alone that sends the form: whoever has it gets the session. */
  sessionId: string;
  wanted: Wanted;
  service?: string | null;
  /** How long the guest was told that the service takes. */
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
  if (!slot) throw notFound('appointment');
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
  if (!row) throw notFound('appointment');
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
