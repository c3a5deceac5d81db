import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { newId } from '../../../db/columns';
import { freshId, hasIdAmong } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots } from '../../../db/schema';
import { type Built, orm } from '../../../db/statement';
import { hasEnded, isBooked, isMadeByHours, isOpen, isWithdrawn, literal, madeBy, stands } from '../../../db/states';
import { ended } from '../bookings/book.server';
import { booker, phoneOfBooking } from '../bookings/columns.server';
import { endBrokenHolds } from '../bookings/holds.server';
import { actedBy } from '../bookings/link-owners.server';
import { wayToBooker } from '../messages/ways.server';
import { keyLength } from '../one-time-keys.server';
import { guestLinkSourceOf, languageOfClient } from '../people/client-columns.server';
import type { Actor } from '../profile/accounts';
import { tellHowMany } from '../series/message.server';
import type { Instant, LocalDate } from '../time/clock';
import { longest } from '../time/longest';
import { type PlannedSlot, slotKey } from './planned-slots';

// Publishes and deletes slots until they match the hours. The statements compare with the slots that exist, so they
// can be repeated, and run beside any other write.

const hasBooking = sql`${slots.taken} > 0`;

/** Changes whenever the hours change or another day of them is published, so that a write notices that since its read. */
export const stampOf = (saveKey: string, carriedTo: LocalDate) => `${saveKey} ${carriedTo}`;
/** SQL: that of the row. */
export const storedStamp = sql`hours.version || ' ' || hours.carried_to`;

export type PublishingPlan = { provider: string; stamp: string; from: Instant; until: Instant; slots: PlannedSlot[] };

export const planOf = (provider: string, stamp: string, slots: PlannedSlot[]): PublishingPlan => ({
  provider,
  stamp,
  from: Math.min(...slots.map(([startsAt]) => startsAt)),
  until: Math.max(...slots.map(([, endsAt]) => endsAt)),
  slots,
});

export const timesOf = (slots: PlannedSlot[]): string =>
  JSON.stringify(slots.map(([startsAt, endsAt, , serviceId]) => slotKey(startsAt, endsAt, serviceId)));

// SQL: the slot's `slotKey` is one of these. Three values would not do: with `IN`, SQLite would scan the whole list for a NULL.
const isAmong = (times: string) =>
  sql`${slots.startsAt} || '-' || ${slots.endsAt} || ifnull('-' || ${slots.serviceId}, '') IN (SELECT value FROM json_each(${times}))`;

/** SQL: hours made this open slot and no longer include it, and nobody has booked it. */
const isUnwanted = (providerId: string, times: string, now: Instant) =>
  and(
    eq(slots.providerId, providerId),
    isOpen(slots),
    gt(slots.startsAt, now),
    isMadeByHours(),
    sql`${slots.taken} = 0 AND NOT ${isAmong(times)}`,
  ) as SQL;

export const countUnwanted = (providerId: string, times: string, now: Instant) =>
  orm
    .select({ withdrawn: sql<number>`count(*)`.as('withdrawn') })
    .from(slots)
    .where(isUnwanted(providerId, times, now));

/** Deletes unwanted slots, if `condition` holds. */
const deleteUnwanted = (providerId: string, times: string, { condition, now }: { condition: SQL; now: Instant }) =>
  orm.delete(slots).where(and(isUnwanted(providerId, times, now), condition));

/** Notes for each booked slot, and for each that can be brought back still, whether the hours include it, if `condition` holds. */
const markMade = (providerId: string, times: string, condition: SQL, now: Instant) => {
  const maker = sql`iif(${isAmong(times)}, ${madeBy.hours}, ${madeBy.formerHours})`;
  return orm
    .update(slots)
    .set({ madeBy: maker })
    .where(
      and(
        eq(slots.providerId, providerId),
        sql`(${hasBooking} OR ${isWithdrawn(slots)} AND ${slots.withdrawnAt} > ${now - keyLength})`,
        gt(slots.startsAt, now),
        isMadeByHours(),
        sql`made_by <> ${maker}`,
        condition,
      ),
    );
};

// As many as one press may cancel.
const mostNamed = 100;

