import { env } from 'cloudflare:test';
import { listOpenSlots } from '../../app/domain/slots/open-slots.server';
import { listTimes } from '../../app/domain/slots/times.server';
import { hour } from '../../app/domain/time/clock';
import { everyRule, rules } from '../habits/rules';
import { listsAreRight } from './list-laws';
import { whoeverIsConcernedIsTold } from './message-laws';
import { meets } from './plain-any-time';
import {
  type Book,
  type Booking,
  type Host,
  isAskedFor,
  isBusy,
  isUnwanted,
  type Person,
  released,
  type Slot,
  type Told,
  type Wish,
  whyNot,
  whyNotOffered,
} from './plain-waitlist';
import { shopLaws } from './shop-laws';
import {
  askOf,
  Broken,
  hostOf,
  type Law,
  type Moment,
  nameOf,
  personOf,
  startOf,
  timeWords,
  type World,
} from './waitlist-world';

/* What holds after each step of a waitlist's history, whatever happened. */

const broken = (rule: string, detail: string): never => {
  throw new Broken(rule, detail);
};

const isComing = (world: World, { startsAt }: { startsAt: number }) => startsAt > world.now;
const holdsOf = (world: World, { bookings }: Book) => bookings.filter((one) => one.isHeld && isComing(world, one));
const wishOf = ({ wishes }: Book, { wish }: Booking) => wishes.find(({ id }) => id === wish) as Wish;
const slotAt = ({ slots }: Book, { provider, startsAt }: { provider: string; startsAt: number }) =>
  slots.find((slot) => slot.provider === provider && slot.startsAt === startsAt);
const wordsOf = (world: World, wish: Wish, time: { startsAt: number }) =>
  `${nameOf(world, wish.who)}, ${timeWords(world, { ...time, provider: wish.provider })}`;

const holdsAreForOne: Law = (world, after) => {
  const holds = holdsOf(world, after);
  for (const [place, hold] of holds.entries()) {
    for (const other of holds.slice(0, place)) {
      const words = `${nameOf(world, hold.who)}: ${timeWords(world, hold)} and ${timeWords(world, other)}`;
      if (hold.wish === other.wish) broken('nobody holds two times for one wish', words);
      if (hold.who === other.who && hold.provider === other.provider) {
        broken('a person holds one time of a provider at most', words);
      }
    }
  }
};

const holdsAreDropped: Law = (world, after) => {
  for (const hold of holdsOf(world, after)) {
    const host = hostOf(world, hold);
    const wish = wishOf(after, hold);
    const slot = slotAt(after, hold) as Slot;
    const words = wordsOf(world, wish, hold);
    if (host.waitlist === 'off') broken('a held time is dropped when the waitlist is switched off', words);
    if (host.openTo === 'accounts' && personOf(world, hold.who).isGuest && wish.insteadOf === null) {
      broken('a guest holds no time where only accounts may book', words);
    }
    if (host.events.some((event) => isBusy({ ...host, parties: [], events: [event] }, slot))) {
      broken('a held time is dropped for another calendar', words);
    }
    if (isBusy(host, slot)) broken('a held time is dropped for a party or meetup of its provider', words);
    if (isUnwanted(host, slot)) broken('a held time is dropped for hours that no longer want it', words);
    const service = host.services.find(({ id }) => id === hold.service);
    const old = after.bookings.find(({ id }) => id === wish.insteadOf);
    if (service && !service.isOffered && old?.service !== service.id) {
      broken('a held time is dropped when its service is no longer offered', words);
    }
    const isSuiting = isAskedFor(after, host, wish, askOf(world, wish), hold);
    if (!isSuiting && !world.byHand.has(`${wish.id} ${hold.startsAt}`)) {
      broken('a held time is one that its wish asks for', words);
    }
  }
};

const unwantedIsClosed: Law = (world, after) => {
  for (const slot of after.slots.filter(({ state, taken }) => state === 0 && taken === 0)) {
    if (isComing(world, slot) && isUnwanted(hostOf(world, slot), slot)) {
      broken('a time that hours no longer want is withdrawn when its booking or hold ends', timeWords(world, slot));
    }
  }
};

