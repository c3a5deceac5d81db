import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { columnOf, type Of } from './column-of';

type Owner = { accountId: string } | string | SQLWrapper;

/**
 * SQL: the row is among the provider's own things.
 * @param owner whoever asks, or their account
 */
export function ownedBy(owner: Owner, row?: Of<'providerId'>): SQL {
  const account = typeof owner === 'object' && 'accountId' in owner ? owner.accountId : owner;
  return sql`${columnOf(row, 'providerId')} = ${account}`;
}
