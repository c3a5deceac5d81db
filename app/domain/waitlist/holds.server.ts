import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { wishes } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { hour, type Instant } from '../time/clock';

/* A hold keeps a time for one wish. Triggers hold and free; here is what tells them to. */

/** A passed offer; two in a row end the wish. */
const letPass = (now: Instant | SQL) => ({
  state: sql<0 | 2>`iif(let_pass >= 1 OR ends_at <= ${now}, 2, 0)`,
  letPass: sql`let_pass + 1`,
  offerId: null,
  heldUntil: null,
  changedAt: now,
});

const endOverdue = statement<{ now: Instant }>()(({ now }) =>
  orm
    .update(wishes)
    .set(letPass(sql`${now}`))
    .where(sql`state = 1 AND held_until <= ${now}`),
);

/** The statement that ends the holds whose time is over, and offers their times on. It goes before whatever books, waits, takes or passes. */
export const endHolds = (now: Instant) => endOverdue({ now });

/** The statement that lets a wish pass the offer of this start. */
export const passOn = ({ id, startsAt }: { id: string; startsAt: Instant }, now: Instant) =>
  orm
    .update(wishes)
    .set(letPass(now))
    .where(sql`${hasWishId(id)} AND state = 1 AND held_until > ${now}
      AND CAST(substr(offer_id, -25, 13) AS INTEGER) = ${startsAt}`);

/** The statement that ends wishes where `condition` holds; what is held for them is offered on. */
export const endWishes = (condition: SQL, now: Instant) =>
  orm
    .update(wishes)
    .set({ state: 2, offerId: null, heldUntil: null, changedAt: now })
    .where(sql`state < 2 AND ${condition}`);

/** SQL: the row of `wishes` has this id. */
export const hasWishId = (id: string): SQL => sql`(wishes.provider_id = ${id.slice(0, -16)} AND wishes.id = ${id})`;

/**
 * The statement that offers what a publication, or more seats, have opened to those who wait, the longest first. It stands
 * behind whatever opens time for somebody already known.
 * @param providers SQL: a list or a subquery of ids, in parentheses
 */
export const offerOpened = (
  providers: SQL,
  {
    from,
    until,
    now,
    condition = sql`true`,
  }: { from: Instant | SQL; until: Instant | SQL; now: Instant; condition?: SQL },
) =>
  orm.run(sql`INSERT INTO offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    SELECT provider_id, id, ${now}, max(from_at, ${from}), min(until_at, ${until}), 0
    FROM wishes INDEXED BY wishes_in_line
    WHERE provider_id IN ${providers} AND state = 0 AND from_at < ${until} AND until_at > ${from} AND ${condition}
    ORDER BY asked_at, id`);

/**
 * Ends what is overdue: holds, and wishes of which the time has come. Tells of times that fit somebody who waits, and that rules, the
 * clock or other calendars have freed; deletes what has been over for long. Doing it again changes nothing.
 */
export async function tidyWaitlist(db: Db, now: Instant): Promise<void> {
  await db.run(
    endHolds(now),
    endWishes(sql`ends_at <= ${now}`, now),
    insertFrees(now),
    orm.delete(wishes).where(sql`ends_at <= ${now - keptFor} AND state = 2`),
  );
}

/** So long the link of an ended wish still says so. */
const keptFor = 30 * 24 * hour;

/** SQL: the time may be booked now by the clock, and its person has not all that one may have. The row is named `fits`. */
export const isAllowedNow = (now: Instant): SQL => sql`(${now} BETWEEN fits.opens_at AND fits.closes_at
  AND (fits.per_person IS NULL OR fits.per_person > (
    SELECT count(*) FROM bookings AS mine WHERE mine.booker_id = fits.account_id AND mine.status < 2
      AND mine.starts_at > ${now} AND mine.provider_id = fits.provider_id AND mine.id IS NOT fits.instead_of)))`;

/** Tells each who waits of the first time that they could book. */
const insertFrees = (now: Instant) =>
  orm.run(sql`INSERT INTO messages (id, account_id, kind, actor_id, data, created_at)
    SELECT 'offer:' || f.wish_id || ':' || f.starts_at, f.account_id, 'offer', f.provider_id,
      json_object('wish', f.wish_id, 'slot', f.slot_id, 'startsAt', f.starts_at, 'endsAt', f.ends_at, 'timeZone', f.time_zone,
        'date', f.local_date), ${now}
    FROM wishes AS w CROSS JOIN fits AS f ON f.provider_id = w.provider_id AND f.wish_id = w.id
    WHERE w.state = 0 AND f.starts_at = (
      SELECT min(starts_at) FROM fits WHERE fits.provider_id = w.provider_id AND fits.wish_id = w.id
        AND fits.starts_at >= max(w.from_at, ${now}) AND fits.starts_at < w.until_at AND fits.suits AND NOT fits.was_offered
        AND ${isAllowedNow(now)})
    ON CONFLICT DO NOTHING`);

/** The end of the next hold; null if nothing is held. */
export async function nextHoldEnd(db: Db): Promise<Instant | null> {
  const [[next]] = await db.run(
    orm
      .select({ at: sql<Instant | null>`min(held_until)`.as('next_end') })
      .from(wishes)
      .where(sql`state = 1`),
  );
  return next?.at ?? null;
}

/** The row by which a wish begins. */
export const insertWish = (row: Parameters<typeof insertFrom<typeof wishes>>[1], condition: SQL) =>
  insertFrom(wishes, row, sql`WHERE ${condition}`).onConflictDoNothing();
