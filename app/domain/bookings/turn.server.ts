import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { isBooked, isWithdrawn } from '../../../db/states';
import type { Instant } from '../time/clock';
import { withService } from './slot-with-service.server';

// Whoever asks a shop for a time without naming anybody gets whoever has the turn: of those who are free then for what was
// asked, the one with the smallest share of that day's published time taken. There is no count to keep: a half day, a new
// colleague and a canceled appointment are right by themselves.

type Value = Placeholder | SQL | string | number;

/** Anyone in a shop at a start. `shop` is its username, folded. */
export type ShopTime = { shop: string; start: Instant };

// No zone has a longer day.
const aDay = sql.raw(String(26 * 3_600_000));

const taken = sql`sum(iif(near.taken > 0 OR near.part_of IS NOT NULL, near.ends_at - near.starts_at, 0))`;
const published = sql`sum(near.ends_at - near.starts_at)`;

/** SQL: something of what the provider of `slots` has published on that day. Each use of it reads the day. */
const ofDay = (what: SQL) => sql`(SELECT ${what} FROM slots AS near
  WHERE near.provider_id = slots.provider_id AND near.starts_at BETWEEN slots.starts_at - ${aDay} AND slots.starts_at + ${aDay}
    AND near.local_date = slots.local_date AND NOT ${isWithdrawn('near')})`;

/** SQL: how many minutes of the day of `slots` are taken, and how many its provider has published, as a JSON list. */
export const shareOfDay = ofDay(sql`json_array(${taken} / 60000, ${published} / 60000)`);

/** SQL: the person has an appointment in this shop at this start: a form that is sent again books nobody else. */
const hasOwn = (shop: SQL, start: Value, accountId: Value) => sql`EXISTS (SELECT 1 FROM bookings AS mine
  WHERE mine.booker_id = ${accountId} AND ${isBooked('mine')} AND mine.starts_at = ${start} AND mine.shop_id = ${shop})`;

type TimeInShop = { shop: Value; start: Value; service: Placeholder | SQL | string | null };

/** SQL: the times at a start in shops, as `slots`, with their `service` and `provider`. */
export const timesInShops = ({ start, service }: Pick<TimeInShop, 'start' | 'service'>) => sql`accounts AS shop
    CROSS JOIN colleagues AS turn ON turn.shop_id = shop.id
    CROSS JOIN slots ON slots.provider_id = turn.account_id AND slots.starts_at = ${start}
    ${withService(service)}
    CROSS JOIN accounts AS provider ON provider.id = slots.provider_id`;

/** SQL: of such times those of this shop, of who takes appointments. */
export const takesIn = (shop: Value) => sql`shop.username_folded = ${shop} AND turn.takes`;

/** SQL: what part of the day of `slots` is taken. */
export const share = ofDay(sql`${taken} * 1.0 / ${published}`);

/**
 * SQL: the id of the time at which somebody has the turn; null if nobody is free.
 * @param condition of `slots`, `service` and `provider`: the time can be had for what was asked
 */
export const turnOf = ({ accountId, condition, ...asked }: TimeInShop & { accountId: Value; condition: SQL }): SQL =>
  sql`(SELECT slots.id FROM ${timesInShops(asked)} WHERE ${takesIn(asked.shop)} AND NOT ${hasOwn(sql`shop.id`, asked.start, accountId)} AND ${condition}
    ORDER BY ${share}, turn.place LIMIT 1)`;
