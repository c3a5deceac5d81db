import { type SQL, sql } from 'drizzle-orm';
import { orm } from '../../../db/statement';
import { day, type Instant, type LocalDate } from '../time/clock';
import { clockOf } from '../waitlist/clocks';

/** Published time is at most so far ahead, in milliseconds. */
export const farthest = 4 * 366 * day;

/** Dates that a provider has published, by their own clock. */
export type PublishedSpan = { provider: string; zone: string; from: LocalDate; to: LocalDate };

/** SQL: rows of spans, each with the clock of its zone. */
export function spansOf(spans: PublishedSpan[]): SQL {
  const [from, to] = [
    spans.map(({ from }) => from).sort()[0] ?? '',
    spans
      .map(({ to }) => to)
      .sort()
      .at(-1) ?? '',
  ];
  const clocks = new Map<string, string>();
  const list = spans.map(({ provider, zone, from: first, to: last }) => {
    const clock = clocks.get(zone) ?? clockFor(zone, Date.parse(from), Date.parse(to));
    clocks.set(zone, clock);
    return [provider, first, last, clock];
  });
  return sql`SELECT value ->> 0 AS provider, value ->> 1 AS first, value ->> 2 AS last, value ->> 3 AS clock FROM json_each(${JSON.stringify(list)})`;
}

/** The clock of a zone on these days and those beside them. */
const clockFor = (zone: string, from: Instant, to: Instant) => JSON.stringify(clockOf(zone, from - day, to + 2 * day));

/** SQL: one span of dates that the database knows. */
export const spanOf = (provider: string, zone: string, dates: { from: SQL; to: SQL }, [from, to]: [Instant, Instant]) =>
  sql`SELECT ${provider} AS provider, ${dates.from} AS first, ${dates.to} AS last, ${clockFor(zone, from, to)} AS clock`;

const numberOf = (date: SQL) => sql`(unixepoch(${date}) / 86400)`;

/**
 * The statement that books the standing times of these spans, and tells their providers what can't be kept. It stands in the batch that
 * publishes, after the slots and before what is offered to those who wait. Doing it again changes nothing. A provider without standing
 * times costs one row.
 * @param spans SQL: rows of provider, first, last, clock
 * @param act of this write, which one message to each person tells of
 */
export const keepStanding = (
  spans: SQL,
  { now, act, condition = sql`true` }: { now: Instant; act: string; condition?: SQL },
) =>
  orm.run(sql`INSERT INTO standing_dates (provider_id, standing_id, local_date, starts_at, now, told_with)
    WITH RECURSIVE
      span AS (${spans}),
      standing AS (
        SELECT t.provider_id, t.id, t.minute, t.set_at, t.weeks * 7 AS step, span.clock,
          ${numberOf(sql`t.from_date`)} + (t.day - strftime('%w', t.from_date) + 7) % 7 AS began,
          ${numberOf(sql`span.first`)} AS first,
          ${numberOf(sql`min(span.last, ifnull(t.until_date, span.last))`)} AS last
        FROM span CROSS JOIN standing_times AS t ON t.provider_id = span.provider
        WHERE ${condition}),
      date_of AS (
        SELECT *, began + max(0, (first - began + step - 1) / step) * step AS number FROM standing
        UNION ALL SELECT provider_id, id, minute, set_at, step, clock, began, first, last, number + step
          FROM date_of WHERE number + step <= last)
    SELECT provider_id, id, date(number * 86400, 'unixepoch'), (
        SELECT min(at) FROM (
          SELECT number * 86400000 + minute * 60000 - (value ->> 1) * 60000 AS at, value ->> 0 AS since,
            lead(value ->> 0) OVER (ORDER BY key) AS until FROM json_each(clock))
        WHERE at >= since AND (until IS NULL OR at < until)), ${now}, ${act}
    FROM date_of WHERE number <= last
    ORDER BY number, set_at, id`);
