import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { freshId } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { accounts, bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isOpen } from '../bookings/conditions.server';
import { day, type Instant, type LocalDate } from '../time/clock';
import type { PlannedSlot } from './planned-slots';

/*
 * Publishes and withdraws until the book is what hours want. The statements compare with the book themselves, so they
 * can be repeated at any time, and anything else at the same moment comes before or after.
 */

/** Who made a slot: its provider by hand, hours, or hours that no longer want it, which is booked. */
export const madeBy = { hand: 0, hours: 1, formerHours: 2 } as const;

/** SQL: somebody has booked the slot, or a seat of it. */
const isTaken = sql`${slots.taken} > 0`;

/** Changes with each change of hours, by the provider or the job, between a read and a write. */
export const stampOf = (version: string, carriedTo: LocalDate) => `${version} ${carriedTo}`;
/** SQL: the stamp of the stored hours. */
export const stamp = sql`hours.version || ' ' || hours.carried_to`;

/** The slots that one provider's hours want, as the statements take them. */
export type Wanted = { provider: string; stamp: string; from: Instant; until: Instant; slots: PlannedSlot[] };

/** Wanted slots, with the first start and the last end. */
export const wantedOf = (provider: string, stamp: string, wanted: PlannedSlot[]): Wanted => ({
  provider,
  stamp,
  from: Math.min(...wanted.map(([startsAt]) => startsAt)),
  until: Math.max(...wanted.map(([, endsAt]) => endsAt)),
  slots: wanted,
});

const isMade = sql`made_by > 0`;

/** The times and services of wanted slots, for `isAmong`. */
export const timesOf = (wanted: PlannedSlot[]): string =>
  JSON.stringify(
    wanted.map(([startsAt, endsAt, , serviceId]) => `${startsAt}-${endsAt}${serviceId ? `-${serviceId}` : ''}`),
  );

/** SQL: the slot has one of these times, for the same service. Of a pair of values SQLite would look through the whole list for a NULL. */
const isAmong = (times: string) =>
  sql`${slots.startsAt} || '-' || ${slots.endsAt} || ifnull('-' || ${slots.serviceId}, '') IN (SELECT value FROM json_each(${times}))`;

/** SQL: an open slot that hours made at a time that they no longer want, and nobody has a seat of. */
const isUnwanted = (providerId: string, times: string, now: Instant) =>
  and(
    eq(slots.providerId, providerId),
    isOpen,
    gt(slots.startsAt, now),
    isMade,
    sql`${slots.taken} = 0 AND NOT ${isAmong(times)}`,
  );

/** The statement that counts what `withdrawUnwanted` would withdraw. */
export const countUnwanted = (providerId: string, times: string, now: Instant) =>
  orm
    .select({ withdrawn: sql<number>`count(*)`.as('withdrawn') })
    .from(slots)
    .where(isUnwanted(providerId, times, now));

/** The statement that deletes the provider's slots that hours made and no longer want, where `condition` holds. */
export const withdrawUnwanted = (
  providerId: string,
  times: string,
  { condition, now }: { condition: SQL; now: Instant },
) => orm.delete(slots).where(and(isUnwanted(providerId, times, now), condition));

/** The statement that marks each booked slot by whether hours still want it, where `condition` holds. */
export const markBooked = (providerId: string, times: string, condition: SQL, now: Instant) => {
  const maker = sql`iif(${isAmong(times)}, ${madeBy.hours}, ${madeBy.formerHours})`;
  return orm
    .update(slots)
    .set({ madeBy: maker })
    .where(
      and(
        eq(slots.providerId, providerId),
        isTaken,
        gt(slots.startsAt, now),
        isMade,
        sql`made_by <> ${maker}`,
        condition,
      ),
    );
};

const mostNamed = 20;

/** The statement that finds the coming bookings of times that hours made and don't want: the first of them, and how many there are. */
export const findOutside = (providerId: string, times: string, now: Instant) =>
  orm
    .select({
      id: bookings.id,
      name: accounts.displayName,
      startsAt: bookings.startsAt,
      endsAt: bookings.endsAt,
      date: bookings.localDate,
      timeZone: bookings.timeZone,
      count: sql<number>`count(*) OVER ()`.as('count'),
    })
    .from(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.bookerId))
    .where(
      and(
        eq(bookings.providerId, providerId),
        sql`${bookings.status} = 1 AND ${bookings.startsAt} IN (
          SELECT coalesce(part_of, ${slots.startsAt}) FROM ${slots}
          WHERE ${slots.providerId} = ${providerId} AND ${isTaken} AND ${slots.startsAt} > ${now} AND ${isMade} AND NOT ${isAmong(times)})`,
      ),
    )
    .orderBy(asc(bookings.startsAt), asc(bookings.id))
    .limit(mostNamed);

/**
 * SQL: a table of the wanted slots that are missing and free: they overlap no open or booked slot of their provider, and no
 * time that the provider withdrew or canceled. One pass in the order of time carries the furthest end of all that begins
 * before a wanted slot ends; that end is not after the slot's start.
 * @param wanted JSON, a list of Wanted
 * @param isLeaving SQL: an open slot that is about to be withdrawn, and so is in nobody's way
 */
const missing = (wanted: string, isLeaving: SQL = sql`false`) => {
  return sql`(
    WITH sent AS MATERIALIZED (
      SELECT value ->> 'provider' AS provider_id, value ->> 'stamp' AS stamp, value ->> 'from' AS earliest,
        value ->> 'until' AS latest, value -> 'slots' AS times
      FROM json_each(${wanted})),
    taken AS (
      SELECT slots.provider_id, slots.starts_at, slots.ends_at FROM sent CROSS JOIN slots
      WHERE slots.provider_id = sent.provider_id AND starts_at > earliest - ${sql.raw(String(day))} AND starts_at < latest
        AND NOT (state = 0 AND slots.taken = 0 AND (${isLeaving}))),
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

/** The statement that counts what `publishMissing` would publish once the unwanted times are removed. */
export const countMissing = (wanted: Wanted, now: Instant) => {
  const isLeaving = sql`slots.starts_at > ${now} AND ${isMade} AND slots.taken = 0 AND NOT ${isAmong(timesOf(wanted.slots))}`;
  return orm
    .select({ created: sql<number>`count(*)`.as('created') })
    .from(missing(JSON.stringify(wanted.slots.length > 0 ? [wanted] : []), isLeaving));
};

/**
 * The statement that publishes wanted slots that are missing, of one provider or many, with the notes and questions of
 * their hours, and the seats and questions of their service; only for hours that still have the stamp they were read with, and where `condition` holds.
 */
export const publishMissing = (wanted: Wanted[], condition: SQL) =>
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
    sql`FROM ${missing(JSON.stringify(wanted.filter((one) => one.slots.length > 0)))}
      CROSS JOIN hours ON hours.provider_id = missing.provider_id AND ${stamp} = missing.stamp
      CROSS JOIN accounts ON accounts.id = missing.provider_id
      LEFT JOIN services ON services.provider_id = missing.provider_id AND services.id = missing.service_id
      WHERE ${condition} ORDER BY missing.provider_id, missing.place`,
  );
