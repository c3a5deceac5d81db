import { bookAppointment } from '../../app/domain/bookings/book.server';
import { moveAppointment } from '../../app/domain/bookings/move.server';
import { findUnavailableTime } from '../../app/domain/bookings/nearest-times.server';
import { bookFor, walkInOf } from '../../app/domain/bookings/walk-ins.server';
import { readBookingChoice, readMoveChoice } from '../../app/domain/calendar/move-choice.server';
import { findProviderPage } from '../../app/domain/calendar/provider-page.server';
import type { Actor } from '../../app/domain/profile/accounts';
import { bookSeries } from '../../app/domain/series/book-series.server';
import { previewSeries } from '../../app/domain/series/preview.server';
import { listOpenDates } from '../../app/domain/slots/open-dates.server';
import { listOpenSlots } from '../../app/domain/slots/open-slots.server';
import { listTimes } from '../../app/domain/slots/times.server';
import { listStandingTimes } from '../../app/domain/standing/standing.server';
import { addDays, day, minute } from '../../app/domain/time/clock';
import { monthOf } from '../../app/domain/time/month';
import type { Db } from '../../db/client';
import { Chance } from '../habits/chance';
import { stored } from './history';
import { type Book, type Host, isBusy, type Slot } from './plain-waitlist';
import { refusalOf } from './tries';
import { Broken, hostOf, isOverdue, links, timeWords, type World } from './waitlist-world';

/*
 * A list shows exactly what booking accepts: times that it shows and times that it leaves out are tried, and each try is undone. No
 * rule for booking is said here.
 */

type Time = { id: string; startsAt: number };
type Page = { rows: Time[]; hasMore: boolean };

/** A list, what its times are chosen from, and what booking one of them is. */
type List = {
  name: string;
  host: Host;
  shown: Time[];
  /** Times that the list may leave out only because they can't be booked. */
  possible: Time[];
  book: (db: Db, time: Time) => Promise<unknown>;
};

type Reader = (world: World, found: Book, chance: Chance, now: number) => Promise<List | undefined>;

/** How many times of a list are tried after a step, of those shown and of those left out. */
const tried = 2;

async function readAll(read: (page: number) => Promise<Page>): Promise<Time[]> {
  const times: Time[] = [];
  for (let page = 0; ; page++) {
    const { rows, hasMore } = await read(page);
    times.push(...rows);
    if (!hasMore) return times;
  }
}

const openOf = ({ slots }: Book, host: Host, now: number): Slot[] =>
  slots.filter(({ provider, state, startsAt }) => provider === host.id && state === 0 && startsAt > now);

const anyHost = ({ hosts }: World, chance: Chance): Host => chance.of([...hosts.values()]);
const anyService = ({ services }: Host, chance: Chance) => (chance.is(0.7) ? chance.of(services) : null);

const bookAs =
  (actor: Actor, service: string | null, now: number): List['book'] =>
  (db, { id }) =>
    bookAppointment(db, actor, { id, service, submitted: null }, now);

/** The times of a provider, for people who have none of them. */
const freeTimes: Reader = async (world, found, chance, now) => {
  const host = anyHost(world, chance);
  const service = anyService(host, chance)?.id ?? null;
  const shown = await readAll((page) =>
    service === null
      ? listOpenSlots(world.db, { provider: host.name, dates: undefined, page }, now)
      : listTimes(world.db, { provider: host.name, service, page }, now),
  );
  const name = `free times for ${service ?? 'anything'}`;
  return { name, host, shown, possible: openOf(found, host, now), book: bookAs(world.stranger, service, now) };
};

/** The provider's page on one day. */
const dayOfProvider: Reader = async (world, found, chance, now) => {
  const host = anyHost(world, chance);
  const open = openOf(found, host, now);
  if (open.length === 0) return undefined;
  const { date } = chance.of(open);
  const service = anyService(host, chance)?.id;
  const wanted = { username: host.name, dates: [date], service, page: 0 };
  const shown = await findProviderPage(world.db, wanted, now);
  if (!shown || shown.hasMore) return undefined;
  const days = await listOpenDates(world.db, host.name, now, shown.service?.id ?? null);
  const free = shown.times.filter(({ places }) => places !== 0);
  if (days.includes(date) !== free.length > 0) {
    throw new Broken('a day is shown if it has a time', `${host.name}, ${date}, ${free.length} times`);
  }
  const possible = open.filter((slot) => slot.date === date);
  const book = bookAs(world.stranger, shown.service?.id ?? null, now);
  return { name: 'a provider’s day', host, shown: free, possible, book };
};

