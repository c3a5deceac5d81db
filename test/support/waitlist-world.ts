import { env } from 'cloudflare:test';
import { bookAppointment, cancelAppointment } from '../../app/domain/bookings/book.server';
import { endHolds, tidyWaitlist } from '../../app/domain/bookings/holds.server';
import { moveAppointment } from '../../app/domain/bookings/move.server';
import { setRules } from '../../app/domain/bookings/own-rules.server';
import { setBusyFeeds } from '../../app/domain/busy/feeds.server';
import { refreshBusyTimes } from '../../app/domain/busy/refresh.server';
import { DomainError } from '../../app/domain/errors';
import { openGuest } from '../../app/domain/guests/guests.server';
import { carryHours } from '../../app/domain/hours/carrying.server';
import type { Hours } from '../../app/domain/hours/hours';
import { setHours } from '../../app/domain/hours/hours.server';
import { parse } from '../../app/domain/input/fields';
import { linksBy, offerPath } from '../../app/domain/links.server';
import { createMeetup, createParty, deleteParty } from '../../app/domain/parties/hosting.server';
import { meetupInput, partyInput } from '../../app/domain/parties/party-input';
import type { Actor } from '../../app/domain/profile/accounts';
import type { RulesChange } from '../../app/domain/profile/rules';
import { sealsBy } from '../../app/domain/seals.server';
import { bookSeries } from '../../app/domain/series/book-series.server';
import { type ServiceChange, serviceInput } from '../../app/domain/services/service-input';
import type { Service } from '../../app/domain/services/services';
import { createService } from '../../app/domain/services/services.server';
import { editService } from '../../app/domain/slots/edit-service.server';
import { withdrawSlots } from '../../app/domain/slots/withdraw.server';
import { addDays, hour, type LocalDate, localDateOf, localTimeOf, minute, wireDate } from '../../app/domain/time/clock';
import { todayIn } from '../../app/domain/time/zones';
import { passOffer, takeOffer } from '../../app/domain/waitlist/take.server';
import { addWish, offerByHand, removeWish } from '../../app/domain/waitlist/wish.server';
import { wishInput } from '../../app/domain/waitlist/wishes';
import type { Db } from '../../db/client';
import type { Chance } from '../habits/chance';
import { calendarOf } from './calendar-server';
import { forgetAll, join, newDb, once, publishTimes, start, stored } from './history';
import { everyDay } from './plain-hours';
import type { Shop } from './plain-shop';
import {
  type Ask,
  type Book,
  type Booking,
  type Host,
  isAskedFor,
  isBusy,
  isUnwanted,
  isWanted,
  offering,
  type Person,
  type Reading,
  released,
  type Slot,
  type Span,
  type Told,
  type Wish,
  wasWithdrawn,
  whyNot,
  whyNotOffered,
} from './plain-waitlist';

/*
 * People who wait for the times of two providers, or of three who share a shop, and all that may happen to those times, by the product's own functions.
 */

export const links = linksBy('a pepper');
export const seals = sealsBy('a secret');

/** A rule that does not hold, and where that was seen. */
export class Broken extends Error {
  constructor(
    readonly rule: string,
    readonly detail: string,
  ) {
    super(`${rule}: ${detail}`);
  }
}

export type World = {
  db: Db;
  now: number;
  hosts: Map<string, Host>;
  people: Map<string, Person>;
  actors: Map<string, Actor>;
  asks: Map<string, Ask>;
  byHand: Set<string>; // the wish and the start of what was offered by hand
  left: Set<string>; // the wish and the start from which its booking was moved
  /** Where some of the providers work under one name; null in the other worlds. */
  shop: Shop | null;
  /** What can be brought back, with its starts. */
  withdrawals: { host: string; key: string; at: number; starts: number[] }[];
  /** Somebody who never books: they try what lists show. */
  stranger: Actor;
  /** What this step has done, in words, and what follows from it for wishes. */
  said: string;
  removed: Set<string>;
  passed: Set<string>;
  booked: Booking[];
  withdraws: boolean; // the times of what was moved are not offered again
  isBroughtBack: boolean; // what was withdrawn
};

const anyone = { openTo: 'anyone', waitlist: 'on' } as const;
const noRules = { notice: 0, horizonDays: null, perPerson: null, perDay: null, partiesBlock: true };

const strangers = { north: 'UTC', south: 'America/Los_Angeles' };
const colleaguesIn = (zone: string) => ({ north: zone, south: zone, west: zone });

/**
 * An empty book with two providers in different zones, or three in one if they are to be colleagues, their services and hours,
 * five clients and two guests.
 */
