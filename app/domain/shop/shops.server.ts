import { msg } from '@lingui/core/macro';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { accounts, cities, colleagues } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { conflict, DomainError, notLoggedIn } from '../errors';
import { fold, sortKey, withoutAccents } from '../input/fold';
import { deleteOwn } from '../login/end-own.server';
import { checkOwnPassword } from '../login/own-password.server';
import type { Passwords } from '../login/passwords.server';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import type { Origin } from '../login/throttles.server';
import { notFound } from '../not-found';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import { type Actor, takenFault } from '../profile/accounts';
import { spellCity } from '../profile/accounts.server';
import { refuseOwnSites } from '../profile/embedding';
import type { Instant } from '../time/clock';
import type { Colleague, Shop, ShopRole } from './colleagues';
import { houseRulesOf } from './house-rules';
import type { ColleagueChange, ShopChange, ShopOpening } from './shops';

const shop = alias(accounts, 'shop');
const me = alias(colleagues, 'me');

const ownShop = statement<{ me: string }>()(({ me: accountId }) =>
  orm
    .select({
      id: sql<string>`${shop.id}`.as('shop_id'),
      username: sql<string>`${shop.username}`.as('username'),
      displayName: shop.displayName,
      location: cities.name,
      address: shop.address,
      phone: shop.phone,
      description: shop.description,
      timeZone: shop.timeZone,
      embedOn: shop.embedOn,
      rules: shop.houseRules,
      role: me.role,
    })
    .from(me)
    .innerJoin(shop, eq(shop.id, me.shopId))
    .innerJoin(cities, eq(cities.folded, shop.city))
    .where(eq(me.accountId, accountId)),
);

const peopleOfShop = statement<{ me: string }>()(({ me: accountId }) =>
  orm
    .select({
      username: sql<string>`${accounts.username}`.as('username'),
      displayName: accounts.displayName,
      role: colleagues.role,
      takes: colleagues.takes,
      joinedAt: colleagues.joinedAt,
    })
    .from(me)
    .innerJoin(colleagues, eq(colleagues.shopId, me.shopId))
    .innerJoin(accounts, eq(accounts.id, colleagues.accountId))
    .where(eq(me.accountId, accountId))
    .orderBy(asc(colleagues.place), asc(colleagues.joinedAt), asc(colleagues.accountId)),
);

export const selectShop = (actor: Actor) => ({
  shop: ownShop({ me: actor.accountId }),
  people: peopleOfShop({ me: actor.accountId }),
});

type ReadShop = { shop: Awaited<ReturnType<typeof ownShop>['rows']>; people: Colleague[] };

export function shopOf({ shop: [found], people }: ReadShop): OwnShop {
  if (!found) throw notFound('shop');
  return { ...found, rules: houseRulesOf(found.rules), people };
}

/** Reads the actor's shop; undefined if they are in none. */
export async function findShop(db: Db, actor: Actor): Promise<OwnShop | undefined> {
  const read = await db.run(selectShop(actor));
  return read.shop.length > 0 ? shopOf(read) : undefined;
}

/** A shop as one of its people sees it; `role` is theirs. */
export type OwnShop = Shop & { id: string; role: ShopRole };

/** Reads the actor's shop. @throws DomainError not_found (they are in none) */
export const getShop = async (db: Db, actor: Actor): Promise<OwnShop> => shopOf(await db.run(selectShop(actor)));

/** SQL: the id of the actor's shop, where they are an owner; null elsewhere. */
export const ownedShop = (actor: Actor) =>
  sql`(SELECT shop_id FROM colleagues WHERE account_id = ${actor.accountId} AND role = 'owner')`;

/** SQL: the actor is logged in as an owner of their shop. Each write of an owner's asks it. */
export const isOwner = (actor: Actor, now: Instant): SQL =>
  sql`(${isLoggedIn(actor, now)} AND ${ownedShop(actor)} IS NOT NULL)`;

/** Why an owner's write did nothing. */
export function refuseOthers(owner: { isLoggedIn: number } | undefined, shop: { role: ShopRole }): void {
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (shop.role !== 'owner') throw new DomainError('forbidden', msg`Only an owner of the shop can do this.`);
}

export const inAShop = () => conflict(msg`You are in a shop already. One person is in one shop at a time.`);

/** SQL: the account is in some shop. */
export const isInShop = (accountId: string | SQL) =>
  sql`EXISTS (SELECT 1 FROM colleagues WHERE account_id = ${accountId})`;

/**
 * Opens a shop, with the actor as its owner and in their time zone.
 * @throws DomainError unauthenticated, taken (the username), conflict (the actor is in a shop)
 */
