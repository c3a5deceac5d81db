import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** SQL: the id of a card, or of the one it was merged into. */
export const aliasOf = (providerId: SQLWrapper, id: SQLWrapper): SQL => sql`coalesce(
  (SELECT person_id FROM person_aliases WHERE provider_id = ${providerId} AND alias = ${id}), ${id})`;

/** SQL: the card of guests with this address, in any letter case; null if there is none. */
export const cardOfEmail = (providerId: SQLWrapper, email: SQLWrapper): SQL => sql`coalesce(
  (SELECT person_id FROM person_aliases WHERE provider_id = ${providerId} AND alias = lower(${email})),
  (SELECT id FROM people WHERE provider_id = ${providerId} AND email_folded = lower(${email}) ORDER BY id LIMIT 1))`;

/**
 * SQL: a booker's card: the one they were merged into, their own, or a guest's by address; else the one that the
 * booking is to make.
 */
export const cardOf = (providerId: SQLWrapper, accountId: SQLWrapper): SQL => sql`coalesce(
  (SELECT person_id FROM person_aliases WHERE provider_id = ${providerId} AND alias = ${accountId}),
  (SELECT id FROM people WHERE provider_id = ${providerId} AND id = ${accountId}),
  (SELECT ${cardOfEmail(providerId, sql`booker.email`)} FROM accounts AS booker
    WHERE booker.id = ${accountId} AND booker.username IS NULL AND booker.email IS NOT NULL),
  ${accountId})`;
