import { type Placeholder, sql } from 'drizzle-orm';
import { mostUnread } from './messages';

/** How many messages an account has not read, at most `mostUnread`: a value in another statement. */
export const unreadOf = (accountId: string | Placeholder) => sql<number>`(
  SELECT count(*) FROM (
    SELECT 1 FROM messages WHERE account_id = ${accountId} AND is_read = 0 LIMIT ${sql.raw(String(mostUnread))}))`;
