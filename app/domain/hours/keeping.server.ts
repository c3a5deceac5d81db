import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import { insertFrom } from '../../../db/insert';
import { slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isIn } from '../appointments/appointments.server';
import { status } from '../appointments/status';
import { day, type Instant, type LocalDate } from '../time/clock';
import type { WantedSlot } from './wanted';

/*
 * How the book becomes what hours want. All of it is set against what stands in the book, inside the statements, so it can
 * be done again at any time, and whatever else happens at the same moment comes before or after.
 */

/** The publication of a slot that hours made, and of one that is booked but that they no longer want. */
export const madeByHours = { wanted: 'hours', once: 'hours once' };

/** What hours are known by between a read and a write: a change by the provider, or the job, makes it another. */
export const stampOf = (version: string, carriedTo: LocalDate) => `${version} ${carriedTo}`;
/** SQL: the same, of the hours now. */
export const stamp = sql`hours.version || ' ' || hours.carried_to`;

/** The slots that one provider's hours want, as the statements take them. */
export type Wanted = { provider: string; stamp: string; from: Instant; until: Instant; slots: WantedSlot[] };

/** What hours want, between the first and the last of it. */
export const wantedOf = (provider: string, stamp: string, wanted: WantedSlot[]): Wanted => ({
  provider,
  stamp,
  from: Math.min(...wanted.map(([startsAt]) => startsAt)),
  until: Math.max(...wanted.map(([, endsAt]) => endsAt)),
  slots: wanted,
});

const isMade = sql`publication IN (${sql.raw(`'${madeByHours.wanted}', '${madeByHours.once}'`)})`;

/** The times of wanted slots, to look for those of a slot among them. */
export const timesOf = (wanted: WantedSlot[]): string =>
  JSON.stringify(wanted.map(([startsAt, endsAt]) => `${startsAt}-${endsAt}`));

/** SQL: the slot has one of these times. Of a pair of values SQLite would look through the whole list for a NULL. */
const isAmong = (times: string) =>
  sql`${slots.startsAt} || '-' || ${slots.endsAt} IN (SELECT value FROM json_each(${times}))`;

/**
 * SQL: an open slot that hours made and no longer want: at another time, or with other questions.
 * @param isReplaced SQL: whether the questions are others than before
 */
const isUnwanted = (providerId: string, times: string, isReplaced: SQL, now: Instant) =>
  and(
    eq(slots.providerId, providerId),
    isIn(status.open),
    gt(slots.startsAt, now),
    isMade,
    sql`(NOT ${isAmong(times)} OR ${isReplaced})`,
  );

/** The statement that counts what `withdrawUnwanted` would withdraw. */
export const countUnwanted = (providerId: string, times: string, isReplaced: SQL, now: Instant) =>
  orm
    .select({ withdrawn: sql<number>`count(*)`.as('withdrawn') })
    .from(slots)
    .where(isUnwanted(providerId, times, isReplaced, now));

/** The statement that deletes the provider's slots that hours made and no longer want, where `condition` holds. */
export const withdrawUnwanted = (
  providerId: string,
  times: string,
  { isReplaced, condition, now }: { isReplaced: SQL; condition: SQL; now: Instant },
) => orm.delete(slots).where(and(isUnwanted(providerId, times, isReplaced, now), condition));

/** The statement that marks each booked slot by whether hours still want it, where `condition` holds. */
export const markBooked = (providerId: string, times: string, condition: SQL, now: Instant) => {
  const mark = sql`iif(${isAmong(times)}, ${madeByHours.wanted}, ${madeByHours.once})`;
  return orm
    .update(slots)
    .set({ publication: mark })
    .where(
      and(
        eq(slots.providerId, providerId),
        isIn(status.booked),
        gt(slots.startsAt, now),
        isMade,
        sql`publication <> ${mark}`,
        condition,
      ),
    );
};

/** The statement that counts the booked slots that hours made and don't want. */
export const countKept = (providerId: string, times: string, now: Instant) =>
  orm
    .select({ kept: sql<number>`count(*)`.as('kept') })
    .from(slots)
    .where(
      and(
        eq(slots.providerId, providerId),
        isIn(status.booked),
        gt(slots.startsAt, now),
        isMade,
        sql`NOT ${isAmong(times)}`,
      ),
    );

