import { and, asc, eq, gt, type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, cities } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isOpen } from '../../../db/states';
import { json } from '../bookings/columns.server';
import { isBookable } from '../bookings/rules.server';
import { type Page, pageOf } from '../input/fields';
import { fold, wordsOf } from '../input/fold';
import { pageSize } from '../input/limits';
import type { Rules } from '../profile/rules';
import type { Instant } from '../time/clock';

/** A provider as clients see them. */
export type Provider = {
  username: string;
  displayName: string;
  location: string;
  description: string | null;
  timeZone: string;
  /** The username of the shop that they are in. */
  shop: string | null;
  /** Several people are booked under this name. */
  isShop: boolean;
};
/** A provider, and whether people may wait for one of their times. */
export type WaitableProvider = Provider & Pick<Rules, 'waitlist'>;
/** `nextAt` is the start of their next open slot. */
export type ProviderRow = Provider & { nextAt: Instant | null; shopName: string | null };
/** A provider as people see them who open that provider's page. */
export type PublicProvider = Omit<ProviderRow, 'shopName'> &
  Pick<Rules, 'openTo' | 'askEmail' | 'askPhone' | 'cancelUntil' | 'waitlist' | 'colour' | 'head'> & {
    id: string;
    address: string | null;
    phone: string | null;
    /** The shop that they are in. */
    inShop: { id: string; username: string; displayName: string; address: string | null; phone: string | null } | null;
    /** The usernames of a shop's people who take appointments, in order; null for a provider. */
    people: string[] | null;
  };

// The first condition is that of the partial index, so SQLite uses the index. The second is true for each name; it
// makes SQLite search the index, not scan it.
const citiesWithProviders = statement<Record<never, never>>()(() =>
  orm.select({ name: cities.name }).from(cities).where(sql`${cities.providers} > 0 AND ${cities.name} > ''`),
);

/** Lists the cities that have a provider, in the order of an alphabet, É beside E. @param language the reader's tag */
export async function listCities(db: Db, language = 'en'): Promise<string[]> {
  const [rows] = await db.run(citiesWithProviders({}));
  return rows.map(({ name }) => name).sort(new Intl.Collator(language).compare);
}

// Written exactly as in the partial indexes, so that SQLite uses them.
const hasPage = sql`${accounts.role} <> 'Consumer'`;

/** What a search by name looks for: its longest word, by which an index finds it, and a JSON list of the other words. */
export type NameSearch = { q: string; others: string };
type NamePlaceholders = { [Name in keyof NameSearch]: Placeholder };

export function nameSearchOf(text: string): NameSearch {
  const [q = '', ...others] = wordsOf(text);
  return { q, others: JSON.stringify(others) };
}

/** SQL: one of an account's names has each of the words. A username is ASCII. */
export const namedLike = ({ q, others }: NamePlaceholders) =>
  sql`((instr(${accounts.usernameFolded}, ${q}) OR instr(${accounts.displayPlain}, ${q})) AND ${hasWords(others)})`;
const hasWords = (words: Placeholder) => sql`NOT EXISTS (SELECT 1 FROM json_each(${words})
    WHERE NOT instr(${accounts.usernameFolded}, value) AND NOT instr(${accounts.displayPlain}, value))`;

/** SQL: a column of the shop in which the account works; null without one. */
const ofShopOf = (
  value: SQL,
) => sql`(SELECT ${value} FROM colleagues CROSS JOIN accounts AS shop ON shop.id = colleagues.shop_id
  WHERE colleagues.account_id = ${accounts.id})`;

const shopName = sql<string | null>`${ofShopOf(sql`shop.display_name`)}`.as('shop_name');

const providerColumns = {
  // Every provider has a username.
  username: sql<string>`${accounts.username}`.as('username'),
  displayName: accounts.displayName,
  location: cities.name,
  description: accounts.description,
  timeZone: accounts.timeZone,
  shop: sql<string | null>`${ofShopOf(sql`shop.username`)}`.as('shop'),
  isShop: sql`${accounts.role} = 'Shop'`.mapWith(Boolean).as('is_shop'),
};

const nextOf = (provider: SQLWrapper, now: Placeholder) => sql`(SELECT min(starts_at) FROM slots INDEXED BY slots_open
  WHERE provider_id = ${provider}.id AND ${isOpen()} AND ${isBookable('slots', now, provider)})`;

export const nextAt = (now: Placeholder) => sql<Instant | null>`${nextOf(accounts, now)}`.as('next_at');

/** SQL: as nextAt; for a shop the earliest of all its people. */
const nextWithAny = (now: Placeholder) =>
  sql<Instant | null>`CASE WHEN ${accounts.role} = 'Shop' THEN (
      SELECT min(${nextOf(sql`one`, now)}) FROM colleagues CROSS JOIN accounts AS one ON one.id = colleagues.account_id
      WHERE colleagues.shop_id = ${accounts.id} AND colleagues.takes)
    ELSE ${nextOf(accounts, now)} END`.as('next_at');

const selectProviders = (now: Placeholder) =>
  orm
    .select({ ...providerColumns, shopName, nextAt: nextWithAny(now) })
    .from(accounts)
    .innerJoin(cities, eq(cities.folded, accounts.city));

const selectProvider = statement<{ username: string }>()(({ username }) =>
  orm
    .select({ ...providerColumns, waitlist: accounts.waitlist })
    .from(accounts)
    .innerJoin(cities, eq(cities.folded, accounts.city))
    .where(and(eq(accounts.usernameFolded, username), hasPage)),
);

/** Finds a provider by username, in upper or lower case. */
export async function findProvider(db: Db, username: string): Promise<WaitableProvider | undefined> {
  const [[row]] = await db.run(selectProvider({ username: fold(username.trim()) }));
  return row;
}

