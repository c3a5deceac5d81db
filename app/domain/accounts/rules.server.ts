import { and, eq } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { forgetAnswersOf } from '../appointments/forgetting-answers.server';
import { notLoggedIn } from '../errors';
import { day, type Instant } from '../time/clock';
import type { Actor } from './accounts';
import type { Rules, RulesChange } from './rules';
import { isLoggedIn } from './sessions.server';

const { openTo, askEmail, notice, cancelUntil, horizonDays, perPerson, perDay, keepAnswersDays } = accounts;
const columns = { openTo, askEmail, notice, cancelUntil, horizonDays, perPerson, perDay, keepAnswersDays };

const selectRules = (actor: Actor, now: Instant) =>
  orm
    .select(columns)
    .from(accounts)
    .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now)));

/** Reads the provider's own rules. @throws DomainError unauthenticated */
export async function getRules(db: Db, actor: Actor, now: Instant): Promise<Rules> {
  const [[rules]] = await db.run(selectRules(actor, now));
  if (!rules) throw notLoggedIn();
  return rules;
}

/**
 * Changes what is given of the provider's own rules, and returns all of them. What is booked keeps the time to cancel that
 * stood when it was booked, and stays booked whatever the limits say. Answers that are kept no longer are deleted at once.
 * @throws DomainError unauthenticated
 */
export async function setRules(db: Db, actor: Actor, change: RulesChange, now: Instant): Promise<Rules> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  if (given.length === 0) return getRules(db, actor, now);
  const { keepAnswersDays: days } = change;
  const results = await db.run(
    orm
      .update(accounts)
      .set(Object.fromEntries(given))
      .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now))),
    ...(days ? [forgetAnswersOf(actor, now - days * day, now)] : []),
    selectRules(actor, now),
  );
  const [rules] = results.at(-1) as Rules[];
  if (!rules) throw notLoggedIn();
  db.changedPages.add(actor.accountId);
  return rules;
}
