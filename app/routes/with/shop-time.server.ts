import type { Db } from '../../../db/client';
import { findShopTime } from '../../domain/bookings/shop-time.server';
import type { ShopTime } from '../../domain/bookings/turn.server';
import { fold } from '../../domain/input/fold';
import { notFound } from '../../domain/not-found';
import { findPublicShop, listHouseServices } from '../../domain/slots/shop-times.server';
import type { Instant } from '../../domain/time/clock';

/** The shop and the start in an address. @throws DomainError not_found */
export function shopTimeIn({ username = '', start: typed = '' }: { username?: string; start?: string }): ShopTime {
  const start = Date.parse(typed);
  if (Number.isNaN(start)) throw notFound('free time');
  return { shop: fold(username.trim()), start };
}

type Asking = { accountId: string; service: string | null };

/**
 * Reads a shop, and its time at a start with whoever is free, in the shop's name, for one person, whatever it costs. Undefined if there is
 * no such shop.
 */
export async function findTimeInShop(db: Db, shopTime: ShopTime, { accountId, service }: Asking, now: Instant) {
  const [shop, house, found] = await Promise.all([
    findPublicShop(db, shopTime.shop, now),
    listHouseServices(db, shopTime.shop),
    findShopTime(db, shopTime, { accountId, service }, now),
  ]);
  if (!shop) return undefined;
  // As one of those who are free does it: it is booked with somebody who does it alike.
  const time = found && {
    ...found,
    appointment: {
      ...found.appointment,
      provider: shop.username,
      providerName: shop.displayName,
      providerAddress: shop.address,
      providerPhone: shop.phone,
    },
  };
  return { shop, isOfHouse: service === null || house.some(({ id }) => id === service), time };
}