/** Anybody at all, with an account. */
const stranger: Person = { id: 'nobody', name: 'a stranger', isGuest: false };

const listsAreTrue: Law = async (world, after) => {
  const holds = holdsOf(world, after);
  const readAll = async (read: (page: number) => Promise<{ rows: { startsAt: number }[]; hasMore: boolean }>) => {
    const starts: number[] = [];
    for (let page = 0; ; page++) {
      const { rows, hasMore } = await read(page);
      starts.push(...rows.map(({ startsAt }) => startsAt));
      if (!hasMore) return starts;
    }
  };
  const lists = [...world.hosts.values()].flatMap((host) => [
    { host, service: null },
    ...host.services.filter(({ isOffered }) => isOffered).map(({ id }) => ({ host, service: id })),
  ]);
  await Promise.all(
    lists.map(async ({ host, service }) => {
      const listed = await readAll((page) =>
        service === null
          ? listOpenSlots(world.db, { provider: host.name, dates: undefined, page }, world.now)
          : listTimes(world.db, { provider: host.name, service, page }, world.now),
      );
      const free = after.slots
        .filter((slot) => slot.provider === host.id)
        .filter((slot) => {
          const wanted = { who: stranger, slot, service, people: 1 };
          return whyNot(after, { ...host, perPerson: null }, wanted, world.now, 'must') === null;
        });
      const name = host.services.find(({ id }) => id === service)?.name ?? 'any time';
      for (const startsAt of listed) {
        const words = `${name}, ${timeWords(world, { provider: host.id, startsAt })}`;
        const slot = slotAt(after, { provider: host.id, startsAt });
        const isHeld = holds.some((hold) => hold.slot === null && hold.startsAt <= startsAt && startsAt < hold.endsAt);
        if (isHeld && slot?.state !== 0) broken('nothing is both held and listed', words);
        if (!free.some((one) => one.startsAt === startsAt)) broken('lists show only what can be booked', words);
      }
      const missing = free.find(({ startsAt }) => !listed.includes(startsAt));
      if (missing) broken('lists show all that can be booked', `${name}, ${timeWords(world, missing)}`);
    }),
  );
};

const keyOf = (wish: Wish, { startsAt }: { startsAt: number }) => `${wish.id} ${startsAt}`;

/** The wish was offered this time before, or its booking was moved away from it. */
const isPassed = ({ left }: World, { told }: Book, wish: Wish, time: { startsAt: number }) =>
  told.has(keyOf(wish, time)) || left.has(keyOf(wish, time));

/** Notes from where bookings with wishes for an earlier time were moved. */
function noteMoves(world: World, after: Book, before: Book): void {
  for (const wish of before.wishes) {
    const now = after.wishes.find(({ id }) => id === wish.id);
    if (now && now.insteadOf !== wish.insteadOf)
      world.left.add(keyOf(wish, { startsAt: startOf(wish.insteadOf ?? '') }));
  }
}

/** The time itself became free, or the wish came to look for one; rules, the clock and other calendars are told by the hour. */
const isFreed = new Set(['taken', 'taken after it', 'absent', 'not in line', 'not asked for']);

/** Why the wish could not have the time before the step; null if it could. */
function reasonBefore(world: World, before: Moment, { id, provider, who }: Wish, time: Slot) {
  const wish = before.book.wishes.find((one) => one.id === id);
  const slot = slotAt(before.book, time);
  if (wish?.state !== 0) return 'not in line';
  if (slot === undefined || slot.state === 2) return 'absent';
  const then = { wish, ask: askOf(world, wish), who: personOf(world, who), slot };
  return whyNotOffered(before.book, before.hosts.get(provider) as Host, then, world.now, 'may');
}

/**
 * Its provider had booked more on that day than the limit lets clients: where several of these end at once, the first of
 * their times comes free on a day that is full still.
 */
function wasOverfull({ book, hosts }: Moment, { provider }: Wish, { date }: Slot): boolean {
  const perDay = hosts.get(provider)?.perDay ?? null;
  const ofDay = book.bookings.filter((one) => one.provider === provider && one.date === date);
  return perDay !== null && new Set(ofDay.map((one) => one.slot ?? one.id)).size > perDay;
}

