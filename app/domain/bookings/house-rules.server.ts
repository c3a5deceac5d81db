import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { orm } from '../../../db/statement';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import { type HouseRules, houseRules } from '../shop/house-rules';
import { rulesFrom, withOwnRules, withoutRules } from '../shop/house-rules.server';
import { type OwnShop, ownedShop, refuseOthers, selectShop, shopOf } from '../shop/shops.server';
import type { Instant } from '../time/clock';
import { endBrokenHolds, runAfterHolds } from './holds.server';

/**
 * Sets rules for all people of the actor's shop, whose own ones are kept, or leaves them to each again. What is left out
 * stays. Answers that the new rules no longer keep are deleted at once.
 * @throws DomainError unauthenticated, not_found, forbidden (not an owner)
 */
export async function setHouseRules(db: Db, actor: Actor, change: Partial<HouseRules>, now: Instant): Promise<OwnShop> {
  const changed = houseRules.filter((name) => change[name] !== undefined);
  const left = changed.filter((name) => change[name] === null);
  const set = changed.filter((name) => change[name] !== null);
  const rules = JSON.stringify(Object.fromEntries(changed.map((name) => [name, change[name]])));
  const shopId = ownedShop(actor);
  const ofPeople = sql`shop_id = ${shopId} AND ${isLoggedIn(actor, now)}`;
  const columns = [
    ...(set.length > 0 ? [rulesFrom(sql`${rules}`, set)] : []),
    ...(left.length > 0 ? [rulesFrom(sql`person.own_rules`, left)] : []),
  ];
  const {
    owner: [owner],
    ...read
  } = await runAfterHolds(db, now, {
    owner: selectOwner(actor, now),
    kept:
      set.length > 0
        ? orm.run(sql`UPDATE colleagues SET own_rules = (
            SELECT ${withOwnRules(sql`own_rules`, set)} FROM accounts WHERE accounts.id = account_id) WHERE ${ofPeople}`)
        : undefined,
    theirs:
      columns.length > 0
        ? orm.run(sql`UPDATE accounts SET ${sql.join(columns, sql`, `)} FROM colleagues AS person
            WHERE person.account_id = accounts.id AND person.${ofPeople} RETURNING accounts.id AS provider_id`)
        : undefined,
    backAgain:
      left.length > 0
        ? orm.run(sql`UPDATE colleagues SET own_rules = ${withoutRules(sql`own_rules`, left)} WHERE ${ofPeople}`)
        : undefined,
    house: orm.run(sql`UPDATE accounts SET house_rules = nullif(json_patch(ifnull(house_rules, '{}'), ${rules}), '{}')
      WHERE id = ${shopId} AND ${isLoggedIn(actor, now)} RETURNING id AS provider_id`),
    droppedHolds: endBrokenHolds(sql`(SELECT account_id FROM colleagues WHERE shop_id = ${shopId})`, now),
    ...selectShop(actor),
  });
  const shop = shopOf(read);
  refuseOthers(owner, shop);
  return shop;
}