/** SQL: a coming booking outside of the hours. @param isLeft SQL: hours made this booked slot, and no longer include it */
const isOutside = (providerId: string, isLeft: SQL, now: Instant) =>
  and(
    eq(bookings.providerId, providerId),
    sql`${isBooked(bookings)} AND ${bookings.startsAt} IN (
      SELECT coalesce(part_of, ${slots.startsAt}) FROM ${slots}
      WHERE ${slots.providerId} = ${providerId} AND ${hasBooking} AND ${slots.startsAt} > ${now} AND ${isLeft})`,
  ) as SQL;

/** SQL: hours that are saved no longer include the slot, as `markMade` has noted. */
export const isMarkedAsLeft = sql`made_by = ${madeBy.formerHours}`;
/** SQL: hours that are not saved yet would no longer include it. */
export const isLeftBy = (times: string) => sql`${isMadeByHours()} AND NOT ${isAmong(times)}`;

/** Finds coming bookings outside of the hours: the first of them, how each is told of an end, and their number. */
export const findOutside = (providerId: string, isLeft: SQL, { hasMail, now }: { hasMail: boolean; now: Instant }) =>
  orm
    .select({
      id: bookings.id,
      name: sql<string>`${booker.displayName}`.mapWith(booker.displayName).as('booked_by'),
      startsAt: bookings.startsAt,
      endsAt: bookings.endsAt,
      date: bookings.localDate,
      timeZone: bookings.timeZone,
      phone: phoneOfBooking.as('number'),
      way: wayToBooker(hasMail ? 1 : 0).as('way'),
      lang: languageOfClient(booker).as('their_lang'),
      linkSource: guestLinkSourceOf(booker).as('their_link'),
      count: sql<number>`count(*) OVER ()`.as('count'),
    })
    .from(bookings)
    .crossJoin(booker)
    .where(and(eq(booker.id, bookings.bookerId), isOutside(providerId, isLeft, now)))
    .orderBy(asc(bookings.startsAt), asc(bookings.id))
    .limit(mostNamed);

/** The bookings outside of new hours that end with them, by their ids. */
export type CallOff = { ids: string[]; reason: string | null };

/**
 * Ends these, if `condition` holds. Where somebody of the shop acts, each person is told once. Their slots go with them, so that
 * hours publish the time again if they want it back.
 */
export function callOffOutside(actor: Actor, { ids, reason }: CallOff, condition: SQL, now: Instant) {
  const act = ids.length > 1 && actedBy(actor) !== null ? newId() : undefined;
  const json = sql`${JSON.stringify(ids)}`;
  const canceled = orm
    .update(bookings)
    .set(ended(actor, { reason, republish: true, toldWith: act }, now))
    .where(and(hasIdAmong(bookings, json), isOutside(actor.accountId, isMarkedAsLeft, now), condition));
  const among = sql`${ownedBy(actor, 'told')} AND ${hasIdAmong(alias(bookings, 'told'), json)}`;
  return [canceled, ...(act ? [tellHowMany('canceled', among, act)] : [])];
}

/** Counts which of these the actor has canceled. */
export const countCalledOff = (actor: Actor, { ids }: CallOff) =>
  orm
    .select({ count: sql<number>`count(*)`.as('called_off') })
    .from(bookings)
    .where(
      and(
        hasIdAmong(bookings, sql`${JSON.stringify(ids)}`),
        ownedBy(actor, bookings),
        hasEnded(bookings),
        eq(bookings.canceledBy, 'provider'),
      ),
    );

/**
 * SQL: a table of planned slots that don't exist yet and whose time is free. They overlap no open or booked slot, no time that
 * is kept free after a service, and none that the provider withdrew or canceled. It goes through what is taken by time and carries
 * along the latest end so far; a slot is free if it starts at that end or later.
 * @param plans JSON, a list of PublishingPlan
 * @param isLeaving SQL: a slot that this write deletes, so that its time counts as free
 */
