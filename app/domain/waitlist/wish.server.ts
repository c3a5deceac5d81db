import { msg } from '@lingui/core/macro';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, messages, slots, wishes } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked, isInLine, isWaiting, literal, readState, wishState } from '../../../db/states';
import { endWishes, hasWishId, insertWish, runAfterHolds } from '../bookings/holds.server';
import { conflict, DomainError, invalid, notLoggedIn } from '../errors';
import { guestDetails } from '../guests/guests';
import { insertGuest, type NewGuest } from '../guests/guests.server';
import { parse } from '../input/fields';
import type { Links } from '../links.server';
import { isLoggedIn } from '../login/sessions.server';
import { type Origin, tryWithin } from '../login/throttles.server';
import { storedAddress } from '../mail/addresses.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import { noPhoneWords } from '../services/where';
import { day, hour, type Instant, knownZone, type LocalTime } from '../time/clock';
import { momentWords } from '../time/when-words';
import { clockOf } from '../time/zone-offsets';
import { endOfDay, startOfDay, todayIn } from '../time/zones';
import { getWish, isFitNow, type LinkedWish, selectWishes, wishOf } from './read.server';
import {
  countAskedBy,
  countInLine,
  type FoundFacts,
  lineIsFull,
  readFacts,
  tooManyWishes,
  whyNoWish,
} from './wish-refusals.server';
import { mostInLine, mostWishes, type Waiting, type Wish, type WishedTimes, type WishInput, wishWords } from './wishes';

// A wish without a last day lasts this long, and no wish looks further ahead.
const usualRange = 366 * day;
const farthest = 2 * usualRange;

// How many wishes one network may try in an hour.
const wishLimit = (address: string) => ({ bucket: `wish:${address}`, limit: 60, window: hour });

/**
 * Somebody logged in, somebody by the link of the booking that is to be earlier, or a stranger who is to be a guest.
 */
export type Wisher =
  | { actor: Actor }
  | { linkOwner: { accountId: string; bookingId: string } }
  | { newGuest: Pick<NewGuest, 'id' | 'edgeZone' | 'lang'> & { network: string } };

const minutesOf = (time: LocalTime): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/**
 * Puts somebody on a provider's waitlist, and tells them so. The same wish again is the one that exists.
 * @param weekStart on which day their weeks begin, 0 (Sunday) to 6
 * @throws DomainError not_found (the provider, the slot, the service, the booking), forbidden (a provider, or a guest
 * where only accounts may book), conflict (a fitting time is free, they have as many as one may have, or the provider
 * keeps no waitlist), invalid, unauthenticated, too_many
 */
