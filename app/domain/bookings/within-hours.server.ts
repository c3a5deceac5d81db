import { type SQL, sql } from 'drizzle-orm';

/** A time on the clock of its provider's zone; `from` and `until` are minutes after midnight. */
type OnClock = { provider: SQL; date: SQL; from: SQL; until: SQL };

const minutesIn = (name: 'start' | 'end') =>
  sql.raw(`(substr(value ->> '${name}', 1, 2) * 60 + substr(value ->> '${name}', 4))`);

/**
 * SQL: the provider has hours, and the time is not wholly within them. The hours of a date are those that
 * planned-slots.ts finds: the last exception for it, else those of its weekday.
 */
export const isOutsideOfHours = ({ provider, date, from, until }: OnClock): SQL => sql`EXISTS (
  WITH ranges AS (
    SELECT ${minutesIn('start')} AS opens, iif(value ->> 'end' = '00:00', 1440, ${minutesIn('end')}) AS closes
    FROM hours, json_each(coalesce(
      (SELECT except_.value -> 'hours' FROM json_each(hours.plan, '$.except') AS except_
        WHERE ${date} BETWEEN except_.value ->> 'date' AND coalesce(except_.value ->> 'to', except_.value ->> 'date')
        ORDER BY except_.key DESC LIMIT 1),
      (SELECT json_group_array(json(weekly.value)) FROM json_each(hours.plan, '$.hours') AS weekly
        WHERE weekly.value ->> 'day' = CAST(strftime('%w', ${date}) AS INTEGER))))
    WHERE hours.provider_id = ${provider})
  SELECT 1 FROM (SELECT ${from} AS at UNION ALL SELECT closes FROM ranges WHERE closes > ${from} AND closes < ${until}) AS edge
  WHERE EXISTS (SELECT 1 FROM hours WHERE hours.provider_id = ${provider})
    AND NOT EXISTS (SELECT 1 FROM ranges WHERE opens <= edge.at AND edge.at < closes))`;
