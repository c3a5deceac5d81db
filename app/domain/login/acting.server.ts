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
      .select({
        accountId: accounts.id,
        timeZone: accounts.timeZone,
        isShop: sql<number>`${accounts.role} = 'Shop'`.as('is_shop'),
      })
      .from(accounts)
      .where(
        and(
          eq(accounts.usernameFolded, fold(username.trim())),
          sql`(${accounts.id} = ${actor.accountId} OR ${mayActFor(actor.accountId, sql`${accounts.id}`)})`,
        ),
      ),
  );
  if (!whose) throw notFound('provider');
  if (whose.accountId === actor.accountId) return actor;
  const { isShop, ...book } = whose;
  return { ...actor, ...book, memberId: actor.accountId, ...(isShop && { isShop: true }) };
}

/** As actorFor, for their shop. @throws DomainError not_found */
export async function shopActor(db: Db, actor: Actor, username: string): Promise<Actor> {
  const shop = await actorFor(db, actor, username);
  if (!shop.isShop) throw notFound('provider');
  return shop;
}

/** Finds who the actor acts for, to name them on a screen; undefined where it is the reader. */
export async function findBookOf(db: Db, { accountId, memberId }: Actor) {
  if (memberId === undefined) return undefined;
  const [[whose]] = await db.run(
    orm
      .select({ username: sql<string>`${accounts.username}`.as('username'), displayName: accounts.displayName })
      .from(accounts)
      .where(eq(accounts.id, accountId)),
  );
  return whose;
}

/** SQL: the accounts in whose books the actor's things are, in parentheses: their own, and for a shop also its people's. */
export const booksOf = ({ accountId, isShop }: Actor) =>
  isShop
    ? sql`(SELECT ${accountId} UNION ALL SELECT account_id FROM colleagues WHERE shop_id = ${accountId})`
    : sql`(${accountId})`;