export async function newWorld(chance: Chance, hasShop: boolean): Promise<World> {
  await forgetAll();
  const db = newDb();
  const world: World = {
    ...{ db, now: start, hosts: new Map(), people: new Map(), actors: new Map(), asks: new Map(), byHand: new Set() },
    left: new Set(),
    withdrawals: [],
    stranger: await join(db, { username: 'zoe', displayName: 'zoe', timeZone: 'UTC', role: 'Consumer' }),
    ...{
      said: '',
      removed: new Set(),
      passed: new Set(),
      booked: [],
      shop: null,
      withdraws: false,
      isBroughtBack: false,
    },
  };
  const add = (name: string, actor: Actor, isGuest = false) => {
    world.actors.set(actor.accountId, actor);
    if (actor.role === 'Consumer') world.people.set(actor.accountId, { id: actor.accountId, name, isGuest });
    return actor;
  };
  for (const [name, zone] of Object.entries(hasShop ? colleaguesIn(chance.of(Object.values(strangers))) : strangers)) {
    const account = { username: name, displayName: name, timeZone: zone, role: 'Provider', location: 'Oslo' } as const;
    const actor = add(name, await join(db, account));
    const host: Host = {
      ...{ id: actor.accountId, name, zone, shop: null, ...anyone, ...noRules },
      ...{ services: [], hours: null, parties: [], events: [], published: [], made: [], withdrawn: [] },
    };
    world.hosts.set(host.id, host);
    const feeds = [{ name: 'Elsewhere', url: 'https://calendar.example.org/x.ics' }];
    await setBusyFeeds(db, actor, { feeds }, { now: start, seals, isRateLimited: false });
    const services = [
      { name: 'Cut', minutes: chance.of([30, 45, 60]), gap: chance.of([0, 0, 15]) },
      { name: 'Colour', minutes: chance.of([45, 60, 90]), gap: chance.of([0, 15, 30, 60]) },
      { name: 'Class', minutes: 60, gap: 0, seats: chance.of([2, 3]) },
    ];
    for (const draft of services)
      host.services.push(await createService(db, actor, parse(serviceInput, draft), once(start)));
    await changeHours(world, host, anyHours(chance, host));
    const limits = { perDay: chance.of([null, null, 3, 4]), perPerson: chance.of([null, null, null, 2, 3]) };
    await setRules(db, actor, limits, start);
    Object.assign(host, limits);
  }
  const zones = { ana: 'UTC', bo: 'UTC', cid: 'Asia/Kolkata', dee: 'America/Los_Angeles', eve: 'UTC' };
  for (const [name, timeZone] of Object.entries(zones))
    add(name, await join(db, { username: name, displayName: name, timeZone, role: 'Consumer' }));
  for (const name of ['guy', 'gil']) {
    const details = { displayName: name, email: `${name}@example.org`, timeZone: 'UTC' };
    add(name, (await openGuest(db, { ...details, edgeZone: null, origin: null }, start)).actor, true);
  }
  return world;
}

const slotSql = `SELECT provider_id AS provider, starts_at AS startsAt, ends_at AS endsAt, id, state, seats, taken, part_of AS partOf,
    service_id AS service, local_date AS date, publication IS NULL OR publication GLOB 'import *' AS isByHours
  FROM slots WHERE starts_at > ? - 86400000 ORDER BY starts_at, provider_id`;
const bookingSql = `SELECT provider_id AS provider, starts_at AS startsAt, ends_at AS endsAt, id, slot_id AS slot, status = 0 AS isHeld,
    taken_until AS takenUntil, booker_id AS who, people, service_id AS service, local_date AS date, held_until AS heldUntil, wish_id AS wish,
    moved_from AS movedFrom, shop_id AS shop, price, link_seed AS link, coalesce(calendar_id, id) AS entry
  FROM bookings WHERE status < 2 AND starts_at > ? - 86400000 ORDER BY starts_at, booked_at, provider_id`;
const wishSql = `SELECT provider_id AS provider, id, state, asked_at AS askedAt, ends_at AS endsAt, account_id AS who, service_id AS service,
    people, instead_of AS insteadOf, link_seed AS linkSeed, offer_id AS offer, let_pass AS passes
  FROM wishes ORDER BY asked_at`;
const toldSql = `SELECT data ->> 'wish' AS wish, data ->> 'startsAt' AS startsAt, data ->> 'heldUntil' IS NOT NULL AS isHeld,
    id GLOB 'offer:over:*' AS isOver
  FROM messages WHERE kind = 'offer'`;

/** What stands in the book; the only place here that knows its tables. */
export async function readBook(now: number): Promise<Book> {
  const [slots, bookings, wishes, told] = (await env.DB.batch([
    env.DB.prepare(slotSql).bind(now),
    env.DB.prepare(bookingSql).bind(now),
    env.DB.prepare(wishSql),
    env.DB.prepare(toldSql),
  ])) as [D1Result<Slot>, D1Result<Booking>, D1Result<Wish>, D1Result<Told & { isOver: number }>];
  return {
    slots: slots.results.map((slot) => ({ ...slot, isByHours: Boolean(slot.isByHours) })),
    bookings: bookings.results.map((booking) => ({ ...booking, isHeld: Boolean(booking.isHeld) })),
    wishes: wishes.results,
    told: new Map(
      told.results
        .filter(({ isOver }) => !isOver)
        .map(({ isHeld, ...told }) => [`${told.wish} ${told.startsAt}`, { ...told, isHeld: Boolean(isHeld) }]),
    ),
    lost: new Set(told.results.filter(({ isOver }) => isOver).map((told) => `${told.wish} ${told.startsAt}`)),
  };
}

/** Whose hours the hourly job is to apply again. */
async function hostsToApplyAgain({ hosts }: World): Promise<Host[]> {
  const { results } = await env.DB.prepare("SELECT provider_id AS id FROM hours WHERE carried_to = ''").all<{
    id: string;
  }>();
  return results.flatMap(({ id }) => hosts.get(id) ?? []);
}

export const hostOf = ({ hosts }: World, { provider }: { provider: string }) => hosts.get(provider) as Host;
export const actorOf = ({ actors }: World, id: string) => actors.get(id) as Actor;
export const askOf = ({ asks }: World, { id }: Pick<Wish, 'id'>) => asks.get(id) as Ask;
export const personOf = ({ people }: World, id: string) => people.get(id) as Person;
export const nameOf = ({ people, hosts }: World, id: string) => people.get(id)?.name ?? hosts.get(id)?.name ?? id;
export const timeWords = (world: World, { provider, startsAt }: { provider: string; startsAt: number }): string => {
  const { name, zone } = hostOf(world, { provider });
  return `${name} ${localDateOf(startsAt, zone).slice(5)} ${localTimeOf(startsAt, zone)}`;
};

/** What a call gave, or that it was refused in words. @throws Broken if it failed in any other way */
export async function attempt<Result>(
  call: () => Promise<Result>,
): Promise<{ done: Result } | { refused: DomainError }> {
  try {
    return { done: await call() };
  } catch (error) {
    if (error instanceof DomainError) return { refused: error };
    throw new Broken('no call fails', `${error instanceof Error ? error.message : error}`);
  }
}