/** Its provider has left their shop: until then the limits of all of it held, and what rules free is told by the hour. */
const hasLeftItsShop = (world: World, { hosts }: Moment, wish: Wish) =>
  hosts.get(wish.provider)?.shop !== hostOf(world, wish).shop;

const freedIsOffered: Law = (world, after, before) => {
  for (const wish of after.wishes.filter(({ state, endsAt }) => state === 0 && endsAt > world.now)) {
    const host = hostOf(world, wish);
    const [ask, who] = [askOf(world, wish), personOf(world, wish.who)];
    const had = before.book.wishes.find(({ id }) => id === wish.id);
    for (const slot of after.slots.filter((one) => one.provider === wish.provider && isComing(world, one))) {
      const now = { wish, ask, who, slot };
      if (isPassed(world, after, wish, slot)) continue;
      if (whyNotOffered(after, host, now, world.now, 'must') !== null) continue;
      const words = `${wordsOf(world, wish, slot)}${slot.startsAt < world.now + 2 * hour ? ', within two hours' : ''}`;
      if (!had) broken('nobody is put in line while a fitting time is free', words);
      const reason = reasonBefore(world, before, wish, slot);
      if (reason === null || !isFreed.has(reason) || wasOverfull(before, wish, slot)) continue;
      if (hasLeftItsShop(world, before, wish)) continue;
      const service = host.services.find(({ id }) => id === wish.service);
      const hasGap = slot.service === null && service !== undefined && service.gap > 0;
      broken(
        hasGap
          ? 'a freed time is offered to whoever waits for a service with a gap'
          : 'a freed time is offered to whoever waits for it',
        `${words}, which was: ${reason}`,
      );
    }
  }
};

/**
 * The person held another time until this step, whose wish is over now. So they were not in line when the time came free: those who
 * were come first, and then they look through all that is left.
 */
const hasLetGo = (before: Book, after: Book, { who, provider }: Wish) =>
  before.bookings.some(
    (hold) =>
      hold.isHeld &&
      hold.who === who &&
      hold.provider === provider &&
      !after.wishes.some(({ id, state }) => id === hold.wish && state !== 2),
  );

const oldestIsFirst: Law = (world, after, before) => {
  const had = new Set(before.book.bookings.map(({ id }) => id));
  for (const hold of holdsOf(world, after).filter(({ id }) => !had.has(id))) {
    const winner = wishOf(after, hold);
    if (world.byHand.has(keyOf(winner, hold))) continue;
    const book = released(after, hold);
    const slot = slotAt(book, hold) as Slot;
    const waited = before.book.wishes.filter(
      ({ state, askedAt, provider, people }) =>
        // Seats that come free one after the other are offered one after the other.
        state === 0 && provider === hold.provider && askedAt < winner.askedAt && people <= winner.people,
    );
    for (const wish of waited) {
      const still = after.wishes.find(({ id }) => id === wish.id);
      if (still?.state !== 0 || isPassed(world, after, wish, hold) || hasLetGo(before.book, after, wish)) continue;
      const reason = reasonBefore(world, before, wish, slot);
      // What was free already is first come, first served.
      if (reason === null || !isFreed.has(reason) || hasLeftItsShop(world, before, wish)) continue;
      const now = { wish: still, ask: askOf(world, wish), who: personOf(world, wish.who), slot };
      if (whyNotOffered(book, hostOf(world, wish), now, world.now, 'must') === null) {
        broken(
          'a freed time is offered to whoever has waited longest',
          `${wordsOf(world, winner, hold)}, not ${nameOf(world, wish.who)}`,
        );
      }
    }
  }
};

/** More is booked on the slot's day than before the step. */
const isFuller = (after: Book, before: Book, { provider, date }: Slot): boolean => {
  const had = new Set(before.bookings.filter(({ isHeld }) => !isHeld).map(({ id }) => id));
  return after.bookings.some((one) => one.provider === provider && one.date === date && !had.has(one.id));
};