const selectPublicProvider = statement<{ username: string; now: Instant }>()(({ username, now }) =>
  orm
    .select({
      id: accounts.id,
      ...providerColumns,
      openTo: accounts.openTo,
      askEmail: accounts.askEmail,
      askPhone: accounts.askPhone,
      cancelUntil: accounts.cancelUntil,
      waitlist: accounts.waitlist,
      address: accounts.address,
      phone: accounts.phone,
      colour: accounts.colour,
      head: accounts.head,
      people: json<string[] | null>(
        sql`iif(${accounts.role} = 'Shop', (SELECT json_group_array(username) FROM (
          SELECT one.username FROM colleagues CROSS JOIN accounts AS one ON one.id = colleagues.account_id
          WHERE colleagues.shop_id = ${accounts.id} AND colleagues.takes ORDER BY colleagues.place, colleagues.joined_at)), NULL)`,
        'people_of_shop',
      ),
      inShop: json<PublicProvider['inShop']>(
        ofShopOf(sql`json_object('id', shop.id, 'username', shop.username, 'displayName', shop.display_name,
          'address', shop.address, 'phone', shop.phone)`),
        'in_shop',
      ),
      nextAt: nextAt(now),
    })
    .from(accounts)
    .innerJoin(cities, eq(cities.folded, accounts.city))
    .where(and(eq(accounts.usernameFolded, username), hasPage)),
);

/** Finds a provider for their own page, by username in upper or lower case. */
export async function findPublicProvider(db: Db, username: string, now: Instant): Promise<PublicProvider | undefined> {
  const [[row]] = await db.run(selectPublicProvider({ username: fold(username.trim()), now }));
  return row;
}

// If so many providers have a text in their names, it counts as common: then the first rows of a list are searched one by one.
const many = sql.raw('100');
export const firstRows = sql.raw('250');
// One more row shows whether there are more.
export const fullPage = sql.raw(String(pageSize + 1));
const beginsWith = (q: Placeholder) => sql`ending >= ${q} AND ending < ${q} || char(1114111)`;

/**
 * SQL: a search by name, for a WITH. With a common text, the first rows of the list probably fill a page, which is then
 * `paged`. Otherwise `paged` is empty, and `named` has all providers with that text.
 * @param list selects provider_id and the other columns of `paged`, in the order of the list
 */
export const searched = (list: SQL, { q, others, skip }: NamePlaceholders & { skip: Placeholder }) => sql`
  common(is_common) AS (
    SELECT count(*) = ${many} FROM (SELECT DISTINCT provider_id FROM provider_names WHERE ${beginsWith(q)} LIMIT ${many})
  ), matching AS NOT MATERIALIZED (
    SELECT * FROM (${list} LIMIT (SELECT is_common * ${firstRows} FROM common)) AS listed
    WHERE (SELECT ${namedLike({ q, others })} FROM accounts WHERE accounts.id = listed.provider_id)
  ), enough(is_enough) AS (
    SELECT CASE
      WHEN NOT is_common THEN 0
      WHEN (SELECT count(*) FROM (SELECT 1 FROM matching LIMIT ${skip} + ${fullPage})) = ${skip} + ${fullPage} THEN 1
      ELSE (SELECT count(*) FROM (${list} LIMIT ${firstRows})) < ${firstRows} END
    FROM common
  ), paged AS (
    SELECT * FROM matching LIMIT (SELECT is_enough * ${fullPage} FROM enough) OFFSET ${skip}
  ), named(provider_id) AS (
    SELECT DISTINCT provider_id FROM provider_names
    WHERE ${beginsWith(q)} AND (${others} = '[]' OR (SELECT ${hasWords(others)} FROM accounts WHERE accounts.id = provider_id))
    LIMIT (SELECT is_enough - 1 FROM enough)
  )`;

const providersBy = (isCity: boolean, isSearch: boolean) =>
  statement<NameSearch & { city: string; now: Instant; skip: number }>()(({ city, q, others, now, skip }) => {
    const byName = sql`${asc(accounts.displaySortKey)}, ${asc(accounts.id)}`;
    // The lower bound is below each name; it makes SQLite search the index, not scan it.
    const isThere = isCity ? eq(accounts.city, city) : gt(accounts.displaySortKey, '');
    const providers = selectProviders(now);
    if (!isSearch) {
      return providers
        .where(and(hasPage, isThere))
        .orderBy(byName)
        .limit(pageSize + 1)
        .offset(skip);
    }
    const list = sql`SELECT id AS provider_id FROM accounts WHERE ${and(hasPage, isThere)} ORDER BY ${byName}`;
    return providers
      .where(
        sql`${accounts.id} IN (
          WITH ${searched(list, { q, others, skip })}
          SELECT provider_id FROM paged
          UNION ALL
          SELECT id FROM (SELECT id FROM named CROSS JOIN accounts ON id = provider_id WHERE ${isThere}
            ORDER BY ${byName} LIMIT ${fullPage} OFFSET ${skip}))`,
      )
      .orderBy(byName);
  });
const providerLists = {
  all: providersBy(false, false),
  inCity: providersBy(true, false),
  named: providersBy(false, true),
  namedInCity: providersBy(true, true),
};

/** Lists providers by display name. @param q parts of a username or display name, in any order */
export async function listProviders(
  db: Db,
  { location, q, page }: { location?: string; q?: string; page: number },
  now: Instant,
): Promise<Page<ProviderRow>> {
  const name = nameSearchOf(q ?? '');
  const list = location ? (name.q ? 'namedInCity' : 'inCity') : name.q ? 'named' : 'all';
  const [rows] = await db.run(
    providerLists[list]({ city: fold(location?.trim() ?? ''), ...name, now, skip: page * pageSize }),
  );
  return pageOf(rows);
}