/**
 * SQL: a table of the wanted slots that are missing and free: they overlap no open or booked slot of their provider, and no
 * time that the provider withdrew or canceled. One pass in the order of time carries the furthest end of all that begins
 * before a wanted slot ends; that end is not after the slot's start.
 * @param wanted JSON, a list of Wanted
 * @param isLeaving SQL: an open slot that is about to be withdrawn, and so is in nobody's way
 */
const missing = (wanted: string, isLeaving: SQL = sql`false`) => {
  const own = (state: number, also = sql`true`) => sql`
    SELECT slots.provider_id, slots.starts_at, slots.ends_at FROM sent CROSS JOIN slots
    WHERE slots.provider_id = sent.provider_id AND status = ${sql.raw(String(state))}
      AND starts_at > earliest - ${sql.raw(String(day))} AND starts_at < latest AND ${also}`;
  return sql`(
    WITH sent AS MATERIALIZED (
      SELECT value ->> 'provider' AS provider_id, value ->> 'stamp' AS stamp, value ->> 'from' AS earliest,
        value ->> 'until' AS latest, value -> 'slots' AS times
      FROM json_each(${wanted})),
    taken AS (
      ${own(status.open, sql`NOT (${isLeaving})`)} UNION ALL ${own(status.booked)}
      UNION ALL ${own(status.canceled, sql`canceled_by = slots.provider_id`)}),
    passed AS (
      SELECT *, max(taken_until) OVER (PARTITION BY provider_id ORDER BY at, place DESC ROWS UNBOUNDED PRECEDING) AS reach
      FROM (
        SELECT provider_id, starts_at AS at, ends_at AS taken_until, -1 AS place, NULL AS stamp, NULL AS slot FROM taken
        UNION ALL
        SELECT provider_id, wanted.value ->> 1, NULL, wanted.key, stamp, wanted.value
        FROM sent, json_each(times) AS wanted))
    SELECT provider_id, stamp, place, slot ->> 0 AS starts_at, slot ->> 1 AS ends_at, slot ->> 2 AS local_date
    FROM passed WHERE place >= 0 AND coalesce(reach, 0) <= slot ->> 0) AS missing`;
};

/** The statement that counts what `publishMissing` would publish once the unwanted slots are withdrawn. */
export const countMissing = (wanted: Wanted, isReplaced: SQL, now: Instant) => {
  const isLeaving = sql`slots.starts_at > ${now} AND ${isMade} AND (NOT ${isAmong(timesOf(wanted.slots))} OR ${isReplaced})`;
  return orm
    .select({ created: sql<number>`count(*)`.as('created') })
    .from(missing(JSON.stringify(wanted.slots.length > 0 ? [wanted] : []), isLeaving));
};

/**
 * The statement that publishes wanted slots that are missing, of one provider or many, with the notes and questions of
 * their hours; only for hours that still have the stamp they were read with, and where `condition` holds.
 */
export const publishMissing = (wanted: Wanted[], condition: SQL) =>
  insertFrom(
    slots,
    {
      id: sql`lower(hex(randomblob(16)))`,
      providerId: sql`missing.provider_id`,
      city: sql`accounts.city`,
      startsAt: sql`missing.starts_at`,
      endsAt: sql`missing.ends_at`,
      localDate: sql`missing.local_date`,
      timeZone: sql`accounts.time_zone`,
      status: status.open,
      notes: sql`hours.notes`,
      templateId: sql`hours.template_id`,
      publication: madeByHours.wanted,
    },
    sql`FROM ${missing(JSON.stringify(wanted.filter((one) => one.slots.length > 0)))}
      CROSS JOIN hours ON hours.provider_id = missing.provider_id AND ${stamp} = missing.stamp
      CROSS JOIN accounts ON accounts.id = missing.provider_id
      WHERE ${condition} ORDER BY missing.provider_id, missing.place`,
  );
