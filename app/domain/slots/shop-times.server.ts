import { and, asc, eq, type Placeholder, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { accounts, cities, colleagues, services } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Appointment } from '../bookings/appointments';
import { type Page, pageOf } from '../input/fields';
import { fold } from '../input/fold';
import { pageSize } from '../input/limits';
import type { Colour } from '../profile/looks';
import type { OpenTo } from '../profile/rules';
import type { Service } from '../services/services';
import { serviceColumns } from '../services/services.server';
import type { Instant, LocalDate } from '../time/clock';
import { listOpenDates } from './open-dates.server';
import { nextAt } from './providers.server';
import { firstTimes } from './times.server';

// What the public sees of a shop: who takes appointments there, what they do, and when anybody is free for it. Each
// colleague's times are read as on their own page.

export type ShopPerson = {
  id: string;
  username: string;
  displayName: string;
  description: string | null;
  openTo: OpenTo;
  nextAt: Instant | null;
};

export type PublicShop = {
  id: string;
  username: string;
  displayName: string;
  location: string;
  description: string | null;
  address: string | null;
  phone: string | null;
  timeZone: string;
  colour: Colour;
  /** Those who take appointments, in the order of the page. */
  people: ShopPerson[];
};

const shop = alias(accounts, 'shop');
const isShopCalled = (username: Placeholder) => and(eq(shop.usernameFolded, username), eq(shop.role, 'Shop'));

const shopBy = statement<{ username: string }>()(({ username }) =>
  orm
    .select({
      id: shop.id,
      username: sql<string>`${shop.username}`.as('username'),
      displayName: shop.displayName,
      location: cities.name,
      description: shop.description,
      address: shop.address,
      phone: shop.phone,
      timeZone: shop.timeZone,
      colour: shop.colour,
    })
    .from(shop)
    .innerJoin(cities, eq(cities.folded, shop.city))
    .where(isShopCalled(username)),
);

const peopleBy = statement<{ username: string; now: Instant }>()(({ username, now }) =>
  orm
    .select({
      id: accounts.id,
      username: sql<string>`${accounts.username}`.as('username'),
      displayName: accounts.displayName,
      description: accounts.description,
      openTo: accounts.openTo,
      nextAt: nextAt(now),
    })
    .from(shop)
    .crossJoin(colleagues)
    .crossJoin(accounts)
    .where(
      and(
        and(isShopCalled(username), eq(colleagues.shopId, shop.id)),
        and(eq(colleagues.takes, true), eq(accounts.id, colleagues.accountId)),
      ),
    )
    .orderBy(asc(colleagues.place), asc(colleagues.joinedAt)),
);

/** Finds a shop by username, in upper or lower case; undefined if there is none. */
export async function findPublicShop(db: Db, username: string, now: Instant): Promise<PublicShop | undefined> {
  const name = fold(username.trim());
  const [[found], people] = await db.run(shopBy({ username: name }), peopleBy({ username: name, now }));
  return found && { ...found, people };
}

/** A service of the house, as those who do it do. `who` are their usernames, in the order of the page. */
export type PublicHouseService = Service & {
  /** The longest and the prices, where they differ. `minutes` and `price` are those of the first. */
  minutesTo: number;
  prices: string[];
  who: string[];
};

const copy = alias(services, 'copy');

const copiesBy = statement<{ username: string }>()(({ username }) =>
  orm
    .select({
      ...serviceColumns,
      ownMinutes: sql<number>`${copy.minutes}`.as('own_minutes'),
      ownPrice: sql<string | null>`${copy.price}`.as('own_price'),
      who: sql<string>`${accounts.username}`.as('who'),
    })
    .from(shop)
    .crossJoin(services)
    .crossJoin(colleagues)
    .crossJoin(copy)
    .crossJoin(accounts)
    .where(
      and(
        and(isShopCalled(username), eq(services.providerId, shop.id)),
        and(eq(services.isOffered, true), eq(colleagues.shopId, shop.id), eq(colleagues.takes, true)),
        and(eq(copy.providerId, colleagues.accountId), eq(copy.id, services.id), eq(copy.isOffered, true)),
        eq(accounts.id, colleagues.accountId),
      ),
    )
    .orderBy(asc(services.place), asc(services.id), asc(colleagues.place), asc(colleagues.joinedAt)),
);

/** Lists the services of the house that somebody does, in order; empty if there is no such shop. */
export async function listHouseServices(db: Db, username: string): Promise<PublicHouseService[]> {
  const [rows] = await db.run(copiesBy({ username: fold(username.trim()) }));
  const house = new Map<string, PublicHouseService>();
  for (const { ownMinutes, ownPrice, who, ...service } of rows) {
    const known = house.get(service.id);
    house.set(service.id, {
      ...service,
      minutes: Math.min(known?.minutes ?? ownMinutes, ownMinutes),
      minutesTo: Math.max(known?.minutesTo ?? ownMinutes, ownMinutes),
      price: known ? known.price : ownPrice,
      prices: [...new Set([...(known?.prices ?? []), ownPrice ?? ''])],
      who: [...(known?.who ?? []), who],
    });
  }
  return [...house.values()];
}

/** A start at which somebody in a shop is free, and who: their usernames, in the order of the page. */
export type ShopTime = { time: Appointment; who: string[] };

type ShopTimesFilter = { service: string; dates?: LocalDate[]; page: number };

/** The starts of all, each once, by start, with the people who are free then. */
function together(lists: [username: string, times: Appointment[]][]): ShopTime[] {
  const starts = new Map<Instant, ShopTime>();
  for (const [username, times] of lists) {
    for (const time of times) {
      const known = starts.get(time.startsAt);
      starts.set(time.startsAt, known ? { ...known, who: [...known.who, username] } : { time, who: [username] });
    }
  }
  return [...starts.values()].sort((one, other) => one.time.startsAt - other.time.startsAt);
}

/** Lists the starts at which anybody of these people can do the service, by start. */
export async function listShopTimes(
  db: Db,
  people: Pick<ShopPerson, 'username'>[],
  { page, ...filter }: ShopTimesFilter,
  now: Instant,
): Promise<Page<ShopTime>> {
  const needed = (page + 1) * pageSize + 1;
  const lists = await Promise.all(
    people.map(
      async ({ username }): Promise<[string, Appointment[]]> => [
        username,
        await firstTimes(db, { ...filter, provider: username }, needed, now),
      ],
    ),
  );
  return pageOf(together(lists).slice(page * pageSize));
}

/** Lists the days on which anybody of these people can do the service, in order. */
export async function listShopDates(
  db: Db,
  people: Pick<ShopPerson, 'username'>[],
  service: string,
  now: Instant,
): Promise<LocalDate[]> {
  const lists = await Promise.all(people.map(({ username }) => listOpenDates(db, username, now, service)));
  return [...new Set(lists.flat())].sort();
}