export const outcome = (result: object) =>
  'refused' in result ? `refused: ${(result.refused as DomainError).message}` : 'done';

/** The book and what providers had set, before a step and after it. */
export type Moment = { book: Book; hosts: Map<string, Host> };

/** The ids of a provider's cards. */
export const cardsOf = (host: Host) =>
  stored<{ id: string }>('SELECT id FROM people WHERE provider_id = ? ORDER BY name_sort_key, id', host.id);

export type Law = (world: World, after: Book, before: Moment) => void | Promise<void>;

export type Act = (world: World, book: Book, chance: Chance) => Promise<void>;

export const rangesOf = (chance: Chance, service?: string) =>
  chance.of([
    [{ start: '09:00', end: '11:00', serviceId: service }],
    [{ start: '10:00', end: '13:00' }],
    [
      { start: '09:00', end: '10:00' },
      { start: '14:00', end: '16:00', serviceId: service },
    ],
    [
      { start: '01:00', end: '04:00' },
      { start: '18:00', end: '19:30', serviceId: service },
    ],
  ]);

export function anyHours(chance: Chance, { zone, services }: Host, now = start): Hours {
  const classes = services.filter(({ seats }) => seats > 1);
  const service = chance.is(0.75) ? chance.of([...services, ...classes]) : undefined;
  const hours = rangesOf(chance, service?.id).flatMap(({ start, end, serviceId }) => everyDay(start, end, serviceId));
  const except = [0, 1, 2, 3].flatMap((later) => {
    const date = addDays(todayIn(zone, now), later);
    return chance.is(0.2) ? [{ date, hours: chance.is(0.5) ? [] : rangesOf(chance) }] : [];
  });
  const cuts = Object.fromEntries(services.map(({ id, minutes, gap }) => [id, { len: minutes, gap }]));
  const cut = { len: chance.of([30, 45, 60, 60]), gap: chance.of([0, 0, 15]) };
  return { hours, except, ...cut, ahead: 3, notes: null, templateId: null, cuts };
}

/** What stood for its booking only is the hours' own once they are applied and want it. */
function adoptMade(host: Host): void {
  host.made = host.made.filter((time) => !isWanted(host, time));
}

export async function changeHours(world: World, host: Host, plan: Hours): Promise<string> {
  const { cuts: _, ...input } = plan;
  const result = await attempt(() => setHours(world.db, actorOf(world, host.id), input, world.now));
  if ('done' in result) {
    host.hours = plan;
    adoptMade(host);
  }
  return outcome(result);
}

export const comingOf = ({ slots }: Book, { now }: World, wanted: (slot: Slot) => boolean = () => true) =>
  slots.filter((slot) => slot.startsAt > now && wanted(slot));

/** A time that is not free often has somebody who waits for it, and a class with people becomes full. */
export function anySlot(world: World, book: Book, chance: Chance): Slot | undefined {
  const open = comingOf(book, world, ({ state }) => state === 0);
  const begun = open.filter(({ taken }) => taken > 0);
  if (begun.length > 0 && chance.is(0.2)) return chance.of(begun);
  const all = comingOf(book, world);
  const list = chance.is(0.8) && open.length > 0 ? open : all;
  return list.length > 0 ? chance.of(list) : undefined;
}

const isHeldIn = ({ bookings }: Book, slot: Slot) =>
  bookings.some(
    ({ isHeld, provider, startsAt, slot: of }) =>
      isHeld && provider === slot.provider && (of === slot.id || (of === null && startsAt === slot.startsAt)),
  );

/** Somebody in line asks for this time. */
const isAwaited = (world: World, found: Book, span: Span & { provider: string }) =>
  found.wishes.some(
    (wish) =>
      wish.state === 0 &&
      wish.provider === span.provider &&
      isAskedFor(found, hostOf(world, span), wish, askOf(world, wish), span),
  );

/** Nobody may have this time, though it were free: its provider wants it no more, has something else then, or stopped its service. */
function isBarred(world: World, { slots }: Book, span: Span & { provider: string; service: string | null }): boolean {
  const host = hostOf(world, span);
  const slot = slots.find(({ provider, startsAt }) => provider === span.provider && startsAt === span.startsAt);
  const isOff = host.services.some(({ id, isOffered }) => id === span.service && !isOffered);
  return isOff || isBusy(host, span) || (slot !== undefined && (isUnwanted(host, slot) || wasWithdrawn(host, slot)));
}

/** Times of a provider whose changes concern somebody: held or awaited ones, and classes that have people. */
const concernedOf = (world: World, found: Book, host: Host): Slot[] =>
  comingOf(
    found,
    world,
    (slot) =>
      slot.provider === host.id &&
      (isHeldIn(found, slot) || (slot.taken > 0 && (slot.seats > 1 || isAwaited(world, found, slot)))),
  );

/** Compares what a call did with what both readings of the contract say. */
export function judge(
  call: string,
  isDone: boolean,
  reasonBy: (reading: Reading) => string | null,
  words: string,
): void {
  const [must, may] = [reasonBy('must'), reasonBy('may')];
  if (isDone && may !== null) throw new Broken(`${call} obeys the rules`, `${words}, although: ${may}`);
  if (!isDone && must === null) throw new Broken(`${call} gives what may be had`, words);
}

/** Before an overdue hold has ended, nobody can foretell what a call that ends it finds. */
export const isOverdue = ({ bookings }: Book, now: number) =>
  bookings.some(({ heldUntil }) => heldUntil !== null && heldUntil <= now);

export const bookingOf = (slot: Slot, who: Person, service: string | null, people: number): Booking => ({
  ...{ provider: slot.provider, startsAt: slot.startsAt, endsAt: slot.endsAt, id: slot.id, slot: null, isHeld: false },
  ...{
    takenUntil: slot.endsAt,
    who: who.id,
    people,
    service: service ?? slot.service,
    date: slot.date,
    heldUntil: null,
    wish: null,
  },
  ...{ shop: null, price: null, link: '', entry: slot.id },
});