export async function openShop(db: Db, actor: Actor, input: ShopOpening, { now, key }: Written): Promise<OwnShop> {
  const { username, displayName, location, address, phone, description = null } = input;
  const { accountId } = actor;
  const id = newId();
  const once = oneTimeKey(`${accountId}:OpenShop`, key, now);
  const isTaken = sql`EXISTS (SELECT 1 FROM accounts WHERE username_folded = ${fold(username)})`;
  const mayOpen = sql`(${isLoggedIn(actor, now)} AND NOT ${isInShop(accountId)} AND NOT ${isTaken})`;
  const isOurs = sql`${once.result('id')} = ${id}`;
  const {
    state: [state],
    stored: [stored],
    ...read
  } = await db.run({
    state: orm
      .select({
        isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in'),
        isInShop: sql<number>`${isInShop(accountId)}`.as('is_in_shop'),
      })
      .from(sql`(SELECT 1)`),
    used: once.use(mayOpen, sql`${JSON.stringify({ id })}`),
    city: spellCity(location, isOurs),
    opened: insertFrom(
      accounts,
      {
        id,
        username,
        usernameFolded: fold(username),
        displayName,
        displayPlain: withoutAccents(displayName),
        displaySortKey: sortKey(displayName),
        role: 'Shop',
        timeZone: sql`mine.time_zone`,
        city: fold(location),
        address,
        phone,
        description,
        createdAt: now,
      },
      sql`FROM accounts AS mine WHERE mine.id = ${accountId} AND ${isOurs}`,
    ),
    joined: insertFrom(
      colleagues,
      { shopId: id, accountId, role: 'owner', joinedAt: now },
      sql`WHERE EXISTS (SELECT 1 FROM accounts WHERE id = ${id}) AND NOT ${isInShop(accountId)}`,
    ),
    stored: once.read(),
    ...selectShop(actor),
  });
  if (!state?.isLoggedIn) throw notLoggedIn();
  const made = (stored?.replay as { id: string } | undefined)?.id;
  if (made && read.shop[0]?.id === made) return shopOf(read);
  if (state.isInShop) throw inAShop();
  throw new DomainError('taken', [takenFault(username)]);
}

/**
 * Changes what the shop's page says, and which sites show it and the pages of its people.
 * @param local as in setRules
 * @throws DomainError unauthenticated, not_found, forbidden (not an owner), invalid (a site)
 */
export async function editShop(
  db: Db,
  actor: Actor,
  change: ShopChange,
  { now, ...local }: { now: Instant; isLocal?: boolean },
): Promise<OwnShop> {
  const { displayName, location, address, phone, description, embedOn } = change;
  refuseOwnSites(embedOn, local);
  const {
    owner: [owner],
    ...read
  } = await db.run({
    city: location ? spellCity(location, isOwner(actor, now)) : undefined,
    changed: orm
      .update(accounts)
      .set({
        // Drizzle leaves out what is undefined, and a change of nothing is none.
        displayName: displayName ?? sql`display_name`,
        ...(displayName && { displayPlain: withoutAccents(displayName), displaySortKey: sortKey(displayName) }),
        ...(location && { city: fold(location) }),
        address,
        phone,
        description,
        embedOn,
      })
      .where(sql`${accounts.id} = ${ownedShop(actor)} AND ${isLoggedIn(actor, now)}`)
      .returning({
        provider_id: sql<string>`${accounts.id}`.as('provider_id'),
        // Their pages name the shop.
        people_ids:
          sql<string>`(SELECT json_group_array(account_id) FROM colleagues WHERE shop_id = ${accounts.id})`.as(
            'people_ids',
          ),
      }),
    owner: selectOwner(actor, now),
    ...selectShop(actor),
  });
  const shop = shopOf(read);
  refuseOthers(owner, shop);
  return shop;
}

const named = (usernames: string[]) => JSON.stringify(usernames.map((name) => fold(name.trim())));

/**
 * Sorts the people of the shop. Those who are not named come last, in their old order.
 * @throws DomainError unauthenticated, not_found (no shop, or one of them is not in it), forbidden
 */
export async function orderPeople(db: Db, actor: Actor, usernames: string[], now: Instant): Promise<OwnShop> {
  const order = named(usernames);
  const shopId = ownedShop(actor);
  const areIn = sql`NOT EXISTS (SELECT 1 FROM json_each(${order}) AS named WHERE NOT EXISTS (
    SELECT 1 FROM accounts CROSS JOIN colleagues AS one ON one.account_id = accounts.id AND one.shop_id = ${shopId}
    WHERE accounts.username_folded = named.value))`;
  const {
    owner: [owner],
    state: [state],
    ...read
  } = await db.run({
    owner: selectOwner(actor, now),
    state: orm.select({ areIn: sql<number>`${areIn}`.as('are_in') }).from(sql`(SELECT 1)`),
    ordered: orm.run(sql`UPDATE colleagues SET place = ranked.new_place
      FROM (
        SELECT one.account_id AS ranked_id,
          row_number() OVER (ORDER BY named.key IS NULL, named.key, one.place, one.joined_at, one.account_id) - 1 AS new_place
        FROM colleagues AS one JOIN accounts ON accounts.id = one.account_id
          LEFT JOIN json_each(${order}) AS named ON named.value = accounts.username_folded
        WHERE one.shop_id = ${shopId}) AS ranked
      WHERE shop_id = ${shopId} AND account_id = ranked_id AND place <> new_place
        AND ${areIn} AND ${isLoggedIn(actor, now)} RETURNING shop_id AS provider_id`),
    ...selectShop(actor),
  });
  const shop = shopOf(read);
  refuseOthers(owner, shop);
  if (!state?.areIn) throw notFound('provider');
  return shop;
}