export async function addWish(
  db: Db,
  wisher: Wisher,
  input: WishInput,
  { now, origin, weekStart = 0 }: { now: Instant; origin: Origin; weekStart?: number },
): Promise<Wish> {
  const actor = 'actor' in wisher ? wisher.actor : null;
  if (actor?.role === 'Provider') throw new DomainError('forbidden', msg`This page is for clients.`);
  const details = 'newGuest' in wisher ? strangerOf(input) : null;
  const facts = await readFacts(db, input, now);
  const waiter = waiterOf(wisher, input);
  const isStranger = details !== null || actor?.isGuest === true;
  const refusal = whyNoWish(facts, input, { accountId: waiter.accountId, isStranger }, now);
  const { host, old } = facts;
  if (refusal || !host) throw refusal;
  if (host.askPhone === 'required' && input.phone === null && !old) throw invalid('phone', noPhoneWords);
  const row = rowOf(input, { ...facts, host }, waiter, now);
  const tries = tryWithin(origin ? [wishLimit(origin.address)] : [], now);
  const { mayStill, isOldBooked, canBeTold } = whatMustHold(row, actor, now);
  const isAllowed = sql`${mayStill} AND ${tries.isAllowed} AND ${canBeTold}`;
  const isSame = isSameWish(row, now);
  const isFree = isFitNow(row.id, now);
  const {
    counted,
    free: [free],
    wish: [wish],
    mine: [mine],
  } = await runAfterHolds(db, now, {
    counted: tries.count,
    guest:
      details && 'newGuest' in wisher
        ? insertGuest({ ...wisher.newGuest, ...details, origin }, isAllowed, now)
        : undefined,
    added: insertWish(
      row,
      sql`${isAllowed} AND ${isOldBooked} AND EXISTS (SELECT 1 FROM accounts WHERE id = ${row.accountId})
        AND ${countAskedBy(row.askedBy)} < ${mostWishes} AND ${countInLine(host.id)} < ${mostInLine}
        AND NOT EXISTS (SELECT 1 FROM wishes WHERE ${isSame})`,
    ),
    free: orm
      .select({ startsAt: sql<Instant>`starts_at`.as('free_at'), slotId: sql<string>`open_slot_id`.as('free_slot') })
      .from(sql`fits`)
      .where(isFree)
      .orderBy(sql`starts_at`)
      .limit(1),
    refused: orm.delete(wishes).where(sql`${hasWishId(row.id)} AND EXISTS (SELECT 1 FROM fits WHERE ${isFree})`),
    noted: noteWish(row, { service: old ? old.service : host.serviceName, timeZone: host.timeZone, weekStart }),
    // Nothing is kept of a stranger who is refused, so that the same form makes the same guest when it is sent again.
    forgotten: details
      ? orm.delete(accounts).where(
          sql`${accounts.id} = ${row.accountId} AND ${accounts.createdAt} = ${now}
              AND NOT EXISTS (SELECT 1 FROM wishes WHERE account_id = ${row.accountId})`,
        )
      : undefined,
    wish: selectWishes().where(isSame),
    mine: orm
      .select({
        count: countAskedBy(row.askedBy).as('many'),
        mayStill: sql<number>`${mayStill}`.as('may_still'),
        isOldBooked: sql<number>`${isOldBooked}`.as('is_old_booked'),
        canBeTold: sql<number>`${canBeTold}`.as('can_be_told'),
      })
      .from(sql`(SELECT 1)`),
  });
  tries.refuse(counted);
  if (!mine?.mayStill) throw notLoggedIn();
  if (wish) return wishOf(wish);
  if (!mine.canBeTold) throw noAddressToTell();
  if (free) {
    const when = momentWords(free.startsAt, host.timeZone);
    throw conflict(msg`There is a free time that fits: ${when}. You can book it now.`);
  }
  if (!mine.isOldBooked) throw conflict(msg`This appointment can't be moved any more.`);
  throw mine.count < mostWishes ? lineIsFull(host.name) : tooManyWishes();
}

type HostOfWish = NonNullable<FoundFacts['host']>;

/** The wish as it is stored. */
function rowOf(
  input: WishInput,
  { host, slot, old }: FoundFacts & { host: HostOfWish },
  { accountId, askedBy, zone }: ReturnType<typeof waiterOf>,
  now: Instant,
) {
  const range = rangeOf(input, host.timeZone, now, { slot, old });
  const asked = askedOf(input, old);
  return {
    providerId: host.id,
    id: host.id + randomDigits(),
    askedAt: now,
    accountId,
    askedBy,
    linkSeed: newId(),
    asked,
    people: asked.people,
    serviceId: old ? old.serviceId : asked.service,
    ...range,
    ...daysAndTimesOf(asked, host.timeZone, range),
    readerClock: clockOf(zone ?? host.timeZone, now, range.lastAt),
    insteadOf: input.insteadOf || null,
    phone: host.askPhone === 'no' ? null : input.phone,
    changedAt: now,
  };
}
type NewWish = ReturnType<typeof rowOf>;

/** SQL: the person waits for the same already. */
const isSameWish = ({ accountId, providerId, asked, insteadOf }: NewWish, now: Instant) =>
  sql`wishes.account_id = ${accountId} AND wishes.provider_id = ${providerId} AND ${isWaiting('wishes')}
    AND wishes.asked = ${JSON.stringify(asked)} AND wishes.instead_of IS ${insteadOf} AND wishes.ends_at > ${now}`;

