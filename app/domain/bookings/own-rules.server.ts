import { and, eq, not, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { DomainError, notLoggedIn } from '../errors';
import { isLoggedIn } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import { refuseOwnSites } from '../profile/embedding';
import { setByShop } from '../profile/rule-words';
import type { Rules, RulesChange } from '../profile/rules';
import { type HouseRule, houseRules } from '../shop/house-rules';
import { breaksHouseRules, type House, selectHouse } from '../shop/house-rules.server';
import type { Instant } from '../time/clock';
import { endBrokenHolds, runAfterHolds } from './holds.server';

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
  reminders: accounts.reminders,
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

/** Reads what the actor's shop sets for all; undefined where they are in none, or it sets nothing. */
export async function findHouse(db: Db, { accountId }: Actor): Promise<House | undefined> {
  const [[house]] = await db.run(selectHouse({ me: accountId }));
  return house?.rules ? house : undefined;
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The rules that the change would set to something else than the house does. */
const lockedIn = (change: Partial<Record<string, unknown>>, { rules }: House): HouseRule[] =>
  houseRules.filter((name) => name in change && name in (rules ?? {}) && !isSame(change[name], rules?.[name]));

/**
 * Changes the actor's rules. A booking keeps the deadline to cancel that was set when it was made. Answers that the new
 * rules no longer keep are deleted at once. Where the actor's shop sets one of them to something else, nothing is changed.
 * @param local with `isLocal` on a local server, whose pages sites of this machine may show
 * @throws DomainError unauthenticated, invalid, conflict (the shop sets it)
 */
export async function setRules(
  db: Db,
  actor: Actor,
  wanted: RulesChange,
  now: Instant,
  local: { isLocal?: boolean } = {},
): Promise<Rules> {
  refuseOwnSites(wanted.embedOn, local);
  const change = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  if (Object.keys(change).length === 0) return getRules(db, actor, now);
  const {
    house: [house],
    rules: [rules],
  } = await runAfterHolds(db, now, {
    house: selectHouse({ me: actor.accountId }),
    changed: orm
      .update(accounts)
      .set(change)
      .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now), not(breaksHouseRules(actor, change)))),
    droppedHolds: endBrokenHolds(sql`(${actor.accountId})`, now),
    rules: selectRules(actor, now),
  });
  if (!rules) throw notLoggedIn();
  const locked = house ? lockedIn(change, house) : [];
  if (house && locked.length > 0)
    throw new DomainError(
      'conflict',
      locked.map((field) => ({ field, message: setByShop(field, house.shopName) })),
    );
  return rules;
}
