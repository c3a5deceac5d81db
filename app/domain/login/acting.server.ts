import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { notFound } from '../errors';
import { fold } from '../input/fold';
import type { Actor } from '../profile/accounts';

// Desk and owner of a shop work in the books of their colleagues, and in that of the shop. Whose book it is stands in the
// address of each request; there is nothing to switch on or off.

type Param = string | Placeholder | SQL;

/**
 * SQL: the member may act for this account: for their shop, or for a colleague.
 * @param account of a shop or of a provider
 */
export const mayActFor = (member: Param, account: Param) => sql`EXISTS (
  SELECT 1 FROM colleagues AS mine CROSS JOIN colleagues AS theirs ON theirs.shop_id = mine.shop_id
  WHERE mine.account_id = ${member} AND mine.role <> 'colleague' AND (theirs.account_id = ${account} OR theirs.shop_id = ${account}))`;

/**
 * Finds for whom the actor acts.
 * @param username of their shop or a colleague, or their own
 * @throws DomainError not_found (they may not, or there is nobody of that name)
 */
export async function actorFor(db: Db, actor: Actor, username: string): Promise<Actor> {
  const [[whose]] = await db.run(
    orm
      .select({ accountId: accounts.id, timeZone: accounts.timeZone })
      .from(accounts)
      .where(
        and(
          eq(accounts.usernameFolded, fold(username.trim())),
          sql`(${accounts.id} = ${actor.accountId} OR ${mayActFor(actor.accountId, sql`${accounts.id}`)})`,
        ),
      ),
  );
  if (!whose) throw notFound('provider');
  return whose.accountId === actor.accountId ? actor : { ...actor, ...whose, memberId: actor.accountId };
}
