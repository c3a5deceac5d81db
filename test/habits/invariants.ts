import type { D1 } from '../../app/local/d1';
import { dump } from '../../app/local/database';

/* What must be true of the book at any moment, whatever has been done to it. */

/** SQL that counts the rows which break a rule. */
const rules: Record<string, string> = {
  'slots of one provider overlap': `SELECT count(*) AS many FROM (
      SELECT starts_at, lag(ends_at) OVER (PARTITION BY provider_id ORDER BY starts_at) AS before
      FROM slots WHERE status < 2) WHERE before > starts_at`,
  'a booked slot has not one live booking, or another has one': `SELECT count(*) AS many FROM slots
    WHERE (SELECT count(*) FROM bookings WHERE slot_id = slots.id AND is_canceled = 0) <> (status = 1)`,
  'a slot has two bookings': `SELECT count(*) AS many FROM (SELECT 1 FROM bookings GROUP BY slot_id HAVING count(*) > 1)`,
  'a booking starts at another time than its slot': `SELECT count(*) AS many FROM bookings JOIN slots ON slots.id = slot_id
    WHERE bookings.starts_at <> slots.starts_at`,
  'what was moved away is not at one other place': `SELECT count(*) AS many FROM slots
    WHERE (moved_to IS NOT NULL) <> (SELECT count(*) FROM bookings WHERE moved_from = slots.id)
      OR moved_to IS NOT NULL AND status <> 2`,
  'a party counts others than come': `SELECT count(*) AS many FROM parties WHERE going <> (
      SELECT coalesce(sum(1 + plus_ones), 0) FROM invitations WHERE party_id = parties.id AND accepted = 1)`,
  'a party counts others than are invited': `SELECT count(*) AS many FROM parties
    WHERE deleted_at IS NULL AND invited <> (SELECT count(*) FROM invitations WHERE party_id = parties.id)`,
  'a party has more people than room': 'SELECT count(*) AS many FROM parties WHERE going > capacity',
  'a city counts others than its providers': `SELECT count(*) AS many FROM cities
    WHERE providers <> (SELECT count(*) FROM accounts WHERE city = folded)`,
  'a day with open slots is not found, or one without is': `SELECT count(*) AS many FROM (
      SELECT provider_id, local_date FROM slots WHERE status = 0
      EXCEPT SELECT provider_id, local_date FROM open_days
      UNION ALL SELECT * FROM (SELECT provider_id, local_date FROM open_days
      EXCEPT SELECT provider_id, local_date FROM slots WHERE status = 0))`,
  'the last open slot of a day is another': `SELECT count(*) AS many FROM open_days WHERE last_at <> (
      SELECT max(starts_at) FROM slots
      WHERE slots.provider_id = open_days.provider_id AND slots.local_date = open_days.local_date AND status = 0)`,
  'an open slot is outside its city’s day': `SELECT count(*) AS many FROM slots WHERE status = 0 AND NOT EXISTS (
      SELECT 1 FROM city_days WHERE city_days.city = slots.city AND city_days.local_date = slots.local_date
        AND slots.starts_at BETWEEN first_at AND last_at)`,
  'somebody’s attendance is counted wrong': `SELECT count(*) AS many FROM people WHERE (seen, excused, missed) <> (
      SELECT count(*) FILTER (WHERE attendance = 'seen'), count(*) FILTER (WHERE attendance = 'excused'),
        count(*) FILTER (WHERE attendance = 'missed')
      FROM bookings JOIN slots ON slots.id = slot_id
      WHERE slots.provider_id = people.provider_id AND booker_id = person_id)`,
  'somebody who booked is not among the provider’s people': `SELECT count(*) AS many FROM bookings JOIN slots ON slots.id = slot_id
    JOIN accounts AS host ON host.id = slots.provider_id AND host.username IS NOT NULL
    WHERE NOT EXISTS (SELECT 1 FROM people WHERE people.provider_id = slots.provider_id AND person_id = booker_id)`,
  'a provider is not found by name': `SELECT count(*) AS many FROM accounts WHERE role = 'Provider' AND username IS NOT NULL AND (
      NOT EXISTS (SELECT 1 FROM provider_names WHERE provider_id = id AND ending = display_folded)
      OR NOT EXISTS (SELECT 1 FROM provider_names WHERE provider_id = id AND ending = username_folded))`,
  'a row refers to nothing': 'SELECT count(*) AS many FROM pragma_foreign_key_check',
};

/** In one statement: each is a round trip of the test's process. */
const everyRule = `SELECT ${Object.values(rules).map((rule, place) => `(${rule}) AS rule_${place}`)}`;

const unseen = /\p{Cc}/u;

/** Made of what people have said, to sort by: nobody reads it. */
const isSortKey = (column: string) => column.endsWith('_sort_key');

/** The texts in a column, which may be JSON. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string' && /^[[{]/.test(value)) {
    try {
      return textsIn(JSON.parse(value));
    } catch {
      // Somebody’s own words.
      return [value];
    }
  }
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The rules that the book breaks, each with how often; `texts`: also texts with signs that can't be shown, which takes longer. */
export async function brokenRules(d1: D1, { texts: isRead = true } = {}): Promise<string[]> {
  const counts = await d1.prepare(everyRule).first<Record<string, number>>();
  const broken = Object.keys(rules).flatMap((name, place) => {
    const many = counts?.[`rule_${place}`];
    return many === 0 ? [] : [`${name}: ${many}`];
  });
  if (!isRead) return broken;
  const tables = Object.entries(await dump(d1)).filter(([table]) => table !== 'one_time_keys');
  for (const [table, rows] of tables) {
    const texts = rows.flatMap((row) =>
      Object.entries(row as object).flatMap(([column, value]) => (isSortKey(column) ? [] : textsIn(value))),
    );
    const wrong = texts.find((text) => unseen.test(text.replaceAll(/[\n\t]/g, '')));
    if (wrong !== undefined) broken.push(`${table} holds ${JSON.stringify(wrong.slice(0, 80))}`);
  }
  return broken;
}
