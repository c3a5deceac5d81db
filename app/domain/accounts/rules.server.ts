import { and, eq } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { notLoggedIn } from '../errors';
import type { Instant } from '../time/clock';
import type { Actor } from './accounts';
import type { Rules, RulesChange } from './rules';
import { isLoggedIn } from './sessions.server';

const selectRules = (actor: Actor, now: Instant) =>
  orm
    .select({ openTo: accounts.openTo, askEmail: accounts.askEmail })
    .from(accounts)
    .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now)));

/** Reads the provider's own rules. @throws DomainError unauthenticated */
export async function getRules(db: Db, actor: Actor, now: Instant): Promise<Rules> {
  const [[rules]] = await db.run(selectRules(actor, now));
  if (!rules) throw notLoggedIn();
  return rules;
}

/** Changes what is given of the provider's own rules, and returns all of them. @throws DomainError unauthenticated */
export async function setRules(db: Db, actor: Actor, { openTo, askEmail }: RulesChange, now: Instant): Promise<Rules> {
  const set = { ...(openTo && { openTo }), ...(askEmail && { askEmail }) };
  if (Object.keys(set).length === 0) return getRules(db, actor, now);
  const [, [rules]] = await db.run(
    orm
      .update(accounts)
      .set(set)
      .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now))),
    selectRules(actor, now),
  );
  if (!rules) throw notLoggedIn();
  return rules;
}