const book: Act = async (world, found, chance) => {
  const slot = anySlot(world, found, chance);
  if (!slot) return;
  const who = chance.of([...world.people.values()]);
  const host = hostOf(world, slot);
  const chosen = chance.is(0.5) ? chance.of(host.services).id : slot.service;
  const service = chance.is(0.2) ? null : chosen;
  const people = slot.seats > 1 ? chance.of([1, 1, 2]) : 1;
  const isRepeat = found.bookings.some(
    (one) => one.who === who.id && (one.id === slot.id || one.slot === slot.id) && !one.isHeld,
  );
  const result = await attempt(() =>
    bookAppointment(world.db, actorOf(world, who.id), { id: slot.id, service, people, submitted: null }, world.now),
  );
  const name = host.services.find(({ id }) => id === service)?.name ?? 'the time';
  world.said = `${who.name} books ${name} at ${timeWords(world, slot)} for ${people}: ${outcome(result)}`;
  if (isRepeat) return;
  if (!isOverdue(found, world.now)) {
    const wanted = { who, slot, service, people };
    judge('Book', 'done' in result, (reading) => whyNot(found, host, wanted, world.now, reading), world.said);
  }
};

const bookSeveral: Act = async (world, found, chance) => {
  // Often on a day on which something is held, and as many as a limit of the day would leave without it.
  const held = found.bookings.filter(({ isHeld, startsAt }) => isHeld && startsAt > world.now);
  const hold = held.length > 0 && chance.is(0.7) ? chance.of(held) : undefined;
  const host = hold ? hostOf(world, hold) : chance.of([...world.hosts.values()]);
  const isOfDay = (one: { provider: string; date: LocalDate }) => one.provider === host.id && one.date === hold?.date;
  const booked = found.bookings.filter((one) => !one.isHeld && isOfDay(one)).length;
  const many = host.perDay !== null && chance.is(0.7) ? host.perDay - booked : 4;
  const who = chance.of([...world.people.values()]);
  const open = comingOf(found, world, ({ provider, state }) => provider === host.id && state === 0);
  const slots = open.filter((slot) => (hold ? isOfDay(slot) : chance.is(0.3))).slice(0, Math.max(2, many));
  if (slots.length < 2) return;
  const service = chance.is(0.3) ? chance.of(host.services).id : null;
  const request = {
    ids: slots.map(({ id }) => id),
    service,
    people: 1,
    personId: null,
    phone: null,
    address: null,
    formData: null,
  };
  const writing = { links, key: crypto.randomUUID(), now: world.now };
  const result = await attempt(() => bookSeries(world.db, actorOf(world, who.id), request, writing));
  const times = slots.map((slot) => timeWords(world, slot)).join(', ');
  world.said = `${who.name} books a series, ${times}: ${outcome(result)}`;
  const hasSome = slots.some((slot) => found.bookings.some((one) => one.slot === slot.id && one.who === who.id));
  if (!isOverdue(found, world.now) && !hasSome) {
    const reasonBy = (reading: Reading) => {
      let soFar = found;
      for (const slot of slots) {
        const now = soFar.slots.find(({ id }) => id === slot.id) as Slot;
        const reason = whyNot(soFar, host, { who, slot: now, service, people: 1 }, world.now, reading);
        if (reason) return reason;
        soFar = withBooked(soFar, host, bookingOf(slot, who, service, 1));
      }
      return null;
    };
    judge('BookSeries', 'done' in result, reasonBy, world.said);
  }
};

/** The book after one more booking, as far as the next one of a series must know it. */
export function withBooked(found: Book, host: Host, booking: Booking): Book {
  const service = host.services.find(({ id }) => id === booking.service);
  const isClass = found.slots.some(({ id, seats }) => id === booking.id && seats > 1);
  const slot = found.slots.find(({ id }) => id === booking.id) as Slot;
  const takenLength = service && slot.service === null ? (service.minutes + service.gap) * minute : 1;
  const slots = found.slots.map((one): Slot => {
    if (isClass && one.id === booking.id) {
      return { ...one, taken: one.taken + 1, state: one.taken + 1 === one.seats ? 1 : 0 };
    }
    const isIts =
      !isClass &&
      one.provider === host.id &&
      one.startsAt >= slot.startsAt &&
      one.startsAt < slot.startsAt + takenLength;
    return isIts && one.state === 0 ? { ...one, taken: 1, state: 1, partOf: slot.startsAt } : one;
  });
  const own = isClass ? { ...booking, slot: booking.id, id: `${booking.id} ${booking.who}` } : booking;
  return { ...found, slots, bookings: [...found.bookings, own] };
}

/** Where hours want nothing of a booking's time any more, it is by hand from then on. */
export function publishedAgain(world: World, { slots }: Book, { provider, startsAt, slot }: Booking): void {
  const host = hostOf(world, { provider });
  const own = slots.filter((one) => one.provider === provider && (one.partOf === startsAt || one.id === slot));
  host.withdrawn = host.withdrawn.filter((start) => !own.some((one) => one.startsAt === start));
  if (!own.every((one) => isUnwanted(host, one))) return;
  host.published.push(...own.map((one) => one.startsAt));
}

/** The client, or their provider; only the provider if they booked for somebody without an account. */
const anyOfBoth = ({ actors }: World, chance: Chance, { who, provider }: Booking): string =>
  chance.of(actors.has(who) ? [who, who, provider] : [provider]);

/** Somebody in line could have a time once this booking has ended. */
function isWantedBySomebody(world: World, found: Book, booking: Booking): boolean {
  const book = released(found, booking);
  const host = hostOf(world, booking);
  const isNear = ({ provider, startsAt }: Slot) =>
    provider === booking.provider && startsAt > booking.startsAt - 2 * hour && startsAt < booking.takenUntil;
  const slots = book.slots.filter((slot) => isNear(slot) && slot.startsAt > world.now + 2 * hour);
  const inLine = found.wishes.filter(({ state, provider }) => state === 0 && provider === booking.provider);
  return inLine.some((wish) => {
    const asking = { wish, ask: askOf(world, wish), who: personOf(world, wish.who) };
    return slots.some((slot) => whyNotOffered(book, host, { ...asking, slot }, world.now, 'must') === null);
  });
}

