import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { hasId } from '../../../db/ids';
import { accounts, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isOpen } from '../../../db/states';
import { openColumns } from '../bookings/columns.server';
import { isBookableOfAny } from '../bookings/rules.server';
import type { Instant } from '../time/clock';
import { firstRows, fullPage, type NameSearch, searched } from './providers.server';

/** `areApart`: there are other days between the chosen ones. */
export type FilterShape = { provider: boolean; city: boolean; dates: boolean; areApart: boolean; q: boolean };
export type FilterValues = NameSearch & {
  provider: string;
  city: string;
  dates: string; // the chosen dates, as a JSON list
  /** The stretches of time that these dates cover anywhere on earth, as a JSON list. */
  spans: string;
  now: Instant;
  skip: number;
};
export type FilterPlaceholders = { [Name in keyof FilterValues]: Placeholder };

export const isInSpan = ({ spans }: FilterPlaceholders) =>
  sql`starts_at BETWEEN ${spans} ->> '$[0][0]' AND ${spans} ->> '$[0][1]'`;

// SQLite reads each stretch and nothing between them.
export const spansOf = ({ spans }: FilterPlaceholders) => sql`json_each(${spans}) AS span`;

/** SQL: the slot is one of the first `atMost` on the chosen days of its stretch. */
export const isFirstOfSpan = ({ city }: Pick<FilterShape, 'city'>, filter: FilterPlaceholders, atMost: SQL) => sql`
  (${slots.providerId}, ${slots.startsAt}) IN (
    SELECT near.provider_id, near.starts_at FROM slots AS near
    WHERE ${isOpen('near')} AND near.starts_at > ${filter.now} AND ${isBookableOfAny('near', filter.now)}
      AND near.starts_at BETWEEN span.value ->> 0 AND span.value ->> 1
      ${city ? sql`AND near.city = ${filter.city}` : sql``} AND near.local_date IN (SELECT value FROM json_each(${filter.dates}))
    ORDER BY near.starts_at, near.id LIMIT ${atMost})`;

// First we look among the earliest slots of all providers. If their matches don't fill the page, a queue merges the
// slots of matching providers. Each provider puts in the earliest slot (of each chosen day), and the provider's next
// slot replaces the one that leaves.
export function searchSlots({ city, dates, areApart }: FilterShape, filter: FilterPlaceholders) {
  // A subquery has one column, so start and id become one text. These texts sort as the list does.
  const place = sql`printf('%015d', starts_at) || slots.id`;
  const next = (table: string, after: SQL) => sql`(
    SELECT ${place} FROM slots WHERE provider_id = ${sql.raw(table)}.provider_id AND ${isOpen()} AND ${after}
      AND ${isBookableOfAny('slots', filter.now)}
      ${dates ? sql`AND starts_at <= ${sql.raw(table)}.last_at AND local_date = ${sql.raw(table)}.local_date` : sql``}
    ORDER BY starts_at LIMIT 1)`;
  const ofDay = sql.raw(dates ? ', local_date, last_at' : '');
  const firstPlaces = sql`(
    SELECT provider_id FROM named
    ${city ? sql`WHERE (SELECT city FROM accounts WHERE id = provider_id) = ${filter.city}` : sql``})`;
  const days = sql`(
    SELECT open_days.* FROM ${firstPlaces} AS named JOIN open_days USING (provider_id)
    WHERE last_at > ${filter.now} AND local_date IN (SELECT value FROM json_each(${filter.dates})))`;
  const first = dates
    ? next('stream', sql`starts_at >= max(stream.first_at, ${filter.now} + 1)`)
    : next('stream', sql`starts_at > ${filter.now}`);
  const isInCity = city ? sql`AND city = ${filter.city}` : sql``;
  const isThen = dates
    ? sql`AND ${isInSpan(filter)} AND local_date IN (SELECT value FROM json_each(${filter.dates}))`
    : sql``;
  const all = areApart
    ? sql`${spansOf(filter)} CROSS JOIN slots WHERE ${isFirstOfSpan({ city }, filter, firstRows)}`
    : sql`slots WHERE ${isOpen()} AND starts_at > ${filter.now} ${isInCity} ${isThen}`;
  const can = isBookableOfAny('slots', filter.now);
  const list = sql`SELECT provider_id, ${place} AS place FROM ${all} AND ${can} ORDER BY starts_at, slots.id`;
  const chosen = sql`(
    WITH RECURSIVE ${searched(list, filter)}, queue(provider_id, place${ofDay}) AS (
      SELECT provider_id, ${first}${ofDay} FROM ${dates ? days : firstPlaces} AS stream
      UNION ALL
      SELECT provider_id, ${next('queue', sql`starts_at > CAST(substr(queue.place, 1, 15) AS INTEGER)`)}${ofDay}
      FROM queue WHERE place IS NOT NULL
      ORDER BY 2 NULLS LAST LIMIT ${fullPage} OFFSET ${filter.skip}
    )
    SELECT place FROM paged UNION ALL SELECT place FROM queue) AS chosen`;
  return orm
    .select(openColumns)
    .from(chosen)
    .crossJoin(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .where(and(hasId(slots, sql`substr(chosen.place, 16)`), isOpen(slots)));
}
