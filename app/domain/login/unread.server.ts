import { type Placeholder, type SQLWrapper, sql } from 'drizzle-orm';
import { isUnread } from '../../../db/states';
import { mostUnread } from './unread';

/** SQL: counts up to `mostUnread`. */
export const unreadOf = (accountId: string | Placeholder | SQLWrapper) => sql<number>`(
  SELECT count(*) FROM (
    SELECT 1 FROM messages WHERE account_id = ${accountId} AND ${isUnread()} LIMIT ${sql.raw(String(mostUnread))}))`;
