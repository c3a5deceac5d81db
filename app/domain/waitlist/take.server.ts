import { msg } from '@lingui/core/macro';
import { and, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { hasId } from '../../../db/ids';
import { accounts, bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { bookingStatus, hasOffer, isBooked, isHeld, isToCome, wasBooked, wishState } from '../../../db/states';
import type { Appointment } from '../bookings/appointments';
import { appointment, selectBookings } from '../bookings/appointments.server';
import { ended } from '../bookings/book.server';
import { hasSeat } from '../bookings/claimable.server';
import { isStillChangeable } from '../bookings/conditions.server';
import { declineOffer, endBrokenHolds, hasWishId, runAfterHolds } from '../bookings/holds.server';
import { takenAlong } from '../bookings/movable.server';
import { refusalOf, type WhyNot } from '../bookings/refusals';
import { brokenRule, countingName, isDayOfOld } from '../bookings/rules.server';
import { startIn } from '../bookings/start-in';
import { findTemplateOfSlot } from '../bookings/template-of.server';
import { conflict, DomainError, type Fault } from '../errors';
import type { Links } from '../links.server';
import { notFound } from '../not-found';
import { cardOf } from '../people/card-of.server';
import { lackedAt } from '../services/where';
import { hasPhoneAskedFor, hasWhatItNeeds, keptPhone, placeOf } from '../services/where.server';
import { checkAnswers, type SubmittedAnswers } from '../templates/answers';
import type { Answer } from '../templates/questions';
import type { Instant } from '../time/clock';
import { getOffer, type LinkedWish, selectWishes, wishOf } from './read.server';
import type { Wish } from './wishes';

// The offer has ended, was passed on, or is another one by now.
const tooLate = () => conflict(msg`This offer is over: the time was held for you no longer, and others were asked.`);

const selectBooking = (id: string) => selectBookings().where(and(hasId(bookings, id), wasBooked(bookings)));

export type Taking = {
  key: string;
  /** Null leaves the answers owed, or takes those of the booking that is moved. */
  submitted: SubmittedAnswers | null;
  /** What the place needs, where the booking lacks it. */
  phone?: string | null;
  address?: string | null;
};

type Offered = Pick<LinkedWish, 'accountId' | 'providerId'> & {
  offerId: string;
  startsAt: Instant;
  insteadOf: string | null;
};
type Given = { phone: string | null; address: string | null };

/** SQL: the booking that is moved, if one is. */
const isOld = ({ insteadOf }: Offered) => hasId(alias(bookings, 'old'), insteadOf ?? '');

/** SQL: whoever was offered the time may move there what they have, if they want it instead of that. */
const mayMove = (offered: Offered, now: Instant) =>
  offered.insteadOf
    ? sql`EXISTS (SELECT 1 FROM bookings AS old WHERE ${isOld(offered)} AND ${isToCome(now, 'old')}
        AND old.booker_id = ${offered.accountId} AND ${isStillChangeable(now, 'old')})`
    : sql`true`;

/** SQL: the rule that keeps its person from the held slot, or null. The provider is `accounts`. */
function ruleAgainst({ accountId, offerId, insteadOf }: Offered, now: Instant) {
  const person = sql`${accountId}`;
  // The hold takes its own time, and the booking that moves counts no more.
  const held = sql`(SELECT people FROM bookings AS held WHERE ${hasId(alias(bookings, 'held'), offerId)})`;
  const asking = { accountId: person, now, except: [offerId, insteadOf ?? ''], held };
  // Since the offer, their provider may have moved an appointment of theirs into the same class.
  return sql`iif(${hasSeat(person)}, 'seated', ${brokenRule(sql`accounts`, asking, isDayOfOld)})`;
}

const kind = sql`bookings.place_kind`;
const askPhoneNow = sql`(SELECT ask_phone FROM accounts WHERE accounts.id = bookings.provider_id)`;

/** SQL: they have given what the place and the provider ask of a new booking. */
function hasAllThatIsAsked({ insteadOf }: Offered, given: Given) {
  if (insteadOf) return sql`true`;
  const phone = sql`coalesce(bookings.phone, ${given.phone})`;
  return sql`(${hasWhatItNeeds({ kind, phone, address: sql`${given.address}` })} AND ${hasPhoneAskedFor({ askPhone: askPhoneNow, phone })})`;
}

/** What the hold becomes: a new booking, or the one that is moved there. */
function columnsOfTaken({ insteadOf }: Offered, { phone, address }: Given, answers: Answer[] | null, now: Instant) {
  const taken = { status: bookingStatus.booked, heldUntil: null, bookedAt: now };
  if (insteadOf) {
    const old = (column: string) => sql`old.${sql.identifier(column)}`;
    const isSameTemplate = sql`${old('template_id')} IS bookings.template_id`;
    const along = takenAlong(old, isSameTemplate, answers && { answers }, now);
    return { ...taken, ...along, movedFrom: insteadOf, movedBy: 'consumer' as const };
  }
  const link = sql`(SELECT link FROM services
    WHERE services.provider_id = bookings.provider_id AND services.id = bookings.service_id)`;
  return {
    ...taken,
    personId: cardOf(sql`bookings.provider_id`, sql`bookings.booker_id`),
    answers: answers ?? [],
    answeredAt: answers && now,
    linkSeed: newId(),
    phone: sql`coalesce(bookings.phone, ${keptPhone({ kind, askPhone: askPhoneNow, phone: sql`${phone}` })})`,
    // The link comes with the booking: whoever is only offered the time doesn't have it.
    place: placeOf({ kind, address: sql`${address}`, link }),
  };
}

/**
 * Books an offered time, in one transaction, if the provider's rules let its person book it now. If the wish was for an
 * earlier time, the booking is moved, and its old time is offered on. A repeat returns the same.
 * @throws DomainError not_found, conflict (it is over, the booking can't be moved any more, or a rule), invalid (the
 * answers)
 */
export async function takeOffer(
  db: Db,
  links: Links,
  { key, submitted, phone = null, address = null }: Taking,
  now: Instant,
): Promise<Appointment> {
  const linked = await getOffer(db, links, key);
  const { wish, accountId, providerId, offerId, startsAt } = linked;
  if (!offerId || startIn(offerId) !== startsAt) throw tooLate();
  if (wish.offer && wish.offer.heldUntil <= now) throw tooLate();
  const template = submitted && wish.offer ? await findTemplateOfSlot(db, offerId) : undefined;
  const questions = template?.questions ?? [];
  const { answers, faults } =
    submitted && wish.offer ? checkAnswers(questions, submitted(questions)) : { answers: null, faults: [] as Fault[] };
  const { insteadOf } = wish;
  const offered = { accountId, providerId, offerId, startsAt, insteadOf };
  const given = { phone, address };
  const rule = ruleAgainst(offered, now);
  const isHeldSlot = sql`${slots.providerId} = ${providerId} AND ${slots.startsAt} = ${startsAt} AND accounts.id = slots.provider_id`;
  const isTaken = sql`EXISTS (SELECT 1 FROM bookings AS new WHERE new.provider_id = ${providerId} AND new.id = ${offerId}
    AND new.starts_at = ${startsAt} AND ${isBooked('new')} AND new.moved_from = ${insteadOf})`;
  const {
    after: [after],
    row: [row],
    barred: [barred],
  } = await runAfterHolds(db, now, {
    // What could be offered to nobody now is not taken either.
    droppedHolds: endBrokenHolds(sql`(${providerId})`, now),
    barred: orm
      .select({
        rule: sql<WhyNot | null>`${rule}`.as('broken_rule'),
        mayMove: sql<number>`${mayMove(offered, now)}`.as('may_move'),
        providerName: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('provider_name'),
        date: slots.localDate,
        perPerson: accounts.perPerson,
        countingName: countingName(sql`accounts`).as('counting_name'),
        perDay: accounts.perDay,
      })
      .from(slots)
      .innerJoin(accounts, isHeldSlot)
      .leftJoin(alias(bookings, 'old'), isOld(offered)),
    taken: orm
      .update(bookings)
      .set(columnsOfTaken(offered, given, answers, now))
      .from(sql`(SELECT 1) LEFT JOIN bookings AS old ON ${isOld(offered)}`)
      .where(
        sql`${hasId(bookings, offerId)} AND ${isHeld('bookings')} AND bookings.held_until > ${now} AND bookings.starts_at > ${now}
          AND EXISTS (SELECT 1 FROM wishes WHERE ${hasWishId(wish.id)} AND ${hasOffer()} AND offer_id = ${offerId}
            AND instead_of IS ${insteadOf})
          AND EXISTS (SELECT 1 FROM slots INNER JOIN accounts ON ${isHeldSlot} WHERE ${rule} IS NULL)
          AND ${mayMove(offered, now)} AND ${hasAllThatIsAsked(offered, given)} AND ${faults.length === 0 ? sql`true` : sql`false`}`,
      ),
    moved: insteadOf
      ? orm
          .update(bookings)
          .set(ended({ accountId }, { reason: null, movedTo: sql`${offerId}` }, now))
          .where(and(hasId(bookings, insteadOf), isBooked(bookings), isTaken))
      : undefined,
    after: selectWishes().where(hasWishId(wish.id)),
    row: selectBooking(offerId),
  });
  if (row && row.bookerId === accountId) return appointment(row, accountId);
  if (after?.state !== wishState.offered || after.offerId !== offerId) throw tooLate();
  if (barred?.rule) throw refusalOf(barred.rule, { ...barred, room: null });
  if (barred?.mayMove && faults.length > 0) throw new DomainError('invalid', faults);
  const { where, askPhone } = linked;
  const hasPhone = phone !== null || askPhone !== 'required';
  const lacked = lackedAt(where, { hasPhone, hasAddress: address !== null }, askPhone);
  if (lacked.length > 0) throw new DomainError('invalid', lacked);
  throw conflict(msg`Your appointment can’t be moved any more, so this time can’t be taken for it.`);
}

/**
 * Passes an offered time on to the next in line. Two in a row end the wish.
 * @throws DomainError not_found, conflict (it is over)
 */
export async function passOffer(db: Db, links: Links, key: string, now: Instant): Promise<Wish> {
  const { wish, startsAt } = await getOffer(db, links, key);
  const {
    before: [before],
    after: [after],
  } = await runAfterHolds(db, now, {
    before: selectWishes().where(hasWishId(wish.id)),
    passed: declineOffer({ id: wish.id, startsAt }, now),
    after: selectWishes().where(hasWishId(wish.id)),
  });
  if (!before || !after) throw notFound('offer');
  if (before.state !== wishState.offered || before.offerStart !== startsAt) throw tooLate();
  return wishOf(after);
}
