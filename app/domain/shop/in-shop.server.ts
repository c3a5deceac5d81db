import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { accounts, bookings } from '../../../db/schema';
import type { ShopInShort } from './in-shop';

// A shop that is closed is none any more. Of a booking in no shop, none of these reads a row.

/** For a join, under this name. */
export const shop = alias(accounts, 'shop');

/** SQL: `shop` is the one under whose name it was booked. */
export const isShopOfBooking = sql`shop.id = ${bookings.shopId} AND shop.role = 'Shop'`;

/** A shop as its colleagues' bookings take it: where a colleague has no address or number of their own, the shop's stands. */
type ShopOfBooking = ShopInShort & { address: string | null; phone: string | null };

const packedShop = sql`json_object('username', shop.username, 'displayName', shop.display_name, 'address', shop.address, 'phone', shop.phone)`;

const ofShop = (value: SQL) => sql`CASE WHEN ${bookings.shopId} IS NOT NULL THEN (
  SELECT ${value} FROM accounts AS shop WHERE ${isShopOfBooking}) END`;

const asShop = (json: SQL) =>
  sql<ShopOfBooking | null>`${json}`
    .mapWith((stored: string): ShopOfBooking => JSON.parse(stored))
    .as('shop_of_booking');

/** The shop under whose name it was booked, or null. */
export const shopOfBooking = asShop(ofShop(packedShop));

/** The same, where `shop` is joined. */
export const joinedShop = asShop(sql`iif(shop.id IS NULL, NULL, ${packedShop})`);

/** SQL: the name of the shop under whose name it was booked, or null. */
export const nameOfShop = ofShop(sql`shop.display_name`);