/** Time behind this one has been held for somebody in this step. */
const isHeldSince = ({ bookings }: Book, before: Book, { provider, startsAt }: Slot) =>
  bookings.some(
    (one) =>
      one.isHeld &&
      one.provider === provider &&
      one.startsAt > startsAt &&
      !before.bookings.some(({ id }) => id === one.id),
  );

const toldIsTrue: Law = (world, after, before) => {
  const isNew = ([key]: [string, Told]) => !before.book.told.has(key);
  for (const [, told] of [...after.told].filter(isNew)) {
    const wish = after.wishes.find(({ id }) => id === told.wish);
    if (!wish || told.isHeld || wish.state !== 0) continue;
    const slot = slotAt(after, { ...told, provider: wish.provider });
    const now = { wish, ask: askOf(world, wish), who: personOf(world, wish.who), slot: slot as Slot };
    const reason = slot ? whyNotOffered(after, hostOf(world, wish), now, world.now, 'may') : 'absent';
    // Somebody else may have it by now, or time that it needs behind it, or the last of its day; and whoever holds another time
    // may still book this one.
    const isGone =
      reason === 'taken' ||
      (reason === 'taken after it' && isHeldSince(after, before.book, slot as Slot)) ||
      (reason === 'perDay' && isFuller(after, before.book, slot as Slot));
    const isFine = reason === null || isGone || reason === 'has a held time';
    if (!isFine && !world.byHand.has(keyOf(wish, told))) {
      broken('people are told of times that they may have', `${wordsOf(world, wish, told)}: ${reason}`);
    }
  }
};

const losersAreTold: Law = (world, after, before) => {
  for (const hold of before.book.bookings.filter(({ isHeld }) => isHeld)) {
    const wish = after.wishes.find(({ id }) => id === hold.wish);
    const then = before.book.wishes.find(({ id }) => id === hold.wish);
    const isEnded = !after.bookings.some(({ id }) => id === hold.id);
    if (!isEnded || !wish || wish.state === 2 || wish.insteadOf !== then?.insteadOf) continue;
    if (world.passed.has(wish.id) || (hold.heldUntil ?? 0) <= world.now) continue;
    if (!after.lost.has(keyOf(wish, hold))) broken('whoever loses a held time is told', wordsOf(world, wish, hold));
  }
};

/** Notes what was booked in this step, by whatever call. */
function noteBooked(world: World, after: Book, before: Book): void {
  const had = new Set(before.bookings.filter(({ isHeld }) => !isHeld).map(({ id }) => id));
  world.booked.push(...after.bookings.filter(({ id, isHeld, movedFrom }) => !had.has(id) && !isHeld && !movedFrom));
}

/** The wish is for what somebody has booked. */
const isMet = (world: World, book: Book, wish: Wish) =>
  world.booked.some(
    (own) =>
      own.who === wish.who &&
      own.provider === wish.provider &&
      (wish.service === null || own.service === wish.service) &&
      own.people >= wish.people &&
      isAskedFor(book, hostOf(world, wish), wish, askOf(world, wish), own),
  );

const wishesEnd: Law = (world, after, before) => {
  for (const wish of before.book.wishes.filter(({ state }) => state < 2)) {
    const now = after.wishes.find(({ id }) => id === wish.id);
    const hold = before.book.bookings.find(({ id, isHeld }) => isHeld && id === wish.offer);
    const isTaken = after.bookings.some((own) => own.wish === wish.id && !own.isHeld);
    const words = `${nameOf(world, wish.who)} at ${nameOf(world, wish.provider)}`;
    const met = wish.insteadOf === null && isMet(world, before.book, wish);
    // A wish that holds another time is over once the next write has ended its hold.
    if (met && now && now.state !== 2 && now.endsAt > world.now)
      broken('a wish ends when its person books a time that fits', words);
    if (now && now.state < 2) continue;
    const isPassed =
      wish.passes > 0 && (world.passed.has(wish.id) || (hold?.heldUntil ?? Number.MAX_VALUE) <= world.now);
    const isOver = wish.endsAt <= world.now;
    const old = before.book.bookings.find(({ id }) => id === wish.insteadOf);
    const isMoved = wish.insteadOf !== null && !after.bookings.some(({ id }) => id === old?.id);
    const isEarlier = wish.insteadOf !== null && isMet(world, before.book, wish);
    if (!(world.removed.has(wish.id) || isTaken || isPassed || isOver || isMoved || met || isEarlier)) {
      broken('a wish ends for a reason only', words);
    }
  }
};

