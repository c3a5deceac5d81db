import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { invalid, notLoggedIn } from '../errors';
import { isLoggedIn } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import { isOfThisMachine, noSite } from '../profile/embedding';
import type { Rules, RulesChange } from '../profile/rules';
import { day, type Instant } from '../time/clock';
import { forgetAnswersOf } from './forget-answers.server';
import { endBrokenHolds } from './holds.server';

const columns = {
  openTo: accounts.openTo,
  askEmail: accounts.askEmail,
  askPhone: accounts.askPhone,
  notice: accounts.notice,
  cancelUntil: accounts.cancelUntil,
  horizonDays: accounts.horizonDays,
  perPerson: accounts.perPerson,
  perDay: accounts.perDay,
  partiesBlock: accounts.partiesBlock,
  colour: accounts.colour,
  head: accounts.head,
  keepAnswersDays: accounts.keepAnswersDays,
  waitlist: accounts.waitlist,
  embedOn: accounts.embedOn,
};

const selectRules = (actor: Actor, now: Instant) =>
  orm
    .select(columns)
    .from(accounts)
    .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now)));

/** Reads the actor's rules. @throws DomainError unauthenticated */
export async function getRules(db: Db, actor: Actor, now: Instant): Promise<Rules> {
  const [[rules]] = await db.run(selectRules(actor, now));
  if (!rules) throw notLoggedIn();
  return rules;
}

/**
 * Changes the actor's rules. A booking keeps the deadline to cancel that was set when it was made. Answers that the new
 * rules no longer keep are deleted at once.
 * @param isLocal true on a local server, whose pages sites of this machine may show
 * @throws DomainError unauthenticated, invalid
 */
export async function setRules(
  db: Db,
  actor: Actor,
  change: RulesChange,
  now: Instant,
  { isLocal = false }: { isLocal?: boolean } = {},
): Promise<Rules> {
  const ownSite = isLocal ? undefined : change.embedOn?.find(isOfThisMachine);
  if (ownSite) throw invalid('embedOn', noSite(ownSite));
  const changes = Object.entries(change).filter(([, value]) => value !== undefined);
  if (changes.length === 0) return getRules(db, actor, now);
  const { keepAnswersDays: days } = change;
  const {
    rules: [rules],
  } = await db.run({
    changed: orm
      .update(accounts)
      .set(Object.fromEntries(changes))
      .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now))),
    droppedHolds: endBrokenHolds(sql`(${actor.accountId})`, now),
    forgotten: days ? forgetAnswersOf(actor, now - days * day, now) : undefined,
    rules: selectRules(actor, now),
  });
  if (!rules) throw notLoggedIn();
  return rules;
}
