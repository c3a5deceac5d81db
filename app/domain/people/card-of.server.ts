import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** SQL: the id of a card, or of the card that it was merged into. */
export const aliasOf = (providerId: SQLWrapper, id: SQLWrapper): SQL => sql`coalesce(
  (SELECT person_id FROM person_aliases WHERE provider_id = ${providerId} AND alias = ${id}), ${id})`;

/** SQL: the card of a guest with this address, in upper or lower case; null if there is none. */
export const cardOfEmail = (providerId: SQLWrapper, email: SQLWrapper): SQL => sql`coalesce(
  (SELECT person_id FROM person_aliases WHERE provider_id = ${providerId} AND alias = lower(${email})),
  (SELECT id FROM people WHERE provider_id = ${providerId} AND email_folded = lower(${email}) ORDER BY id LIMIT 1))`;

/**
 * SQL: the account that the provider's own bookings for a card are made for; null if the provider has yet to make a
 * guest, or their account is deleted. A guest who typed an address has not proven it, so nothing is booked for them on a card that has one.
 */
export const bookerOf = (providerId: SQLWrapper, cardId: SQLWrapper): SQL => sql`(
  SELECT coalesce((SELECT id FROM accounts WHERE id = card.booker_id AND display_name <> ''), CASE WHEN card.email IS NULL THEN (
      SELECT own.id FROM accounts AS own WHERE own.id = card.id AND own.display_name <> '') END)
    FROM people AS card WHERE card.provider_id = ${providerId} AND card.id = ${cardId})`;

/**
 * SQL: the card of somebody who books: the one that theirs was merged into, their own, or a guest's with the same
 * address. If there is none, it is the card that the booking will make.
 */
export const cardOf = (providerId: SQLWrapper, accountId: SQLWrapper): SQL => sql`coalesce(
  (SELECT person_id FROM person_aliases WHERE provider_id = ${providerId} AND alias = ${accountId}),
  (SELECT id FROM people WHERE provider_id = ${providerId} AND id = ${accountId}),
  (SELECT ${cardOfEmail(providerId, sql`booker.email`)} FROM accounts AS booker
    WHERE booker.id = ${accountId} AND booker.username IS NULL AND booker.email IS NOT NULL),
  ${accountId})`;
