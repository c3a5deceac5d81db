import { eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { accounts, colleagues } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../profile/accounts';
import { type HouseRule, type HouseRules, houseRules } from './house-rules';

// What the shop sets stands in each colleague's own account, so whatever reads rules reads one row as before. Their own are
// kept in `colleagues.own_rules` meanwhile: under the names that are in `house_rules` of the shop, and no others.

const columnOf = (name: HouseRule) => sql.raw(accounts[name].name);
const pathOf = (name: HouseRule) => sql.raw(`'$.${name}'`);
const joined = (parts: SQL[]) => sql.join(parts, sql`, `);

/**
 * SQL: the assignments that bring rules into their columns of `accounts`. Those that are not there stay.
 * @param json the rules by their names
 */
export const rulesFrom = (json: SQL, names: readonly HouseRule[] = houseRules) =>
  joined(
    names.map(
      (name) =>
        sql`${columnOf(name)} = iif(json_type(${json}, ${pathOf(name)}) IS NULL, accounts.${columnOf(name)}, ${json} ->> ${pathOf(name)})`,
    ),
  );

/** SQL: `json` with these rules of the row of `accounts`, where it has none of that name. */
export const withOwnRules = (json: SQL, names: readonly HouseRule[]) =>
  sql`json_insert(${json}, ${joined(names.map((name) => sql`${pathOf(name)}, accounts.${columnOf(name)}`))})`;

/** SQL: those rules of the row of `accounts` that the house sets. */
export const ownRulesUnder = (house: SQL) =>
  sql`(SELECT json_group_object(own.key, own.value) FROM json_each(${withOwnRules(sql`'{}'`, houseRules)}) AS own
    WHERE own.key IN (SELECT key FROM json_each(${house})))`;

/** SQL: `json` without these rules. */
export const withoutRules = (json: SQL, names: readonly HouseRule[]) =>
  sql`json_remove(${json}, ${joined(names.map(pathOf))})`;

export type House = { shopName: string; rules: Partial<HouseRules> | null };

const shop = alias(accounts, 'shop');

/** What the actor's shop sets, and its name; no row where they are in none. */
export const selectHouse = statement<{ me: string }>()(({ me }) =>
  orm
    .select({
      shopName: shop.displayName,
      rules: sql<Partial<HouseRules> | null>`${shop.houseRules}`.mapWith(shop.houseRules).as('house_rules'),
    })
    .from(colleagues)
    .innerJoin(shop, eq(shop.id, colleagues.shopId))
    .where(eq(colleagues.accountId, me)),
);

/** SQL: the change sets a rule of the actor to something else than their shop does. */
export const breaksHouseRules = ({ accountId }: Actor, change: object) =>
  sql`EXISTS (SELECT 1 FROM colleagues AS mine CROSS JOIN accounts AS shop ON shop.id = mine.shop_id
    CROSS JOIN json_each(shop.house_rules) AS house CROSS JOIN json_each(${JSON.stringify(change)}) AS wanted ON wanted.key = house.key
    WHERE mine.account_id = ${accountId} AND wanted.value IS NOT house.value)`;
