import { type SQL, sql } from 'drizzle-orm';
import type { Db, Named, NamedResults } from '../../../db/client';
import { startOf } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { wishes } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import {
  hasOffer,
  isBusy,
  isHeld,
  isInLine,
  isPublished,
  isStillWanted,
  isWaiting,
  isWishOver,
  literal,
  type WishState,
  wishState,
} from '../../../db/states';
import { hour, type Instant } from '../time/clock';
import { hasAllTheyMay, isInTime, isOffered, takesPerson } from './rules.server';

// A hold keeps a time for one wish. Triggers make and end holds when these statements write.

// The second offer that is let pass ends the wish. `let_pass` counts those before this one.
const passedOffer = (now: Instant | SQL) => ({
  state: sql<WishState>`iif(let_pass >= 1 OR ends_at <= ${now}, ${literal(wishState.over)}, ${literal(wishState.inLine)})`,
  letPass: sql`let_pass + 1`,
  offerId: null,
  heldUntil: null,
  changedAt: now,
});

const endOverdue = statement<{ now: Instant }>()(({ now }) =>
  orm
    .update(wishes)
    .set(passedOffer(sql`${now}`))
    .where(sql`${hasOffer()} AND held_until <= ${now}`)
    .returning({ providerId: wishes.providerId }),
);

/** Ends the holds whose time is over, and offers their times on. */
export const endHolds = (now: Instant) => endOverdue({ now });

/**
 * Runs statements that book a time, open one or change a wish, as one transaction. Holds whose time is over end first, so that
 * no hold that is over is in the way, though the outbox has not ended it yet.
 */
export const runAfterHolds = <const Queries extends Named>(db: Db, now: Instant, queries: Queries) =>
  db.run({ overdue: endHolds(now), ...queries }) as Promise<NamedResults<Queries>>;

/** Lets a wish pass the offer of this start. */
export const declineOffer = ({ id, startsAt }: { id: string; startsAt: Instant }, now: Instant) =>
  orm
    .update(wishes)
    .set(passedOffer(now))
    .where(sql`${hasWishId(id)} AND ${hasOffer()} AND held_until > ${now}
      AND ${startOf(sql`offer_id`)} = ${startsAt}`);

/** Ends wishes; times held for them are offered on. */
export const endWishes = (condition: SQL, now: Instant) =>
  orm
    .update(wishes)
    .set({ state: wishState.over, offerId: null, heldUntil: null, changedAt: now })
    .where(sql`${isWaiting()} AND ${condition}`);

export const hasWishId = (id: string): SQL => sql`(wishes.provider_id = ${id.slice(0, -16)} AND wishes.id = ${id})`;

/**
 * SQL: holds of these providers on a time that nobody could be offered now: the provider has something else then, hours
 * or the provider want the time no longer, the service is switched off (but for whoever has it already), or the
 * waitlist is. What a hold has are the slots that began it, or seats of one.
 */
const brokenHolds = (providers: SQL) => sql`bookings AS hold INDEXED BY bookings_held
    CROSS JOIN wishes AS holder ON holder.provider_id = hold.provider_id AND holder.id = hold.wish_id
    CROSS JOIN accounts AS ruler ON ruler.id = hold.provider_id
  WHERE hold.provider_id IN ${providers} AND ${isHeld('hold')} AND (
    ruler.waitlist = 'off' OR holder.instead_of IS NULL AND NOT ${takesPerson(sql`ruler`, sql`hold.booker_id`)}
    OR EXISTS (SELECT 1 FROM slots WHERE slots.provider_id = hold.provider_id AND slots.starts_at >= hold.starts_at
      AND slots.starts_at < hold.taken_until AND ${isPublished('slots')}
      AND (slots.part_of = hold.starts_at OR slots.id = hold.slot_id)
      AND (${isBusy('slots')} OR NOT (${isStillWanted('slots')})))
    OR holder.instead_of IS NULL AND NOT ${isOffered('hold')})`;

/**
 * Drops the holds that a provider needs: ends those that such a change leaves without their time, and tells whoever had
 * them. They stay in line. Runs after whatever makes a time busy, unwanted or withdrawn, or switches a service or the
 * waitlist off, and before that time is offered to anybody.
 * @param providers SQL: a list or a subquery of ids, in parentheses
 */
