import { type SQL, sql } from 'drizzle-orm';

/**
 * SQL: whoever has the invitation hears of what becomes of the party or meetup: an account, or a name of a meetup at the address
 * that its host gave, if they have not declined.
 */
export const hearsOfEvent = (event: SQL): SQL => sql`party_id = ${event}.id AND accepted IS NOT 0
  AND (account_id IS NOT NULL OR ${event}.kind = 'meetup' AND email IS NOT NULL AND mail_ended_at IS NULL)`;
