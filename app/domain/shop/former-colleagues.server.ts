import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, formerColleagues } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { shopOfDesk } from '../login/acting.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { FormerColleague } from './colleagues';

/** SQL: a row of those who have left the shop at whose desk the actor works. */
export const isFormerOf = (actor: Actor) => sql`${formerColleagues.shopId} = ${shopOfDesk(actor.accountId)}`;

/** Selects who has left the shop of the actor, whoever left last first; nobody unless they work at its desk. */
export const selectFormer = (actor: Actor, condition?: SQL) =>
  orm
    .select({
      username: sql<string>`${accounts.username}`.as('username'),
      displayName: accounts.displayName,
      leftAt: formerColleagues.leftAt,
    })
    .from(formerColleagues)
    .innerJoin(accounts, eq(accounts.id, formerColleagues.accountId))
    .where(and(isFormerOf(actor), condition))
    .orderBy(desc(formerColleagues.leftAt), desc(formerColleagues.accountId));

/** SQL: somebody has left the shop at whose desk the actor works. */
export const hasFormer = (actor: Actor) => sql`EXISTS (SELECT 1 FROM ${formerColleagues} WHERE ${isFormerOf(actor)})`;

/** Lists who has left the actor's shop, whoever left last first. @throws DomainError not_found (they are not at its desk) */
export async function listFormer(db: Db, actor: Actor): Promise<FormerColleague[]> {
  const {
    desk: [desk],
    former,
  } = await db.run({
    desk: orm
      .select({ shopId: sql<string | null>`${shopOfDesk(actor.accountId)}`.as('shop_id') })
      .from(sql`(SELECT 1)`),
    former: selectFormer(actor),
  });
  if (!desk?.shopId) throw notFound('shop');
  return former;
}
