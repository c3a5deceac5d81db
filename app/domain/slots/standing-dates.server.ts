import { type SQL, sql } from 'drizzle-orm';
import { orm } from '../../../db/statement';
import { literal } from '../../../db/states';
import { day, type Instant, type LocalDate } from '../time/clock';
import { clockOf } from '../time/zone-offsets';

// Time can be published at most this far ahead.
export const farthest = 4 * 366 * day;

/** Dates that a provider has published, by their own clock. */
export type PublishedSpan = { provider: string; zone: string; from: LocalDate; to: LocalDate };

/** SQL: a row for each span, with the clock of its zone. */
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
    return [provider, first, last, clock] as const;
  });
  const [only] = list;
  // A single span needs no list, because each entry of a list costs a row read.
  if (only && list.length === 1)
    return sql`SELECT ${only[0]} AS provider, ${only[1]} AS first, ${only[2]} AS last, ${only[3]} AS clock`;
  return sql`SELECT value ->> 0 AS provider, value ->> 1 AS first, value ->> 2 AS last, value ->> 3 AS clock FROM json_each(${JSON.stringify(list)})`;
}

const clockFor = (zone: string, from: Instant, to: Instant) => JSON.stringify(clockOf(zone, from - day, to + 2 * day));

/** SQL: one span, whose dates come from the database. */
export const spanOf = (provider: string, zone: string, dates: { from: SQL; to: SQL }, [from, to]: [Instant, Instant]) =>
  sql`SELECT ${provider} AS provider, ${dates.from} AS first, ${dates.to} AS last, ${clockFor(zone, from, to)} AS clock`;

const numberOf = (date: SQL) => sql`(unixepoch(${date}) / 86400)`;

/**
 * Books the standing times for these spans, and tells providers which ones can't be booked. It belongs in the batch
 * that publishes, after the slots and before offers to the waitlist. A repeat changes nothing. For a provider without
 * standing times it costs a row.
 * @param spans SQL: rows of provider, first, last, clock
 * @param act id of this write, so that each person gets one message
 * @param member whoever of the shop sets the standing times for the provider
 */
export const bookStanding = (
  spans: SQL,
  {
    now,
    act,
    condition = sql`true`,
    member = null,
  }: { now: Instant; act: string; condition?: SQL; member?: string | null },
) =>
  // The dates are one JSON text, so that SQLite reads and sorts nothing for a provider without standing times.
  orm.run(sql`INSERT INTO standing_dates (provider_id, standing_id, local_date, starts_at, now, told_with, acted_by)
    SELECT span.provider, due.value ->> 'id', due.value ->> 'date', due.value ->> 'start', ${now}, ${act}, ${member}
    FROM (${spans}) AS span CROSS JOIN json_each(iif(EXISTS (
      SELECT 1 FROM standing_times WHERE standing_times.provider_id = span.provider), (
        WITH RECURSIVE
          standing AS (
            SELECT t.id, t.minute, t.set_at, t.weeks * 7 AS step,
              ${numberOf(sql`t.from_date`)} + (t.day - strftime('%w', t.from_date) + 7) % 7 AS began,
              ${numberOf(sql`span.first`)} AS first,
              ${numberOf(sql`min(span.last, ifnull(t.until_date, span.last))`)} AS last
            FROM standing_times AS t WHERE t.provider_id = span.provider AND ${condition}),
          date_of AS (
            SELECT id, minute, set_at, step, last, began + max(0, (first - began + step - 1) / step) * step AS number FROM standing
            UNION ALL SELECT id, minute, set_at, step, last, number + step FROM date_of WHERE number + step <= last)
        SELECT json_group_array(json_object('id', id, 'date', date(number * 86400, 'unixepoch'), 'start', (
            SELECT min(at) FROM (
              SELECT number * ${literal(day)} + minute * 60000 - (value ->> 1) * 60000 AS at, value ->> 0 AS since,
                lead(value ->> 0) OVER (ORDER BY key) AS until FROM json_each(span.clock))
            WHERE at >= since AND (until IS NULL OR at < until))))
        FROM (SELECT * FROM date_of WHERE number <= last ORDER BY number, set_at, id)), '[]')) AS due`);