const cancel: Act = async (world, found, chance) => {
  const live = found.bookings.filter(({ isHeld, startsAt }) => !isHeld && startsAt > world.now);
  if (live.length === 0) return;
  // Mostly what somebody waits for, and often what they may not have though it comes free.
  const awaited = live.filter((one) => isAwaited(world, found, one));
  const barred = awaited.filter((one) => isBarred(world, found, one));
  const wanted = barred.length > 0 && chance.is(0.3) ? [] : live.filter((one) => isWantedBySomebody(world, found, one));
  const some = wanted.length > 0 && chance.is(0.7) ? wanted : barred.length > 0 && chance.is(0.5) ? barred : awaited;
  const booking = chance.of(some.length > 0 && chance.is(0.7) ? some : live);
  const { id, provider, startsAt } = booking;
  const by = anyOfBoth(world, chance, booking);
  const republish = by === provider && chance.is(0.5);
  const given = { id, reason: null, republish };
  const result = await attempt(() => cancelAppointment(world.db, actorOf(world, by), given, world.now));
  if ('done' in result && republish) publishedAgain(world, found, booking);
  const time = timeWords(world, { provider, startsAt });
  world.said = `${nameOf(world, by)} cancels ${time}${republish ? ', to be had again' : ''}: ${outcome(result)}`;
};

/** A provider takes an open or held time back by its id, or calls off a class with all its people. */
const withdraw: Act = async (world, found, chance) => {
  const held = comingOf(found, world, (slot) => isHeldIn(found, slot));
  const others = comingOf(found, world, ({ state, seats }) => state === 0 || (state === 1 && seats > 1));
  const list = chance.is(0.6) && held.length > 0 ? held : others;
  if (list.length === 0) return;
  const slot = chance.of(list);
  const host = actorOf(world, slot.provider);
  const isHeld = isHeldIn(found, slot);
  const result =
    slot.taken > 0 || chance.is(0.5)
      ? await attempt(() => cancelAppointment(world.db, host, { id: slot.id, reason: null }, world.now))
      : await attempt(() => withdrawSlots(world.db, host, { ids: [slot.id] }, once(world.now)));
  const what = `${isHeld ? 'held ' : ''}${slot.seats > 1 ? `class with ${slot.taken} places taken` : 'time'}`;
  world.said = `${nameOf(world, slot.provider)} withdraws the ${what} at ${timeWords(world, slot)}: ${outcome(result)}`;
  if ('refused' in result) {
    // The time of a hold that has run out has a new id.
    if (isHeld && isOverdue(found, world.now)) return;
    throw new Broken('a provider withdraws any time that nobody has booked', world.said);
  }
  const after = await readBook(world.now);
  const left = after.slots.find((one) => one.provider === slot.provider && one.startsAt === slot.startsAt);
  if (left?.state !== 2) throw new Broken('what a provider withdraws is gone', `${world.said}, state ${left?.state}`);
};

const move: Act = async (world, found, chance) => {
  const live = found.bookings.filter(({ isHeld, startsAt }) => !isHeld && startsAt > world.now);
  if (live.length === 0) return;
  const old = chance.of(live);
  const targets = comingOf(found, world, ({ provider, state }) => provider === old.provider && state === 0);
  if (targets.length === 0) return;
  const to = chance.of(targets);
  const by = anyOfBoth(world, chance, old);
  const republish = by === old.provider && chance.is(0.5);
  const given = { id: old.id, to: to.id, submitted: null, reason: null, republish };
  const result = await attempt(() => moveAppointment(world.db, actorOf(world, by), given, world.now));
  if ('done' in result && republish) publishedAgain(world, found, old);
  world.said = `${nameOf(world, by)} moves ${timeWords(world, old)} to ${timeWords(world, to)}: ${outcome(result)}`;
};

const publish: Act = async (world, _, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const [start, end] = chance.of([
    ['08:00', '10:00'],
    ['10:30', '12:30'],
    ['13:00', '14:00'],
    ['16:00', '18:00'],
  ]);
  const service = chance.is(0.4) ? chance.of(host.services) : undefined;
  const dates = [addDays(todayIn(host.zone, world.now), chance.below(4))];
  const times = { start, end, dates, len: service ? null : chance.of([30, 45, 60]), serviceId: service?.id };
  const result = await attempt(() => publishTimes(world.db, actorOf(world, host.id), times, once(world.now)));
  const created = 'done' in result ? result.done.created : 0;
  world.said = `${host.name} publishes ${created} times on ${dates} from ${start}, ${service?.name ?? `each ${times.len} minutes`}`;
};

async function closeDay(world: World, host: Host, date: LocalDate): Promise<void> {
  if (!host.hours) return;
  const others = host.hours.except.filter((one) => one.date !== date);
  const plan = { ...host.hours, except: [...others, { date, hours: [] }] };
  world.said = `${host.name} closes ${date}: ${await changeHours(world, host, plan)}`;
}

const setOtherHours: Act = async (world, found, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const concerned = concernedOf(world, found, host);
  if (chance.is(0.4)) {
    const date =
      concerned.length > 0 ? chance.of(concerned).date : addDays(todayIn(host.zone, world.now), chance.below(4));
    return closeDay(world, host, date);
  }
  const plan = chance.is(0.1) ? { ...anyHours(chance, host), hours: [] } : anyHours(chance, host, world.now);
  const days = plan.hours.map(({ start, end, serviceId }) => `${start} to ${end}${serviceId ? ' for a service' : ''}`);
  const result = await changeHours(world, host, plan);
  world.said = `${host.name} has hours ${[...new Set(days)].join(', ')} in ${plan.len}+${plan.gap}: ${result}`;
};