export const lastOwner = () => conflict(msg`A shop needs an owner. Make somebody else an owner first.`);

/** SQL, of a row of colleagues: the shop keeps an owner without this person. */
export const keepsOwner = sql`(colleagues.role <> 'owner' OR EXISTS (SELECT 1 FROM colleagues AS other
  WHERE other.shop_id = colleagues.shop_id AND other.role = 'owner' AND other.account_id <> colleagues.account_id))`;

/**
 * Says what somebody is in the shop, and whether they take appointments.
 * @throws DomainError unauthenticated, not_found (no shop, or they are not in it), forbidden, conflict (the last owner)
 */
export async function setColleague(
  db: Db,
  actor: Actor,
  { username, role, takes }: { username: string } & ColleagueChange,
  now: Instant,
): Promise<OwnShop> {
  const shopId = ownedShop(actor);
  const who = sql`(SELECT id FROM accounts WHERE username_folded = ${fold(username.trim())})`;
  const mayChange = role === undefined || role === 'owner' ? undefined : keepsOwner;
  const {
    owner: [owner],
    mine: [mine],
    ...read
  } = await db.run({
    owner: selectOwner(actor, now),
    // Whoever gives up their own role was an owner before.
    mine: orm.select({ role: colleagues.role }).from(colleagues).where(eq(colleagues.accountId, actor.accountId)),
    changed: orm
      .update(colleagues)
      .set({ role: role ?? sql`role`, takes })
      .where(
        and(
          sql`${colleagues.shopId} = ${shopId} AND ${colleagues.accountId} = ${who}`,
          isLoggedIn(actor, now),
          mayChange,
        ),
      )
      .returning({ provider_id: sql<string>`${colleagues.shopId}`.as('provider_id') }),
    ...selectShop(actor),
  });
  const shop = shopOf(read);
  refuseOthers(owner, mine ?? shop);
  const changed = shop.people.find((one) => fold(one.username) === fold(username.trim()));
  if (!changed) throw notFound('provider');
  if (role !== undefined && changed.role !== role) throw lastOwner();
  return shop;
}

/** What is deleted when somebody leaves: the page of the shop changes, and theirs. */
export const colleague = {
  table: colleagues,
  returning: {
    provider_id: sql<string>`${colleagues.shopId}`.as('provider_id'),
    people_ids: sql<string>`json_array(${colleagues.accountId})`.as('people_ids'),
  },
};

/**
 * Forgets a shop: its page, its name, its services, its invitations and who has left it.
 * @param condition SQL, under which it does
 */
export const forgetShop = (shopId: string | SQL, condition: SQL): SQL[] => [
  sql`DELETE FROM shop_invitations WHERE shop_id = ${shopId} AND ${condition}`,
  sql`DELETE FROM former_colleagues WHERE shop_id = ${shopId} AND ${condition}`,
  sql`DELETE FROM services WHERE provider_id = ${shopId} AND ${condition} RETURNING provider_id`,
  sql`DELETE FROM provider_names WHERE provider_id = ${shopId} AND ${condition}`,
  sql`UPDATE accounts SET role = 'Consumer', city = NULL, username = NULL, username_folded = NULL,
      display_name = '', display_plain = '', display_sort_key = '', description = NULL, address = NULL, phone = NULL, house_rules = NULL, embed_on = '[]'
    WHERE id = ${shopId} AND role = 'Shop' AND ${condition} RETURNING id AS provider_id`,
];

/**
 * Closes the shop. Its page and its name go; the people and their books stay as they are.
 * @throws DomainError unauthenticated, not_found, forbidden, invalid (the password), too_many, conflict (others are in it)
 */
export async function closeShop(
  db: Db,
  passwords: Passwords,
  actor: Actor,
  { password }: { password: string },
  moment: { now: Instant; origin: Origin },
): Promise<void> {
  const { now } = moment;
  const forget = await checkOwnPassword(db, passwords, actor, password, moment);
  const shopId = ownedShop(actor);
  const isAlone = sql`(SELECT count(*) FROM colleagues WHERE shop_id = ${shopId}) = 1`;
  const {
    owner: [owner],
    ended,
    ...read
  } = await db.run({
    ...selectShop(actor),
    forgotten: forgetShop(shopId, sql`${isOwner(actor, now)} AND ${isAlone}`).map((forgotten) => orm.run(forgotten)),
    // Last, because it makes the owner one.
    ...deleteOwn(actor, { ...colleague, condition: sql`shop_id = ${shopId} AND ${isAlone}` }, now),
    forget,
  });
  refuseOthers(owner, shopOf(read));
  if (ended.length === 0) throw conflict(msg`Others are still in the shop. They leave first, or you remove them.`);
}
