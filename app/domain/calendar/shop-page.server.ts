import type { Db } from '../../../db/client';
import { type FreeTime, freeTimeOf } from '../slots/open-slots.server';
import {
  findPublicShop,
  listHouseServices,
  listShopDates,
  listShopTimes,
  type PublicHouseService,
  type PublicShop,
  type ShopTime,
} from '../slots/shop-times.server';
import type { Instant, LocalDate } from '../time/clock';
import { type Month, monthOf } from '../time/month';
import { todayIn } from '../time/zones';

// A shop's free time for people with its link.

type PageQuery = {
  username: string;
  people: string[];
  dates?: LocalDate[];
  month?: Month;
  service: string;
  page: number;
};

export type ShopPage = {
  shop: PublicShop;
  services: PublicHouseService[]; // that somebody does, in order
  service: PublicHouseService | null;
  next: FreeTime | null;
  month: Month;
  months: [first: Month, last: Month]; // the first and the last month that can be shown
  days: LocalDate[]; // of the month, on which anybody is free
  dates: LocalDate[];
  times: FreeTime[];
  hasMore: boolean;
};

const freeTime = ({ time }: ShopTime): FreeTime => freeTimeOf(time);

/**
 * Reads the page of a shop: its people and services, and for a chosen service when anybody is free.
 * @param wanted.people the usernames of those who take appointments
 */
export async function findShopPage(
  db: Db,
  { username, people, dates, month, service: id, page }: PageQuery,
  now: Instant,
): Promise<ShopPage | undefined> {
  const usernames = people.map((one) => ({ username: one }));
  const [shop, services, free, { rows, hasMore }] = await Promise.all([
    findPublicShop(db, username, now),
    listHouseServices(db, username),
    id ? listShopDates(db, usernames, id, now) : [],
    id
      ? listShopTimes(db, usernames, { service: id, dates, page: dates ? page : 0 }, now)
      : { rows: [], hasMore: false },
  ]);
  if (!shop) return undefined;
  const [firstDay] = free;
  const thisMonth = monthOf(todayIn(shop.timeZone, now));
  const shownMonth = month ?? monthOf(dates?.[0] ?? firstDay ?? todayIn(shop.timeZone, now));
  const ofMonth = free.filter((date) => monthOf(date) === shownMonth);
  const shownDates = dates ?? (month ? ofMonth : free).slice(0, 1);
  const shown =
    dates || !month || shownDates[0] === firstDay
      ? rows
      : (await listShopTimes(db, usernames, { service: id, dates: shownDates, page: 0 }, now)).rows;
  const times = shown.map(freeTime).filter(({ date }) => shownDates.includes(date));
  return {
    shop,
    services,
    service: services.find((one) => one.id === id) ?? null,
    next: free.length > 0 && rows[0] && !dates ? freeTime(rows[0]) : null,
    month: shownMonth,
    months: [firstDay ? monthOf(firstDay) : thisMonth, monthOf(free.at(-1) ?? firstDay ?? todayIn(shop.timeZone, now))],
    days: ofMonth,
    dates: shownDates,
    times,
    hasMore: dates ? hasMore : false,
  };
}