export const endBrokenHolds = (providers: SQL, now: Instant) => [
  orm.run(sql`INSERT INTO notices (kind, once, account_id, actor_id, data, at)
    SELECT 'offer', 'over:' || holder.id || ':' || hold.starts_at, hold.booker_id, hold.provider_id,
      json_object('wish', holder.id, 'startsAt', hold.starts_at, 'endsAt', hold.ends_at, 'timeZone', hold.time_zone,
        'date', hold.local_date, 'isOver', 1), ${now}
    FROM ${brokenHolds(providers)}`),
  orm
    .update(wishes)
    .set({ state: wishState.inLine, offerId: null, heldUntil: null, changedAt: now })
    .where(
      sql`wishes.provider_id IN ${providers} AND ${hasOffer('wishes')}
        AND wishes.id IN (SELECT holder.id FROM ${brokenHolds(providers)})`,
    ),
];

/**
 * Offers what a publication, or more seats, have opened to those who wait, the longest first. Runs after
 * statements that book some of that time for a client at once.
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
    WHERE provider_id IN ${providers} AND ${isInLine()} AND from_at < ${until} AND until_at > ${from} AND ${condition}
    ORDER BY asked_at, id`);

/**
 * Ends overdue holds and wishes. Tells people of times that rules, the clock or other calendars have freed; deletes
 * what has been over for long. A repeat changes nothing.
 */
export async function tidyWaitlist(db: Db, now: Instant): Promise<void> {
  await db.run(
    endHolds(now),
    endWishes(sql`ends_at <= ${now}`, now),
    ...endBrokenHolds(sql`(SELECT provider_id FROM bookings WHERE ${isHeld()})`, now),
    tellOfFreeTimes(now),
    orm.delete(wishes).where(sql`ends_at <= ${now - keepEndedFor} AND ${isWishOver()}`),
  );
}

// The link of an ended wish says so for that time.
const keepEndedFor = 30 * 24 * hour;

/** SQL: how many minutes a clock, as clockOf gives it, is ahead of UTC at an instant. */
export const minutesAhead = (clock: SQL, at: SQL): SQL =>
  sql`(SELECT value ->> 1 FROM json_each(${clock}) WHERE value ->> 0 <= ${at} ORDER BY key DESC LIMIT 1)`;

/** SQL: the clock and the limit per person let the time `fits` be booked now. */
export const isAllowedNow = (now: Instant | SQL): SQL => {
  const who = { accountId: sql`fits.account_id`, now, except: sql`ifnull(fits.instead_of, '')` };
  // The + leaves the index to the range of starts that the statement asks for.
  return sql`(${now} < fits.wish_ends_at AND ${isInTime(sql`+fits.starts_at`, now, sql`fits`)}
    AND NOT ${hasAllTheyMay(sql`fits`, who, sql`fits.provider_id`)})`;
};

// We tell each person of the first time that they could book.
const tellOfFreeTimes = (now: Instant) =>
  orm.run(sql`INSERT INTO told_offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    SELECT provider_id, id, ${now}, first_at, first_at + 1, 0 FROM (
      SELECT provider_id, id, (SELECT min(starts_at) FROM fits WHERE fits.provider_id = wishes.provider_id AND fits.wish_id = wishes.id
          AND fits.starts_at >= max(wishes.from_at, ${now}) AND fits.starts_at < wishes.until_at AND fits.suits AND NOT fits.was_offered
          AND ${isAllowedNow(now)}) AS first_at
      FROM wishes WHERE ${isInLine('wishes')})
    WHERE first_at IS NOT NULL`);

/** Null if nothing is held. */
export async function nextHoldEnd(db: Db): Promise<Instant | null> {
  const [[next]] = await db.run(
    orm
      .select({ at: sql<Instant | null>`min(held_until)`.as('next_end') })
      .from(wishes)
      .where(hasOffer()),
  );
  return next?.at ?? null;
}

export const insertWish = (row: Parameters<typeof insertFrom<typeof wishes>>[1], condition: SQL) =>
  insertFrom(wishes, row, sql`WHERE ${condition}`).onConflictDoNothing();
