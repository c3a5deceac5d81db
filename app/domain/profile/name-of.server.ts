import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { accounts } from '../../../db/schema';

/** SQL: the name that an account shows. */
export const nameOf = (id: SQLWrapper): SQL<string> =>
  sql<string>`(SELECT display_name FROM accounts AS named WHERE named.id = ${id})`.mapWith(accounts.displayName);
