import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { fold } from '../input/fold';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';

// Desk and owner of a shop work in the books of their colleagues, and in that of the shop. Whose book it is stands in the
// address of each request; there is nothing to switch on or off.

type Param = string | Placeholder | SQL;

/** SQL, of a row `mine` of colleagues: the member works at the desk there, or is an owner. */
const isAtDesk = (member: Param) => sql`mine.account_id = ${member} AND mine.role <> 'colleague'`;

/** SQL: the shop at whose desk the member works; null for everybody else. They read what somebody who has left did there. */
export const shopOfDesk = (member: Param) =>
  sql`(SELECT mine.shop_id FROM colleagues AS mine WHERE ${isAtDesk(member)})`;

/**
 * SQL: the member may act for this account: for their shop, or for a colleague.
 * @param account of a shop or of a provider
 */
export const mayActFor = (member: Param, account: Param) => sql`EXISTS (
  SELECT 1 FROM colleagues AS mine CROSS JOIN colleagues AS theirs ON theirs.shop_id = mine.shop_id
  WHERE ${isAtDesk(member)} AND (theirs.account_id = ${account} OR theirs.shop_id = ${account}))`;

/** Whose book it is, as a screen names it. */
export type Book = { username: string; displayName: string; isShop?: true };

/**
 * Finds in whose book the actor works.
 * @param username of a colleague, or their own
 * @param isShopToo true if it may be that of their shop
 * @returns them as the one who acts there, and whose book it is; only the actor, if it is their own
 * @throws DomainError not_found (they may not, or there is nobody of that name)
 */
export async function actorFor(
  db: Db,
  actor: Actor,
  { username, isShopToo = false }: { username: string; isShopToo?: boolean | undefined },
): Promise<{ actor: Actor; book?: Book }> {
  const [[whose]] = await db.run(
    orm
      .select({
        accountId: accounts.id,
        timeZone: accounts.timeZone,
        username: sql<string>`${accounts.username}`.as('username'),
        displayName: accounts.displayName,
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
  if (!whose || (whose.isShop && !isShopToo)) throw notFound('provider');
  const { accountId, timeZone, isShop, ...named } = whose;
  if (accountId === actor.accountId) return { actor };
  const ofShop = isShop ? { isShop: true as const } : {};
  return {
    actor: { ...actor, accountId, timeZone, memberId: actor.accountId, ...ofShop },
    book: { ...named, ...ofShop },
  };
}

/** The actor as the desk of their shop. @throws DomainError not_found */
export async function shopActor(db: Db, actor: Actor, username: string): Promise<Actor> {
  const { actor: shop } = await actorFor(db, actor, { username, isShopToo: true });
  if (!shop.isShop) throw notFound('provider');
  return shop;
}

/** SQL: the accounts in whose books the actor's things are, in parentheses: their own, and for a shop also its people's. */
export const booksOf = ({ accountId, isShop }: Actor) =>
  isShop
    ? sql`(SELECT ${accountId} UNION ALL SELECT account_id FROM colleagues WHERE shop_id = ${accountId})`
    : sql`(${accountId})`;