/** What a provider sees who books for somebody: “Book again”. */
const bookAgain: Reader = async (world, found, chance, now) => {
  const host = anyHost(world, chance);
  const actor = world.actors.get(host.id) as Actor;
  const service = anyService(host, chance);
  const open = openOf(found, host, now);
  if (open.length === 0) return undefined;
  const { date } = chance.of(open);
  const wanted = { service: service?.id ?? null, person: '', month: monthOf(date), day: date };
  const { times, nearest, days } = await readBookingChoice(world.db, actor, wanted, now);
  if (days.includes(date) !== times.length > 0) {
    throw new Broken('a day is shown if it has a time', `${host.name}, ${date}, ${times.length} times`);
  }
  for (const { startsAt, busyWith } of [...times, ...nearest]) {
    const slot = found.slots.find((one) => one.provider === host.id && one.startsAt === startsAt) as Slot;
    if (isBusy(host, slot) !== (busyWith !== null))
      throw new Broken('“Book again” marks the times at which the provider has something else', timeWords(world, slot));
  }
  const book: List['book'] = (db, { id }) => {
    const given = { id, key: crypto.randomUUID(), displayName: 'Wanda', email: null, phone: null, note: null };
    const walkIn = walkInOf(links, actor, { ...given, submitted: null });
    return bookFor(db, actor, { id, service: service?.id }, walkIn, now);
  };
  return {
    name: `“Book again” for ${service?.name ?? 'anything'}`,
    host,
    shown: [...times, ...nearest],
    possible: open.filter((slot) => slot.date === date),
    book,
  };
};

/** The times of a day to which a booking may be moved, by its client or by their provider. */
const moveChoice: Reader = async (world, found, chance, now) => {
  const own = found.bookings.filter(
    ({ isHeld, startsAt, provider }) => !isHeld && startsAt > now && world.hosts.has(provider),
  );
  if (own.length === 0) return undefined;
  const old = chance.of(own);
  const host = hostOf(world, old);
  const open = openOf(found, host, now);
  if (open.length === 0) return undefined;
  const { date } = chance.of(open);
  const client = world.actors.get(old.who);
  const isOwn = client === undefined || chance.is(0.5);
  const actor = isOwn ? (world.actors.get(host.id) as Actor) : client;
  // What a person may have at most is said by the form, not by the list.
  if (!isOwn && host.perPerson !== null) return undefined;
  const { times, nearest } = await readMoveChoice(
    world.db,
    { id: old.id },
    { day: date, ...(isOwn && { member: host.id }) },
    now,
  );
  const book: List['book'] = (db, { id }) =>
    moveAppointment(db, actor, { id: old.id, to: id, submitted: null, reason: null, republish: false }, now);
  // A client may move within a full day, whose other times the list hides; a provider may move into busy time, which it hides too.
  const isWhole = isOwn || host.perDay === null;
  const possible = isWhole ? open.filter((slot) => slot.date === date && !isBusy(host, slot)) : [];
  const name = `where ${timeWords(world, old)} may be moved by ${isOwn ? 'its provider' : 'its client'}`;
  return { name, host, shown: [...times, ...nearest], possible, book };
};

/** The dates of a series, and the times that are shown instead of one that is not free. */
const series: Reader = async (world, found, chance, now) => {
  const host = anyHost(world, chance);
  const open = openOf(found, host, now);
  if (open.length === 0) return undefined;
  const first = chance.of(open);
  const service = anyService(host, chance)?.id ?? null;
  const plan = { id: first.id, every: 7 as const, until: addDays(first.date, 8), service, people: 1 };
  const { dates } = await previewSeries(world.db, world.stranger, plan, now);
  const wordless = dates.find(({ id, why }) => (id === null) === (why === null));
  if (wordless) throw new Broken('a date that a series can’t have has a reason', `${host.name}, ${wordless.date}`);
  const shown = dates.flatMap(({ id, nearest }) => [
    ...(id === null ? [] : [{ id, startsAt: first.startsAt }]),
    ...nearest,
  ]);
  const request = { service, people: 1, personId: null, phone: null, address: null, formData: null };
  const book: List['book'] = (db, { id }) =>
    bookSeries(db, world.stranger, { ...request, ids: [id] }, { links, key: crypto.randomUUID(), now });
  return { name: `a series from ${timeWords(world, first)}`, host, shown, possible: [first], book };
};

/** The times near a date of a standing time that could not be booked. */
const nearMissedDate: Reader = async (world, _, chance, now) => {
  const waiting = await stored<{ provider: string; person: string }>(
    "SELECT provider_id AS provider, person_id AS person FROM standing_times WHERE missed <> '[]' ORDER BY id",
  );
  if (waiting.length === 0) return undefined;
  const { provider, person } = chance.of(waiting);
  const host = hostOf(world, { provider });
  const actor = world.actors.get(host.id) as Actor;
  const times = await listStandingTimes(world.db, actor, person, now);
  if (times.length === 0) return undefined;
  const { missed: dates, service } = chance.of(times);
  const shown = dates.flatMap(({ nearest }) => nearest).filter(({ startsAt }) => startsAt > now);
  const book: List['book'] = (db, { id }) => {
    const given = { id, key: crypto.randomUUID(), displayName: 'Wanda', email: null, phone: null, note: null };
    const walkIn = walkInOf(links, actor, { ...given, submitted: null });
    return bookFor(db, actor, { id, service }, walkIn, now);
  };
  return { name: 'times near a standing time', host, shown, possible: [], book };
};

