import type { D1 } from '../../app/local/d1';
import type { Person } from './factories';

/* Writes slots and bookings into the database, because the product makes none that have begun. */

/** SQL: a new slot's id, of its provider and start. */
export const slotId = (provider: string, startsAt: string) =>
  `(${provider} || printf('%013d', ${startsAt}) || lower(hex(randomblob(6))))`;

/** SQL that books a slot of one seat for an account, with its answers owed: its id, the account's, and when. */
export const bookSlot = `INSERT INTO bookings (provider_id, starts_at, id, ends_at, taken_until, local_date, time_zone, city, notes,
    template_id, status, booker_id, booker_name, person_id, booked_at)
  SELECT provider_id, starts_at, id, ends_at, ends_at, local_date, time_zone, city, notes, template_id, 1, ?2,
    (SELECT display_name FROM accounts WHERE accounts.id = ?2), ?2, ?3
  FROM slots WHERE id = ?1`;

/** Writes past appointments of half an hour each, going back from yesterday. @returns the start of today, UTC */
export async function writePast(d1: D1, provider: Person, consumer: Person, many: number): Promise<number> {
  const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const starts = JSON.stringify(Array.from({ length: many }, (_, place) => today - (place + 1) * 1_800_000));
  await d1.batch([
    d1
      .prepare(`INSERT INTO slots (id, provider_id, city, starts_at, ends_at, local_date, time_zone, publication)
        SELECT ${slotId('host.id', 'value')}, host.id, city, value, value + 1800000, date(value / 1000, 'unixepoch'), 'UTC', 'past'
        FROM json_each(?1), accounts AS host WHERE username = ?2`)
      .bind(starts, provider.username),
    d1
      .prepare(`INSERT INTO bookings (provider_id, starts_at, id, ends_at, taken_until, local_date, time_zone, city, status, booker_id,
          booker_name, person_id, booked_at)
        SELECT provider_id, starts_at, slots.id, ends_at, ends_at, local_date, slots.time_zone, slots.city, 1, guest.id,
          guest.display_name, guest.id, 1
        FROM slots JOIN accounts AS host ON host.id = provider_id, accounts AS guest
        WHERE publication = 'past' AND host.username = ?1 AND guest.username = ?2`)
      .bind(provider.username, consumer.username),
  ]);
  return today;
}

/** Writes that all appointments of a provider were booked in this shop. @returns their ids, the latest first */
export async function writeShop(d1: D1, provider: Person, shop: string): Promise<string[]> {
  const { results } = await d1
    .prepare(`UPDATE bookings SET shop_id = (SELECT id FROM accounts WHERE username = ?1)
      WHERE provider_id = (SELECT id FROM accounts WHERE username = ?2) RETURNING id`)
    .bind(shop, provider.username)
    .all<{ id: string }>();
  return results.map(({ id }) => id).sort((one, other) => (one < other ? 1 : -1));
}

/** SQL that cancels a booking as its provider, one millisecond before it begins. */
export const cancelBeforeStart =
  "UPDATE bookings SET status = 2, withdraws = 1, canceled_at = starts_at - 1, canceled_by = 'provider' WHERE id = ?";