const missing = (plans: string, isLeaving: SQL = sql`false`) => {
  return sql`(
    WITH sent AS MATERIALIZED (
      SELECT value ->> 'provider' AS provider_id, value ->> 'stamp' AS stamp, value ->> 'from' AS earliest,
        value ->> 'until' AS latest, value -> 'slots' AS times
      FROM json_each(${plans})),
    taken AS (
      SELECT slots.provider_id, slots.starts_at, slots.ends_at FROM sent CROSS JOIN slots
      WHERE slots.provider_id = sent.provider_id AND starts_at > earliest - ${literal(longest.slot)} AND starts_at < latest
        AND NOT (${isLeaving})
      UNION ALL
      SELECT bookings.provider_id, bookings.starts_at, bookings.taken_until FROM sent CROSS JOIN bookings
      WHERE bookings.provider_id = sent.provider_id AND ${stands()} AND starts_at < latest
        AND starts_at > earliest - ${literal(longest.appointmentWithGap)}),
    passed AS (
      SELECT *, max(taken_until) OVER (PARTITION BY provider_id ORDER BY at, place DESC ROWS UNBOUNDED PRECEDING) AS reach
      FROM (
        SELECT provider_id, starts_at AS at, ends_at AS taken_until, -1 AS place, NULL AS stamp, NULL AS slot FROM taken
        UNION ALL
        SELECT provider_id, wanted.value ->> 1, NULL, wanted.key, stamp, wanted.value
        FROM sent, json_each(times) AS wanted))
    SELECT provider_id, stamp, place, slot ->> 0 AS starts_at, slot ->> 1 AS ends_at, slot ->> 2 AS local_date, slot ->> 3 AS service_id
    FROM passed WHERE place >= 0 AND coalesce(reach, 0) <= slot ->> 0) AS missing`;
};

/** Counts what `publishMissing` would publish after the unwanted slots are deleted. */
export const countMissing = (plan: PublishingPlan, now: Instant) => {
  const isLeaving = isUnwanted(plan.provider, timesOf(plan.slots), now);
  return orm
    .select({ created: sql<number>`count(*)`.as('created') })
    .from(missing(JSON.stringify(plan.slots.length > 0 ? [plan] : []), isLeaving));
};

/**
 * Publishes missing slots of one or more providers, if `condition` holds and nobody has changed the hours since they
 * were read.
 */
export const publishMissing = (plans: PublishingPlan[], condition: SQL) =>
  insertFrom(
    slots,
    {
      id: freshId(sql`missing.provider_id`, sql`missing.starts_at`),
      providerId: sql`missing.provider_id`,
      city: sql`accounts.city`,
      startsAt: sql`missing.starts_at`,
      endsAt: sql`missing.ends_at`,
      localDate: sql`missing.local_date`,
      timeZone: sql`accounts.time_zone`,
      notes: sql`hours.notes`,
      templateId: sql`ifnull(services.template_id, hours.template_id)`,
      serviceId: sql`missing.service_id`,
      seats: sql`ifnull(services.seats, 1)`,
      madeBy: madeBy.hours,
    },
    sql`FROM ${missing(JSON.stringify(plans.filter((plan) => plan.slots.length > 0)))}
      CROSS JOIN hours ON hours.provider_id = missing.provider_id AND ${storedStamp} = missing.stamp
      CROSS JOIN accounts ON accounts.id = missing.provider_id
      LEFT JOIN services ON services.provider_id = missing.provider_id AND services.id = missing.service_id
      WHERE ${condition} ORDER BY missing.provider_id, missing.place`,
  );

/**
 * Makes the slots match the hours, if `condition` holds: marks the booked ones, ends the bookings of `calledOff`, deletes the unwanted,
 * drops holds that can't be, and publishes the missing last, so that whoever loses a hold is not the first to be offered them.
 * @param times those of the plan, by timesOf
 * @param calledOff ends bookings that the marks show to be outside, before their time is looked at
 * @param stamped gives the hours their stamp back, if time that came free has the job look at them again
 */
export const matchSlots = (
  plan: PublishingPlan,
  {
    times,
    condition,
    calledOff,
    stamped,
    now,
  }: { times: string; condition: SQL; calledOff?: readonly Built[] | null; stamped?: Built; now: Instant },
) => ({
  marked: markMade(plan.provider, times, condition, now),
  calledOff: calledOff ?? undefined,
  deleted: deleteUnwanted(plan.provider, times, { condition, now }),
  droppedHolds: endBrokenHolds(sql`(${plan.provider})`, now),
  stamped,
  created: publishMissing([plan], condition),
});