const emptyAsk: Ask = { start: null, from: null, to: null, days: null, after: null, before: null };

/** Most of the wishes are for a time that somebody has, the others for whatever comes. */
function anyAsk(chance: Chance, { zone }: Host, now: number, slot: Slot | undefined): Ask {
  const today = todayIn(zone, now);
  if (slot && chance.is(0.75)) {
    const before = localTimeOf(slot.endsAt, zone);
    const isWithin = before > localTimeOf(slot.startsAt, zone);
    const times = { after: localTimeOf(slot.startsAt, zone), before: isWithin ? before : null };
    return { ...emptyAsk, from: slot.date, to: slot.date, ...(chance.is(0.85) && times) };
  }
  const from = chance.is(0.5) ? addDays(today, chance.below(3)) : null;
  return {
    ...emptyAsk,
    from,
    to: chance.is(0.4) ? addDays(from ?? today, chance.below(3)) : null,
    days: chance.is(0.2) ? [0, 1, 2, 3, 4, 5, 6].filter(() => chance.is(0.5)) : null,
    after: chance.is(0.2) ? '10:00' : null,
    before: chance.is(0.2) ? '15:00' : null,
  };
}

async function wait(world: World, found: Book, who: Person, wish: { host: Host; ask: Ask; more: object }) {
  const { host, ask, more } = wish;
  const wire = (date: string | null) => date && wireDate(date);
  const times = { from: wire(ask.from), to: wire(ask.to), days: ask.days, after: ask.after, before: ask.before };
  const input = parse(wishInput, { provider: host.name, ...(ask.start === null && times), ...more });
  const wisher = { actor: actorOf(world, who.id) };
  const result = await attempt(() => addWish(world.db, wisher, input, { now: world.now, origin: null }));
  const service = host.services.find(({ id }) => id === input.service)?.name ?? 'any time';
  const asked = Object.entries({ ...ask, people: input.people }).filter(([, value]) => value !== null);
  const words = asked.map(([name, value]) => `${name} ${value}`).join(', ');
  world.said = `${who.name} waits for ${service} of ${host.name}${input.insteadOf ? ', instead' : ''} (${words}): ${outcome(result)}`;
  if ('refused' in result) {
    if (!/a free time that fits/.test(result.refused.message) || isOverdue(found, world.now)) return;
    const old = found.bookings.find(({ id }) => id === input.insteadOf);
    const wanted = { service: old ? old.service : (input.service ?? null), people: old?.people ?? input.people };
    const wish = { ...wanted, insteadOf: old?.id ?? null };
    const reasons = comingOf(found, world, ({ provider }) => provider === host.id).map((slot) =>
      whyNotOffered(found, host, { wish, ask, who, slot }, world.now, 'may'),
    );
    if (reasons.some((reason) => reason === null || reason === 'has a held time')) return;
    throw new Broken('nobody is refused for a free time that they can’t have', world.said);
  }
  if (!world.asks.has(result.done.id)) world.asks.set(result.done.id, ask);
  if (who.isGuest && host.openTo === 'accounts' && !input.insteadOf && result.done.askedAt === world.now) {
    throw new Broken('a guest waits only where guests may book', world.said);
  }
}

const wish: Act = async (world, found, chance) => {
  const taken = comingOf(found, world, ({ state }) => state === 1);
  // A class that nobody may join any more may have a place left.
  const barred = comingOf(found, world, (one) => one.state === 0 && one.taken > 0 && isBarred(world, found, one));
  const some = barred.length > 0 && chance.is(0.7) ? barred : taken;
  const slot = some.length > 0 ? chance.of(some) : undefined;
  const host = slot ? hostOf(world, slot) : chance.of([...world.hosts.values()]);
  const people = [...world.people.values()];
  const isOpen = host.openTo === 'anyone' || chance.is(0.1);
  // A guest without an address can't wait.
  const who = chance.of(isOpen && chance.is(0.3) ? people : people.filter(({ isGuest }) => !isGuest));
  if (slot && slot.seats > 1 && chance.is(0.8)) {
    const ask = { ...emptyAsk, start: slot.startsAt };
    const more = { slotId: slot.id, people: chance.of([1, 1, 1, 2]) };
    return wait(world, found, who, { host, ask, more });
  }
  // Mostly one that the time is long enough for, and often one whose gap takes more.
  const offered = host.services.filter(({ isOffered }) => isOffered);
  const length = slot ? slot.endsAt - slot.startsAt : 0;
  const fitting = offered.filter(({ seats, minutes }) => seats === 1 && minutes * minute <= length);
  const withGap = fitting.filter(({ minutes, gap }) => (minutes + gap) * minute > length);
  const likely = withGap.length > 0 && chance.is(0.6) ? withGap : fitting;
  const service = chance.is(0.7) ? chance.of(likely.length > 0 && chance.is(0.8) ? likely : offered) : undefined;
  const seats = chance.of([1, 1, 1, 2]);
  const more = { service: service?.id, people: (service?.seats ?? 1) > 1 ? seats : 1 };
  return wait(world, found, who, { host, ask: anyAsk(chance, host, world.now, slot), more });
};

const waitForEarlier: Act = async (world, found, chance) => {
  const live = found.bookings.filter(
    ({ isHeld, startsAt, who }) => !isHeld && startsAt > world.now + hour && world.people.has(who),
  );
  if (live.length === 0) return;
  const old = chance.of(live);
  const host = hostOf(world, old);
  const ask = chance.is(0.7) ? emptyAsk : { ...anyAsk(chance, host, world.now, undefined), from: null };
  await wait(world, found, personOf(world, old.who), { host, ask, more: { insteadOf: old.id } });
};

