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
import { declineOffer, hasWishId, runAfterHolds } from '../bookings/holds.server';
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
import { hasWhatItNeeds, keptPhone, placeOf } from '../services/where.server';
import { checkAnswers, type SubmittedAnswers } from '../templates/answers';
import type { Instant } from '../time/clock';
import { getOffer, selectWishes, wishOf } from './read.server';
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
  const { wish, accountId, providerId, offerId, startsAt, where, hasPhone } = await getOffer(db, links, key);
  if (!offerId || startIn(offerId) !== startsAt) throw tooLate();
  if (wish.offer && wish.offer.heldUntil <= now) throw tooLate();
  const template = submitted && wish.offer ? await findTemplateOfSlot(db, offerId) : undefined;
  const questions = template?.questions ?? [];
  const { answers, faults } =
    submitted && wish.offer ? checkAnswers(questions, submitted(questions)) : { answers: null, faults: [] as Fault[] };
  const { insteadOf } = wish;
  const isOld = hasId(alias(bookings, 'old'), insteadOf ?? '');
  const old = (column: string) => sql`old.${sql.identifier(column)}`;
  const mayMove = insteadOf
    ? sql`EXISTS (SELECT 1 FROM bookings AS old WHERE ${isOld} AND ${isToCome(now, 'old')}
        AND old.booker_id = ${accountId} AND ${isStillChangeable(now, 'old')})`
    : sql`true`;
  const isTaken = sql`EXISTS (SELECT 1 FROM bookings AS new WHERE new.provider_id = ${providerId} AND new.id = ${offerId}
    AND new.starts_at = ${startsAt} AND ${isBooked('new')} AND new.moved_from = ${insteadOf})`;
  // The hold takes its own time, and the booking that moves counts no more.
  const held = sql`(SELECT people FROM bookings AS held WHERE ${hasId(alias(bookings, 'held'), offerId)})`;
  const broken = brokenRule(
    sql`accounts`,
    { accountId: sql`${accountId}`, now, except: [offerId, insteadOf ?? ''], held },
    isDayOfOld,
  );
  // Since the offer, their provider may have moved an appointment of theirs into the same class.
  const rule = sql`iif(${hasSeat(sql`${accountId}`)}, 'seated', ${broken})`;
  const kind = sql`bookings.place_kind`;
  const given = { kind, phone: sql`coalesce(bookings.phone, ${phone})`, address: sql`${address}` };
  const askPhone = sql`(SELECT ask_phone FROM accounts WHERE accounts.id = bookings.provider_id)`;
  const link = sql`(SELECT link FROM services
    WHERE services.provider_id = bookings.provider_id AND services.id = bookings.service_id)`;
  const isHeldSlot = sql`${slots.providerId} = ${providerId} AND ${slots.startsAt} = ${startsAt} AND accounts.id = slots.provider_id`;
  const {
    after: [after],
    row: [row],
    barred: [barred],
  } = await runAfterHolds(db, now, {
    barred: orm
      .select({
        rule: sql<WhyNot | null>`${rule}`.as('broken_rule'),
        mayMove: sql<number>`${mayMove}`.as('may_move'),
        providerName: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('provider_name'),
        date: slots.localDate,
        perPerson: accounts.perPerson,
        countingName: countingName(sql`accounts`).as('counting_name'),
        perDay: accounts.perDay,
      })
      .from(slots)
      .innerJoin(accounts, isHeldSlot)
      .leftJoin(alias(bookings, 'old'), isOld),
    taken: orm
      .update(bookings)
      .set({
        status: bookingStatus.booked,
        heldUntil: null,
        bookedAt: now,
        ...(insteadOf
          ? {
              ...takenAlong(old, sql`${old('template_id')} IS bookings.template_id`, answers && { answers }, now),
              movedFrom: insteadOf,
              movedBy: 'consumer' as const,
            }
          : {
              personId: cardOf(sql`bookings.provider_id`, sql`bookings.booker_id`),
              answers: answers ?? [],
              answeredAt: answers && now,
              linkSeed: newId(),
              phone: sql`coalesce(bookings.phone, ${keptPhone({ kind, askPhone, phone: sql`${phone}` })})`,
              // The link comes with the booking: whoever is only offered the time doesn't have it.
              place: placeOf({ kind, address: sql`${address}`, link }),
            }),
      })
      .from(sql`(SELECT 1) LEFT JOIN bookings AS old ON ${isOld}`)
      .where(
        sql`${hasId(bookings, offerId)} AND ${isHeld('bookings')} AND bookings.held_until > ${now} AND bookings.starts_at > ${now}
          AND EXISTS (SELECT 1 FROM wishes WHERE ${hasWishId(wish.id)} AND ${hasOffer()} AND offer_id = ${offerId}
            AND instead_of IS ${insteadOf})
          AND EXISTS (SELECT 1 FROM slots INNER JOIN accounts ON ${isHeldSlot} WHERE ${rule} IS NULL)
          AND ${mayMove} AND ${insteadOf ? sql`true` : hasWhatItNeeds(given)} AND ${faults.length === 0 ? sql`true` : sql`false`}`,
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
  const lacked = lackedAt(where, { hasPhone: hasPhone || phone !== null, hasAddress: address !== null }, 'optional');
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