/** Hours publish nothing that was withdrawn. What was when somebody was booked there is withdrawn again after them. */
const withdrawnStaysSo: Law = (world, after, before) => {
  const wereWithdrawn = before.book.slots.filter((slot) => slot.state === 2 && isComing(world, slot));
  for (const slot of after.slots.filter(({ state, isByHours }) => state === 0 && isByHours)) {
    const former = wereWithdrawn.find((one) => one.provider === slot.provider && meets(one, slot));
    if (former && !world.isBroughtBack) {
      broken('hours publish nothing that was withdrawn', `${timeWords(world, slot)}, ${timeWords(world, former)}`);
    }
  }
  for (const host of world.hosts.values()) {
    for (const start of host.withdrawn.filter((one) => one > world.now)) {
      const slot = after.slots.find(({ provider, startsAt }) => provider === host.id && startsAt === start);
      const words = timeWords(world, { provider: host.id, startsAt: start });
      if (!slot || slot.state === 0) broken('a time that its provider withdrew is not published again', words);
    }
    host.withdrawn = host.withdrawn.filter(
      (start) => slotAt(after, { startsAt: start, provider: host.id })?.state === 1,
    );
  }
};

/** Each time of what ended can be seen still, unless it stood for its booking only or hours want it no more. */
const endedLeavesItsTime: Law = (world, after, before) => {
  const stands = new Set(after.bookings.map(({ id }) => id));
  for (const ended of before.book.bookings.filter((one) => !stands.has(one.id) && isComing(world, one))) {
    const times = before.book.slots.filter(
      ({ provider, partOf, id }) => provider === ended.provider && (id === ended.slot || partOf === ended.startsAt),
    );
    const lost = times.find((time) => !slotAt(after, time) && !isUnwanted(hostOf(world, time), time));
    if (lost)
      broken('what ends leaves the times that were published', `${timeWords(world, ended)}: ${timeWords(world, lost)}`);
  }
};

/** Notes which times stand for their booking still. */
function noteMade(world: World, after: Book): void {
  for (const host of world.hosts.values()) {
    host.made = host.made.filter((time) => slotAt(after, { ...time, provider: host.id })?.state === 1);
  }
}

const namelessSql = `SELECT count(*) AS many FROM bookings JOIN accounts ON accounts.id = booker_id
  WHERE status < 2 AND starts_at > ? AND display_name = ''`;

const tablesAreTrue: Law = async ({ now }) => {
  const [found] = (await env.DB.prepare(everyRule).all<Record<string, number>>()).results;
  const wrong = Object.keys(rules).filter((_, place) => found?.[`rule_${place}`] !== 0);
  if (wrong.length > 0) broken('the tables agree', wrong.join(', '));
  const nameless = await env.DB.prepare(namelessSql).bind(now).first<number>('many');
  if (nameless !== 0) broken('whoever has an appointment has a name', `${nameless}`);
};

/** @throws Broken */
export async function checkAll(world: World, after: Book, before: Moment, seed: number): Promise<void> {
  noteMoves(world, after, before.book);
  noteBooked(world, after, before.book);
  const laws = [
    holdsAreForOne,
    holdsAreDropped,
    wishesEnd,
    freedIsOffered,
    oldestIsFirst,
    toldIsTrue,
    losersAreTold,
    unwantedIsClosed,
    withdrawnStaysSo,
    endedLeavesItsTime,
  ];
  for (const law of [...laws, ...shopLaws]) await law(world, after, before);
  // What asks the product or reads every table takes longer than a step.
  if (seed % 3 === 0) await listsAreTrue(world, after, before);
  await whoeverIsConcernedIsTold(world);
  await listsAreRight(world, after, seed);
  if (seed % 10 === 0) await tablesAreTrue(world, after, before);
  noteMade(world, after);
}