const offersIn = ({ wishes }: Book) => wishes.filter((wish) => wish.state === 1 && wish.offer !== null);
export const startOf = (id: string) => Number(id.slice(-25, -12));
const keyOf = ({ id, linkSeed, offer }: Wish): string =>
  offerPath(links, { id, linkSeed, startsAt: startOf(offer ?? '') })
    .split('/')
    .at(-1) ?? '';

const take: Act = async (world, found, chance) => {
  const offered = offersIn(found);
  if (offered.length === 0) return;
  const wish = chance.of(offered);
  const hold = found.bookings.find(({ id }) => id === wish.offer) as Booking | undefined;
  const result = await attempt(() => takeOffer(world.db, links, { key: keyOf(wish), submitted: null }, world.now));
  const time = { provider: wish.provider, startsAt: startOf(wish.offer ?? '') };
  world.said = `${nameOf(world, wish.who)} takes the offer of ${timeWords(world, time)}: ${outcome(result)}`;
  if (hold && hold.heldUntil !== null && hold.heldUntil > world.now && !isOverdue(found, world.now)) {
    const before = released(found, hold);
    const slot = before.slots.find((one) => one.provider === hold.provider && one.startsAt === hold.startsAt) as Slot;
    const old = found.bookings.find(({ id }) => id === wish.insteadOf);
    const wanted = { who: personOf(world, wish.who), slot, service: wish.service, people: wish.people, old };
    const host = offering(hostOf(world, wish), hold);
    judge('TakeOffer', 'done' in result, (reading) => whyNot(before, host, wanted, world.now, reading), world.said);
  }
};

const pass: Act = async (world, found, chance) => {
  const offered = offersIn(found);
  if (offered.length === 0) return;
  const wish = chance.of(offered);
  const result = await attempt(() => passOffer(world.db, links, keyOf(wish), world.now));
  if ('done' in result) world.passed.add(wish.id);
  world.said = `${nameOf(world, wish.who)} passes ${timeWords(world, { provider: wish.provider, startsAt: startOf(wish.offer ?? '') })}: ${outcome(result)}`;
};

const waitNoMore: Act = async (world, { wishes }, chance) => {
  const live = wishes.filter(({ state }) => state < 2);
  if (live.length === 0) return;
  const wish = chance.of(live);
  await removeWish(world.db, actorOf(world, chance.of([wish.who, wish.provider])), wish.id, world.now);
  world.removed.add(wish.id);
  world.said = `${nameOf(world, wish.who)} waits no more for ${nameOf(world, wish.provider)}`;
};

const offer: Act = async (world, found, chance) => {
  const inLine = found.wishes.filter(({ state }) => state === 0);
  if (inLine.length === 0) return;
  const wish = chance.of(inLine);
  const slots = comingOf(found, world, (slot) => slot.provider === wish.provider && slot.state === 0);
  if (slots.length === 0) return;
  const slot = chance.of(slots);
  const named = { id: wish.id, slotId: slot.id };
  // What is too near to be held is told all the same.
  world.byHand.add(`${wish.id} ${slot.startsAt}`);
  const result = await attempt(() => offerByHand(world.db, actorOf(world, wish.provider), named, world.now));
  world.said = `${nameOf(world, wish.provider)} offers ${timeWords(world, slot)} to ${nameOf(world, wish.who)}: ${outcome(result)}`;
};

const anyRule = (chance: Chance): RulesChange =>
  chance.of<RulesChange>([
    { waitlist: 'off' },
    { waitlist: 'on' },
    { openTo: 'accounts' },
    { openTo: 'anyone' },
    { notice: chance.of([0, 60, 240]) },
    { perDay: chance.of([null, 2, 3]) },
    { perPerson: chance.of([null, 1, 2]) },
    { horizonDays: chance.of([null, 2]) },
    { partiesBlock: chance.is(0.7) },
  ]);

async function setRulesOf(world: World, host: Host, change: RulesChange): Promise<void> {
  await setRules(world.db, actorOf(world, host.id), change, world.now);
  Object.assign(host, change);
  world.said = `${host.name} sets ${JSON.stringify(change)}`;
}

const changeRules: Act = async (world, _, chance) => {
  const host = chance.of([...world.hosts.values()]);
  // Most of the time people may wait.
  await setRulesOf(world, host, host.waitlist === 'off' ? { waitlist: 'on' } : anyRule(chance));
};

/** Sets a limit that a held time is beyond, so that it can't be taken, or none again. */
const limit: Act = async (world, found, chance) => {
  const limited = [...world.hosts.values()].find(({ notice, horizonDays }) => notice > 240 || horizonDays === 1);
  if (limited && chance.is(0.5)) return setRulesOf(world, limited, { notice: 0, horizonDays: null });
  const holds = found.bookings.filter(({ isHeld, startsAt }) => isHeld && startsAt > world.now);
  if (holds.length === 0) return;
  const hold = chance.of(holds);
  const { provider, who, startsAt, date } = hold;
  const booked = found.bookings.filter((one) => !one.isHeld && one.provider === provider && one.startsAt > world.now);
  const ofPerson = booked.filter((one) => one.who === who).length;
  const ofDay = booked.filter((one) => one.date === date).length;
  const change = chance.of<RulesChange>([
    { notice: Math.ceil((startsAt - world.now) / minute) + 1 },
    startsAt > world.now + 25 * hour ? { horizonDays: 1 } : { notice: 240 },
    { perPerson: Math.max(1, ofPerson) },
    { perDay: Math.max(1, ofDay) },
  ]);
  await setRulesOf(world, hostOf(world, hold), change);
};

async function changeServiceOf(world: World, host: Host, service: Service, change: ServiceChange): Promise<void> {
  const named = { id: service.id, change };
  const result = await attempt(() => editService(world.db, actorOf(world, host.id), named, world.now));
  if ('done' in result) Object.assign(service, change);
  world.said = `${host.name} sets ${service.name} to ${JSON.stringify(change)}: ${outcome(result)}`;
}

