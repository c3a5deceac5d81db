import { is, SQL, type SQLWrapper, sql } from 'drizzle-orm';

type Owner = { accountId: string } | string | SQLWrapper;

/**
 * SQL: the row is among the provider's own things.
 * @param owner whoever asks, or their account
 * @param row a table of the code or its name in the statement; none if only one table there has a provider
 */
export function ownedBy(owner: Owner, row?: string | SQL | { providerId: SQLWrapper }): SQL {
  const account = typeof owner === 'object' && 'accountId' in owner ? owner.accountId : owner;
  if (row === undefined) return sql`provider_id = ${account}`;
  if (typeof row === 'string') return sql`${sql.raw(row)}.provider_id = ${account}`;
  return is(row, SQL) ? sql`${row}.provider_id = ${account}` : sql`${row.providerId} = ${account}`;
}
