import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/* Which card of a provider a booking belongs to. */

/** SQL: the card that this id stands for: its own, or the one that it was merged into. */
export const aliasOf = (providerId: SQLWrapper, id: SQLWrapper): SQL => sql`coalesce(
  (SELECT person_id FROM person_aliases WHERE provider_id = ${providerId} AND alias = ${id}), ${id})`;

/** SQL: the card on which guests with this address are, in whatever letter case; null if there is none. */
export const cardOfEmail = (providerId: SQLWrapper, email: SQLWrapper): SQL => sql`coalesce(
  (SELECT person_id FROM person_aliases WHERE provider_id = ${providerId} AND alias = lower(${email})),
  (SELECT id FROM people WHERE provider_id = ${providerId} AND email_folded = lower(${email}) ORDER BY id LIMIT 1))`;

/**
 * SQL: the card of whoever books with this provider: the one that they were merged into, their own, a guest's the one with their
 * address; else one that their booking is to make.
 */
export const cardOf = (providerId: SQLWrapper, accountId: SQLWrapper): SQL => sql`coalesce(
  (SELECT person_id FROM person_aliases WHERE provider_id = ${providerId} AND alias = ${accountId}),
  (SELECT id FROM people WHERE provider_id = ${providerId} AND id = ${accountId}),
  (SELECT ${cardOfEmail(providerId, sql`booker.email`)} FROM accounts AS booker
    WHERE booker.id = ${accountId} AND booker.username IS NULL AND booker.email IS NOT NULL),
  ${accountId})`;