const changeService: Act = async (world, _, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const off = host.services.find(({ isOffered }) => !isOffered);
  const service = off ?? chance.of(host.services);
  // Hours go on with the lengths that they were cut in.
  const isFixed = service.seats === 1 && host.hours?.hours.some(({ serviceId }) => serviceId === service.id);
  const isSwitched = off || isFixed || chance.is(0.4);
  const other =
    service.seats > 1
      ? { seats: 2 + chance.below(3) }
      : { minutes: chance.of([30, 45, 60, 90]), gap: chance.of([0, 15, 30]) };
  const change = isSwitched ? { isOffered: !service.isOffered } : other;
  await changeServiceOf(world, host, service, change);
};

/** Often over a time that concerns somebody. */
function anySpan(chance: Chance, found: Book, world: World, host: Host): { startsAt: number; minutes: number } {
  const concerned = concernedOf(world, found, host);
  const slots = comingOf(found, world, (slot) => slot.provider === host.id);
  const over: Span[] = chance.is(0.5) && concerned.length > 0 ? concerned : slots;
  const from = over.length > 0 ? chance.of(over).startsAt : world.now + chance.below(72) * hour;
  return { startsAt: from + chance.of([-30, 0, 15]) * minute, minutes: chance.of([30, 60, 150]) };
}

const invite: Act = async (world, found, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const [party] = host.parties;
  const actor = actorOf(world, host.id);
  if (party && chance.is(0.5)) {
    await deleteParty(world.db, actor, party.kind, { id: party.id, reason: null }, once(world.now));
    host.parties = host.parties.filter(({ id }) => id !== party.id);
    world.said = `${host.name} calls off the party at ${timeWords(world, { provider: host.id, startsAt: party.startsAt })}`;
    return;
  }
  const { startsAt, minutes } = anySpan(chance, found, world, host);
  const [startTime, endTime] = [startsAt, startsAt + minutes * minute].map((at) => localTimeOf(at, host.zone));
  const event = { title: 'Fair', date: wireDate(localDateOf(startsAt, host.zone)), startTime, endTime };
  const isMeetup = chance.is(0.3);
  const result = await attempt(() =>
    isMeetup
      ? createMeetup(world.db, actor, parse(meetupInput, { ...event, attendees: ['Ada'] }), once(world.now))
      : createParty(world.db, actor, parse(partyInput, event), once(world.now)),
  );
  if ('done' in result) {
    const { id, startsAt, endsAt } = result.done;
    host.parties.push({ id, startsAt, endsAt, kind: isMeetup ? 'meetup' : 'party' });
  }
  world.said = `${host.name} has ${isMeetup ? 'a meetup' : 'a party'} at ${timeWords(world, { provider: host.id, startsAt })}, ${minutes} minutes: ${outcome(result)}`;
};

type Appointed = { startsAt: number; minutes: number };

async function isBusyElsewhere(world: World, host: Host, spans: Appointed[]): Promise<void> {
  const text = calendarOf(spans.map(({ startsAt, minutes }) => ({ at: startsAt, minutes })));
  const ask = async () => ({ kind: 'read' as const, text, etag: null, lastModified: null });
  await attempt(() => refreshBusyTimes(world.db, host.id, { seals, ask, clock: () => world.now }, { isUrgent: true }));
  host.events = spans.map(({ startsAt, minutes }) => ({ startsAt, endsAt: startsAt + minutes * minute }));
  const times = spans.map(({ startsAt }) => timeWords(world, { provider: host.id, startsAt }));
  world.said = `${host.name} is busy elsewhere at ${times.join(' and ') || 'no time'}`;
}

const readCalendar: Act = async (world, found, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const spans = Array.from({ length: chance.below(3) }, () => anySpan(chance, found, world, host));
  await isBusyElsewhere(world, host, spans);
};

/** A provider wants a time no more that people have booked or wait for: by hours, by its service or by another calendar. */
const bar: Act = async (world, found, chance) => {
  const concerned = [...world.hosts.values()].flatMap((host) => concernedOf(world, found, host));
  const classes = concerned.filter(({ seats }) => seats > 1);
  if (concerned.length === 0) return;
  const slot = chance.of(classes.length > 0 && chance.is(0.7) ? classes : concerned);
  const host = hostOf(world, slot);
  const service = host.services.find(({ id }) => id === slot.service);
  if (slot.isByHours && chance.is(0.5)) return closeDay(world, host, slot.date);
  if (service?.isOffered && chance.is(0.5)) return changeServiceOf(world, host, service, { isOffered: false });
  return isBusyElsewhere(world, host, [{ startsAt: slot.startsAt, minutes: 30 }]);
};

const endOverdue: Act = async (world) => {
  await attempt(() => world.db.run(endHolds(world.now)));
  world.said = 'the alarm ends overdue holds';
};

const runHourlyJob: Act = async (world) => {
  await attempt(() => tidyWaitlist(world.db, world.now));
  const due = await hostsToApplyAgain(world);
  await attempt(() => carryHours(world.db, world.now));
  const left = await hostsToApplyAgain(world);
  for (const host of due.filter((one) => !left.includes(one))) adoptMade(host);
  world.said = 'the hourly job runs';
};

export const waitlistActs: Record<string, [act: Act, weight: number]> = {
  book: [book, 18],
  series: [bookSeveral, 5],
  cancel: [cancel, 10],
  withdraw: [withdraw, 3],
  move: [move, 3],
  publish: [publish, 2],
  hours: [setOtherHours, 3],
  wish: [wish, 16],
  earlier: [waitForEarlier, 4],
  take: [take, 10],
  pass: [pass, 4],
  remove: [waitNoMore, 1],
  offer: [offer, 1],
  rules: [changeRules, 3],
  limit: [limit, 6],
  service: [changeService, 2],
  bar: [bar, 4],
  party: [invite, 2],
  calendar: [readCalendar, 2],
  alarm: [endOverdue, 1],
  job: [runHourlyJob, 1],
};