/** SQL: what may have changed since the facts were read, and what is said if it has. */
const whatMustHold = ({ accountId, insteadOf }: NewWish, actor: Actor | null, now: Instant) => ({
  mayStill: actor ? isLoggedIn(actor, now) : sql`true`,
  isOldBooked: insteadOf
    ? sql`EXISTS (SELECT 1 FROM bookings WHERE ${hasId(bookings, insteadOf)} AND ${isBooked()})`
    : sql`true`,
  // Whoever waits by the link of a booking reads there what becomes of it.
  canBeTold: actor?.isGuest
    ? sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${accountId} AND email IS NOT NULL)`
    : sql`true`,
});

/** Tells them of their wish, if it was added. */
function noteWish(
  { id, asked, insteadOf, fromAt, askedAt }: NewWish,
  { service, timeZone, weekStart }: { service: string | null; timeZone: string; weekStart: number },
) {
  const times = wishWords({ asked, insteadOf, timeZone, fromAt, serviceName: null }, weekStart);
  return orm.run(sql`INSERT INTO notices (kind, once, account_id, actor_id, data, at, is_read)
    SELECT 'wish', id, account_id, provider_id, json_object('wish', id, 'times', json(${JSON.stringify(times)}), 'service', ${service}), asked_at,
      ${literal(readState.read)}
    FROM wishes WHERE ${hasWishId(id)} AND asked_at = ${askedAt}`);
}

/**
 * The account that waits, whose wishes count together as `askedBy`, and the zone it reads times in; null if nobody knows. A
 * stranger is a new guest each time, whom their address and network tell. The address alone would lock out its owner, who
 * need not be the one who typed it.
 */
function waiterOf(wisher: Wisher, { email, timeZone }: WishInput) {
  if ('newGuest' in wisher) {
    const { id, network, edgeZone } = wisher.newGuest;
    return { accountId: id, askedBy: `${storedAddress(email).emailHash} ${network}`, zone: timeZone ?? edgeZone };
  }
  const { accountId } = 'actor' in wisher ? wisher.actor : wisher.linkOwner;
  const ownZone = 'actor' in wisher ? knownZone(wisher.actor.timeZone) : null;
  return { accountId, askedBy: accountId, zone: ownZone ?? timeZone };
}

/** What was asked for, as it is stored and shown. @param old the booking that is to be earlier */
const askedOf = (
  { slotId, service, from, to, days, after, before, people }: WishInput,
  old: { people: number } | undefined,
): WishedTimes => ({
  slotId: slotId || null,
  service: service ?? null,
  from: from ?? null,
  to: to ?? null,
  days: days && days.length > 0 ? [...new Set(days)].sort() : null,
  after: after ?? null,
  before: before ?? null,
  people: old ? old.people : people,
});

const noClock: ReturnType<typeof clockOf> = [[0, 0]];

/** The days and the times of day, as SQL compares them with slots: bits, minutes, and the clock that they are read by. */
const daysAndTimesOf = (
  { days, after, before }: WishedTimes,
  zone: string,
  { fromAt, lastAt }: { fromAt: Instant; lastAt: Instant },
) => ({
  days: days?.reduce((bits, day) => bits | (1 << day), 0),
  after: after === null ? null : minutesOf(after),
  before: before === null || before === '00:00' ? null : minutesOf(before),
  clock: after === null && before === null ? noClock : clockOf(zone, fromAt, lastAt),
});

const noAddressToTell = () => invalid('email', msg`Please give an e-mail address, so that we can tell you.`);

/** @throws DomainError invalid, unauthenticated (the stranger says nothing) */
function strangerOf({ displayName, email, timeZone }: WishInput) {
  if (displayName === undefined && email === null) throw notLoggedIn();
  if (email === null) throw noAddressToTell();
  return parse(guestDetails, { displayName, email, timeZone });
}

const randomDigits = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');

type Facts = { slot?: { startsAt: Instant }; old?: { startsAt: Instant; until: Instant | null } };

/** The starts that a wish is for, and when it is over. @throws DomainError invalid */
function rangeOf(
  { slotId, from, to, after, before, insteadOf }: WishInput,
  zone: string,
  now: Instant,
  { slot, old }: Facts,
): { fromAt: Instant; untilAt: Instant; endsAt: Instant; lastAt: Instant } {
  if (slotId && slot) {
    const untilAt = slot.startsAt + 1;
    return { fromAt: slot.startsAt, untilAt, endsAt: slot.startsAt, lastAt: untilAt };
  }
  const today = todayIn(zone, now);
  if (to && to < today) throw invalid('to', msg`The last day is over.`);
  if (from && to && to < from) throw invalid('to', msg`The last day must not be before the first.`);
  if (after && before && before !== '00:00' && before <= after)
    throw invalid('before', msg`The times must be in order.`);
  const fromAt = Math.max(now, from ? startOfDay(from, zone) : now);
  const last = to ? endOfDay(to, zone) : Math.min(fromAt + usualRange, now + farthest);
  if (fromAt >= now + farthest) throw invalid('from', msg`Choose days within the next two years.`);
  if (last - now > farthest) throw invalid('to', msg`Choose days within the next two years.`);
  const untilAt = Math.min(last, insteadOf && old ? old.startsAt : last);
  if (untilAt <= fromAt) throw invalid('from', msg`Your appointment is before the first of these days.`);
  const endsAt = insteadOf && old ? Math.min(untilAt, old.until ?? untilAt) : untilAt;
  return { fromAt, untilAt, endsAt, lastAt: last };
}

/**
 * Ends a wish of the actor's, or in the actor's line. A time held for it is offered on. A repeat changes nothing.
 * @throws DomainError not_found, unauthenticated
 */
export async function removeWish(db: Db, actor: Actor, id: string, now: Instant): Promise<void> {
  const me = actor.accountId;
  const isTheirs = sql`${hasWishId(id)} AND (wishes.account_id = ${me} OR ${ownedBy(me, 'wishes')})`;
  const { found } = await runAfterHolds(db, now, {
    ended: endWishes(sql`${isTheirs} AND ${isLoggedIn(actor, now)}`, now),
    found: orm.select({ id: wishes.id }).from(wishes).where(isTheirs),
  });
  if (found.length === 0) throw notFound('wish');
}

/** By the key of a personal link. @throws DomainError not_found */
export async function removeWishByKey(db: Db, links: Links, key: string, now: Instant): Promise<LinkedWish> {
  const linked = await getWish(db, links, key);
  await runAfterHolds(db, now, { ended: endWishes(hasWishId(linked.wish.id), now) });
  return linked;
}

/**
 * Offers an open time of the actor's own to somebody who waits, for whatever days and times. What begins within two hours
 * is not held: they are told of it, and the first to book has it.
 * @returns the wish; without an offer where nothing is held
 * @throws DomainError not_found (the wish, the slot), conflict (they can't have it), unauthenticated
 */
export async function offerByHand(
  db: Db,
  actor: Actor,
  { id, slotId }: { id: string; slotId: string },
  now: Instant,
): Promise<Waiting> {
  const isOwn = sql`${hasWishId(id)} AND ${ownedBy(actor, 'wishes')}`;
  const slot = alias(slots, 'slot');
  const hasOwnSlot = sql`${hasId(slot, slotId)} AND ${ownedBy(actor, slot)}`;
  const {
    own: [own],
    before: [before],
    after: [after],
    told,
  } = await runAfterHolds(db, now, {
    own: orm.select({ id: slot.id }).from(slot).where(hasOwnSlot),
    before: selectWishes().where(isOwn),
    offered: orm.run(sql`INSERT INTO offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
      SELECT wishes.provider_id, wishes.id, ${now}, slot.starts_at, slot.starts_at + 1, 1
      FROM wishes CROSS JOIN slots AS slot ON ${hasOwnSlot}
      WHERE ${isOwn} AND ${isInLine('wishes')} AND ${isLoggedIn(actor, now)}`),
    after: selectWishes().where(isOwn),
    told: orm
      .select({ id: messages.id })
      .from(messages)
      .where(sql`${messages.createdAt} = ${now} AND ${messages.id} = (
        SELECT 'offer:' || wishes.id || ':' || slot.starts_at FROM wishes CROSS JOIN slots AS slot ON ${hasOwnSlot} WHERE ${isOwn})`),
  });
  if (!before || !after) throw notFound('wish');
  if (!own) throw notFound('appointment');
  if (before.state !== wishState.inLine)
    throw conflict(before.state === wishState.offered ? msg`They have an offer already.` : msg`They wait no more.`);
  if (after.state !== wishState.offered && told.length === 0)
    throw conflict(msg`This time can’t be offered to them: it is not free, or they were told of it before.`);
  return wishOf(after);
}
