import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { orm } from '../../../db/client';
import { accounts, slots } from '../../../db/schema';
import { early, fullPage, searched } from '../accounts/providers.server';
import type { Instant } from '../time/clock';
import { isIn, openColumns } from './appointments.server';
import { status } from './status';

/** Which of the filters are set; `areApart` where chosen days are so far from each other that there are days between them. */
export type FilterShape = { provider: boolean; city: boolean; dates: boolean; areApart: boolean; q: boolean };
/** What they are set to. */
export type FilterValues = {
  provider: string;
  city: string;
  /** A JSON list. */
  dates: string;
  /** A JSON list of the stretches of time in which those dates lie, wherever on earth: each from an instant to another. */
  spans: string;
  q: string;
  now: Instant;
  skip: number;
};
/** The same in a statement that is built once. */
export type FilterPlaceholders = { [Name in keyof FilterValues]: Placeholder };

/** The condition that a slot starts in the one stretch of chosen days that are not apart. */
export const isInSpan = ({ spans }: FilterPlaceholders) =>
  sql`starts_at BETWEEN ${spans} ->> '$[0][0]' AND ${spans} ->> '$[0][1]'`;

/** The stretches of days that are apart, to be read one by one: what lies between them is not read. */
export const spansOf = ({ spans }: FilterPlaceholders) => sql`json_each(${spans}) AS span`;

/** The condition that a slot is one of the first so many on the chosen days of its span. */
export const isFirstOfSpan = ({ city }: Pick<FilterShape, 'city'>, given: FilterPlaceholders, atMost: SQL) => sql`
  ${slots.id} IN (
    SELECT near.id FROM slots AS near
    WHERE near.status = 0 AND near.starts_at > ${given.now} AND near.starts_at BETWEEN span.value ->> 0 AND span.value ->> 1
      ${city ? sql`AND near.city = ${given.city}` : sql``} AND near.local_date IN (SELECT value FROM json_each(${given.dates}))
    ORDER BY near.starts_at, near.id LIMIT ${atMost})`;

/**
 * Open slots of whoever is searched for by name. Where the first slots of all do not fill a page with it, the earliest slot of
 * each such provider (and of each chosen day) waits in a queue; whichever leaves it is followed by the next one of the
 * same provider, until the page is full.
 */
export function searchSlots({ city, dates, areApart }: FilterShape, given: FilterPlaceholders) {
  // Start and id in one, because a subquery has one column: texts of this kind have the order of the list.
  const place = sql`printf('%015d', starts_at) || slots.id`;
  const next = (of: string, after: SQL) => sql`(
    SELECT ${place} FROM slots WHERE provider_id = ${sql.raw(of)}.provider_id AND status = 0 AND ${after}
      ${dates ? sql`AND starts_at <= ${sql.raw(of)}.last_at AND local_date = ${sql.raw(of)}.local_date` : sql``}
    ORDER BY starts_at LIMIT 1)`;
  const ofDay = sql.raw(dates ? ', local_date, last_at' : '');
  const there = sql`(
    SELECT provider_id FROM named
    ${city ? sql`WHERE (SELECT city FROM accounts WHERE id = provider_id) = ${given.city}` : sql``})`;
  const days = sql`(
    SELECT open_days.* FROM ${there} AS named JOIN open_days USING (provider_id)
    WHERE last_at > ${given.now} AND local_date IN (SELECT value FROM json_each(${given.dates})))`;
  const first = dates
    ? next('stream', sql`starts_at >= max(stream.first_at, ${given.now} + 1)`)
    : next('stream', sql`starts_at > ${given.now}`);
  const isThere = city ? sql`AND city = ${given.city}` : sql``;
  const isThen = dates
    ? sql`AND ${isInSpan(given)} AND local_date IN (SELECT value FROM json_each(${given.dates}))`
    : sql``;
  const all = areApart
    ? sql`${spansOf(given)} CROSS JOIN slots WHERE ${isFirstOfSpan({ city }, given, early)}`
    : sql`slots WHERE status = 0 AND starts_at > ${given.now} ${isThere} ${isThen}`;
  const list = sql`SELECT provider_id, ${place} AS place FROM ${all} ORDER BY starts_at, slots.id`;
  const chosen = sql`(
    WITH RECURSIVE ${searched(list, given)}, queue(provider_id, place${ofDay}) AS (
      SELECT provider_id, ${first}${ofDay} FROM ${dates ? days : there} AS stream
      UNION ALL
      SELECT provider_id, ${next('queue', sql`starts_at > CAST(substr(queue.place, 1, 15) AS INTEGER)`)}${ofDay}
      FROM queue WHERE place IS NOT NULL
      ORDER BY 2 NULLS LAST LIMIT ${fullPage} OFFSET ${given.skip}
    )
    SELECT place FROM paged UNION ALL SELECT place FROM queue) AS chosen`;
  return orm
    .select(openColumns)
    .from(chosen)
    .crossJoin(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .where(and(sql`${slots.id} = substr(chosen.place, 16)`, isIn(status.open)));
}