/** The times near one that can't be booked. */
const nearUnavailable: Reader = async (world, found, chance, now) => {
  const host = anyHost(world, chance);
  const slots = found.slots.filter(({ provider, startsAt }) => provider === host.id && startsAt > now);
  if (slots.length === 0) return undefined;
  const slot = chance.of(slots);
  const service = slot.service === null && chance.is(0.5) ? chance.of(host.services).id : slot.service;
  const unavailable = await findUnavailableTime(world.db, slot.id, now, { service });
  const book = bookAs(world.stranger, service, now);
  if (!unavailable)
    return { name: 'times near a free one', host, shown: slot.state === 0 ? [slot] : [], possible: [], book };
  const nearest = unavailable.nearest.filter(({ service: own }) => service !== null || own === null);
  return { name: `times near ${timeWords(world, slot)}`, host, shown: nearest, possible: [], book };
};

const readers = [freeTimes, dayOfProvider, bookAgain, bookAgain, moveChoice, series, nearMissedDate, nearUnavailable];

/** Up to so many of a list, at random; half of them while the provider has something else, if there are such. */
function some(list: Time[], chance: Chance, isAtBusyTime: (time: Time) => boolean): Time[] {
  const busy = list.filter(isAtBusyTime);
  return Array.from({ length: Math.min(tried, list.length) }, () =>
    chance.of(busy.length > 0 && chance.is(0.5) ? busy : list),
  );
}

/** A full class is on its provider's page where it would be if it had a place left. @throws Broken */
async function fullClassesAreShown(world: World, found: Book, chance: Chance, now: number): Promise<void> {
  const full = found.slots.filter((slot) => {
    if (slot.seats < 2 || slot.state !== 1 || !world.hosts.has(slot.provider)) return false;
    const host = hostOf(world, slot);
    const isLate = slot.startsAt <= now || slot.startsAt < now + host.notice * minute;
    const isEarly = host.horizonDays !== null && slot.startsAt > now + host.horizonDays * day;
    const isOffered = host.services.some(({ id, isOffered }) => id === slot.service && isOffered);
    return !isLate && !isEarly && isOffered && !isBusy(host, slot);
  });
  if (full.length === 0) return;
  const { provider, date, service } = chance.of(full);
  const host = hostOf(world, { provider });
  const isFirstPage = chance.is(0.5);
  const chosen = chance.is(0.5) ? (service ?? undefined) : undefined;
  const wanted = { username: host.name, dates: isFirstPage ? undefined : [date], service: chosen, page: 0 };
  const page = await findProviderPage(world.db, wanted, now);
  if (!page) return;
  const last = page.hasMore ? (page.times.at(-1)?.startsAt ?? 0) : Number.POSITIVE_INFINITY;
  const isThere = (slot: Slot) =>
    slot.provider === provider &&
    page.dates.includes(slot.date) &&
    slot.startsAt <= last &&
    (page.service === null || page.service.id === slot.service);
  const hidden = full.find(
    (slot) => isThere(slot) && !page.times.some(({ id, places }) => id === slot.id && places === 0),
  );
  if (hidden) {
    const words = `${isFirstPage ? 'the first page' : 'its day'}, ${timeWords(world, hidden)}`;
    throw new Broken('a full class is shown as full', words);
  }
}

/** Reads one list and tries what it shows, and what it leaves out. @throws Broken */
export async function listsAreRight(world: World, found: Book, seed: number): Promise<void> {
  const chance = new Chance(seed ^ 0x2545f491);
  const now = world.now + 1;
  if (isOverdue(found, now)) return;
  await fullClassesAreShown(world, found, chance, now);
  const list = await chance.of(readers)(world, found, chance, now);
  if (!list) return;
  const { name, shown, possible, book } = list;
  const words = ({ startsAt }: Time) => `${name}: ${timeWords(world, { startsAt, provider: list.host.id })}`;
  const isAtBusyTime = ({ startsAt }: Time) => {
    const slot = found.slots.find((one) => one.provider === list.host.id && one.startsAt === startsAt);
    return slot !== undefined && isBusy(list.host, slot);
  };
  for (const time of some(shown, chance, isAtBusyTime)) {
    const refusal = await refusalOf((db) => book(db, time), now);
    if (refusal !== null)
      throw new Broken('a time that a list shows can be booked', `${words(time)}, but “${refusal}”`);
  }
  const isShown = new Set(shown.map(({ startsAt }) => startsAt));
  const others = possible.filter(({ startsAt }) => !isShown.has(startsAt));
  for (const time of some(others, chance, isAtBusyTime)) {
    const refusal = await refusalOf((db) => book(db, time), now);
    if (refusal === null) throw new Broken('a time that can be booked is in the list', words(time));
    if (refusal.trim() === '') throw new Broken('what is refused has a reason', words(time));
  }
}
