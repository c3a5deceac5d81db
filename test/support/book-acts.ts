import { markAttendance } from '../../app/domain/bookings/attendance.server';
import { cancelAppointment } from '../../app/domain/bookings/book.server';
import { bookAsNewGuest } from '../../app/domain/bookings/book-as-new-guest.server';
import { bookForPerson } from '../../app/domain/bookings/book-for.server';
import { bookFor, walkInOf } from '../../app/domain/bookings/walk-ins.server';
import { deleteAccount } from '../../app/domain/leaving/delete.server';
import type { Passwords } from '../../app/domain/login/passwords.server';
import { mergePeople } from '../../app/domain/people/merge.server';
import { bookSeries } from '../../app/domain/series/book-series.server';
import { bringBack, withdrawSlots } from '../../app/domain/slots/withdraw.server';
import { setStandingTimes } from '../../app/domain/standing/standing.server';
import { addDays, hour, localTimeOf, weekdayOf } from '../../app/domain/time/clock';
import { todayIn } from '../../app/domain/time/zones';
import { Chance } from '../habits/chance';
import { anyTimeActs } from './any-time-acts';
import { join, stored } from './history';
import { unbound } from './plain-shop';
import { type Book, type Host, isUnwanted, type Reading, type Slot, whyNot } from './plain-waitlist';
import { shopActs } from './shop-acts';
import {
  type Act,
  actorOf,
  anySlot,
  attempt,
  Broken,
  bookingOf,
  cardsOf,
  comingOf,
  hostOf,
  isOverdue,
  judge,
  links,
  nameOf,
  outcome,
  readBook,
  timeWords,
  type World,
  waitlistActs,
  withBooked,
} from './waitlist-world';

/* What else may happen to the book: guests, people for whom a provider books, standing times, cards, and who leaves. */

/** Nobody whom the plain rules know. */
const somebody = { id: 'somebody', name: 'somebody', isGuest: false };

const whyNotFor = (found: Book, host: Host, slot: Slot, service: string | null, now: number, reading: Reading) => {
  const needsTime = service !== null && slot.service === null;
  return whyNot(found, unbound(host, needsTime), { who: somebody, slot, service, people: 1 }, now, reading);
};

/** A slot, the service to book there if any, and how to say so. */
function anyTime(world: World, found: Book, chance: Chance) {
  const slot = anySlot(world, found, chance);
  if (!slot) return undefined;
  const host = hostOf(world, slot);
  const service = chance.is(0.5) ? chance.of(host.services).id : slot.service;
  const name = host.services.find(({ id }) => id === service)?.name ?? 'the time';
  return { slot, host, service, words: `${name} at ${timeWords(world, slot)}` };
}

let guests = 0;

const bookUnknown: Act = async (world, found, chance) => {
  const time = anyTime(world, found, chance);
  if (!time) return;
  const { slot, host, service, words } = time;
  const id = links.repeatableIdOf('guest', String(guests++));
  const name = `guest ${guests}`;
  const email = chance.is(0.5) ? `${chance.of(['gus', 'gwen'])}@example.org` : null;
  const request = {
    id,
    sessionId: id,
    edgeZone: null,
    origin: null,
    wanted: { id: slot.id },
    service,
    submitted: null,
  };
  const details = { displayName: name, email, timeZone: 'UTC' };
  const result = await attempt(() => bookAsNewGuest(world.db, { ...request, details }, world.now));
  world.said = `${name} books ${words}: ${outcome(result)}`;
  const who = { id, name, isGuest: true };
  if (!isOverdue(found, world.now)) {
    const wanted = { who, slot, service, people: 1 };
    judge('a guest’s booking', 'done' in result, (how) => whyNot(found, host, wanted, world.now, how), world.said);
  }
  if ('refused' in result || !result.done.actor) return;
  world.people.set(id, who);
  world.actors.set(id, result.done.actor);
};

/** For somebody at the telephone, or for one of the provider's cards. */
const bookForSomebody: Act = async (world, found, chance) => {
  const time = anyTime(world, found, chance);
  if (!time) return;
  const { slot, host, service, words } = time;
  const actor = actorOf(world, host.id);
  const cards = await cardsOf(host);
  const given = { id: slot.id, service, note: null, phone: null, submitted: null, key: crypto.randomUUID() };
  const isNew = cards.length === 0 || chance.is(0.4);
  const person = isNew ? undefined : chance.of(cards).id;
  const had =
    person && (await stored('SELECT 1 FROM bookings WHERE person_id = ? AND starts_at = ?', person, slot.startsAt));
  const walkIn = () => walkInOf(links, actor, { ...given, displayName: 'Wanda', email: null });
  const result = await attempt(() =>
    person
      ? bookForPerson(world.db, links, actor, { ...given, personId: person }, world.now)
      : bookFor(world.db, actor, { id: slot.id, service }, walkIn(), world.now),
  );
  world.said = `${host.name} books ${words} for ${person ? nameOf(world, person) : 'somebody new'}: ${outcome(result)}`;
  // Of a class they may have a seat, or a hold.
  if (isOverdue(found, world.now) || (had && had.length > 0)) return;
  const isGone = 'refused' in result && /deleted their account/.test(result.refused.message);
  // What its provider has switched off, they still book for somebody.
  const withAll = { ...host, services: host.services.map((one) => ({ ...one, isOffered: true })) };
  const why = (how: Reading) => whyNotFor(found, withAll, slot, service, world.now, how);
  if (!isGone) judge('booking for somebody', 'done' in result, why, world.said);
};

const bookSeriesForSomebody: Act = async (world, found, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const cards = await cardsOf(host);
  const open = comingOf(
    found,
    world,
    ({ provider, state, seats }) => provider === host.id && state === 0 && seats === 1,
  );
  const slots = open.filter(() => chance.is(0.3)).slice(0, 4);
  if (slots.length < 2 || cards.length === 0) return;
  const service = chance.is(0.4) ? chance.of(host.services).id : null;
  const personId = chance.of(cards).id;
  const request = {
    ids: slots.map(({ id }) => id),
    service,
    people: 1,
    personId,
    phone: null,
    address: null,
    formData: null,
  };
  const writing = { links, key: crypto.randomUUID(), now: world.now };
  const result = await attempt(() => bookSeries(world.db, actorOf(world, host.id), request, writing));
  const times = slots.map((slot) => timeWords(world, slot)).join(', ');
  world.said = `${host.name} books a series for ${nameOf(world, personId)}, ${times}: ${outcome(result)}`;
  const isGone = 'refused' in result && /deleted their account/.test(result.refused.message);
  if (isOverdue(found, world.now) || isGone) return;
  const why = (how: Reading) => {
    let soFar = found;
    for (const { id } of slots) {
      const slot = soFar.slots.find((one) => one.id === id) as Slot;
      const reason = whyNotFor(soFar, host, slot, service, world.now, how);
      if (reason) return reason;
      soFar = withBooked(soFar, host, bookingOf(slot, somebody, service, 1));
    }
    return null;
  };
  judge('a series for somebody', 'done' in result, why, world.said);
};

/** Withdraws a day, or all, and notes the key that brings it back. */
const withdrawMany: Act = async (world, found, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const date = addDays(todayIn(host.zone, world.now), chance.below(4));
  const choice = chance.is(0.8) ? { date } : 'all';
  const key = crypto.randomUUID();
  const result = await attempt(() => withdrawSlots(world.db, actorOf(world, host.id), choice, { now: world.now, key }));
  world.said = `${host.name} withdraws ${choice === 'all' ? 'all times' : date}: ${outcome(result)}`;
  const own = comingOf(found, world, (slot) => slot.provider === host.id && (choice === 'all' || slot.date === date));
  const untouched = own.filter(({ state, taken }) => state === 0 && taken === 0);
  const starts = untouched.map(({ startsAt }) => startsAt);
  if (starts.length > 0) world.withdrawals.push({ host: host.id, key, at: world.now, starts });
};

const bringLastBack: Act = async (world, found, chance) => {
  const recent = world.withdrawals.filter(({ host, at }) => world.hosts.has(host) && at > world.now - 20 * hour);
  if (recent.length === 0) return;
  const { host: id, key, starts } = chance.of(recent);
  const host = world.hosts.get(id) as Host;
  const result = await attempt(() => bringBack(world.db, actorOf(world, id), key, world.now));
  world.said = `${host.name} brings back ${'done' in result ? result.done : 'none'} of what was withdrawn: ${outcome(result)}`;
  if ('refused' in result) throw new Broken('a withdrawal can be brought back for a day', world.said);
  world.isBroughtBack = true;
  const { slots } = await readBook(world.now);
  // What is booked there by now is theirs again too, unless it was withdrawn by another act meanwhile.
  host.withdrawn = host.withdrawn.filter((start) => !starts.includes(start));
  const wereWithdrawn = new Set(
    found.slots.filter((slot) => slot.provider === id && slot.state === 2).map(({ startsAt }) => startsAt),
  );
  const isBack = (slot: Slot) => slot.provider === id && slot.state !== 2 && wereWithdrawn.has(slot.startsAt);
  host.published.push(
    ...slots.filter((slot) => isBack(slot) && isUnwanted(host, slot)).map(({ startsAt }) => startsAt),
  );
};

const standing: Act = async (world, found, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const cards = await cardsOf(host);
  const slots = comingOf(found, world, ({ provider, seats }) => provider === host.id && seats === 1);
  if (cards.length === 0 || slots.length === 0) return;
  const { id } = chance.of(cards);
  const times = [chance.of(slots), chance.of(slots)].slice(0, chance.below(3));
  const chosen = new Map(
    times.map((slot) => {
      const start = localTimeOf(slot.startsAt, host.zone);
      const from = todayIn(host.zone, world.now);
      const service = chance.is(0.4) ? chance.of(host.services).id : null;
      const time = { day: weekdayOf(slot.date), start, every: 7 as const, from, until: null, service };
      return [`${time.day} ${start}`, time];
    }),
  );
  const list = [...chosen.values()];
  const result = await attempt(() =>
    setStandingTimes(world.db, links, actorOf(world, host.id), { id, list }, world.now),
  );
  world.said = `${host.name} keeps ${[...chosen.keys()].join(' and ') || 'no time'} for ${nameOf(world, id)}: ${outcome(result)}`;
};

const seriesSql = `SELECT id, booker_id AS booker, provider_id AS provider, series_id AS series, starts_at AS startsAt, person_id AS person
  FROM bookings WHERE series_id IS NOT NULL AND status = 1 AND starts_at > ? ORDER BY starts_at`;
type InSeries = { id: string; booker: string; provider: string; series: string; startsAt: number; person: string };

const cancelLater: Act = async (world, _, chance) => {
  const inSeries = await stored<InSeries>(seriesSql, world.now);
  if (inSeries.length === 0) return;
  const one = chance.of(inSeries);
  const by = chance.of(world.actors.has(one.booker) ? [one.booker, one.provider] : [one.provider]);
  const given = { id: one.id, reason: null, following: true };
  const result = await attempt(() => cancelAppointment(world.db, actorOf(world, by), given, world.now));
  world.said = `${nameOf(world, by)} cancels ${timeWords(world, one)} and later ones: ${outcome(result)}`;
  const left = (await stored<InSeries>(seriesSql, world.now)).filter(
    ({ series, startsAt, person, booker }) =>
      series === one.series &&
      startsAt >= one.startsAt &&
      person === one.person &&
      (by === one.provider || booker === by),
  );
  if ('done' in result && left.length > 0) throw new Broken('“and later ones” cancels all later ones', world.said);
};

const merge: Act = async (world, _, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const cards = await cardsOf(host);
  if (cards.length < 2) return;
  const [id, into] = [chance.of(cards).id, chance.of(cards).id];
  const result = await attempt(() => mergePeople(world.db, actorOf(world, host.id), { id, into }, world.now));
  world.said = `${host.name} merges the cards of ${nameOf(world, id)} and ${nameOf(world, into)}: ${outcome(result)}`;
  if ('refused' in result) throw new Broken('any two cards can be merged', world.said);
  const had = await stored('SELECT 1 FROM bookings WHERE provider_id = ? AND person_id = ?', host.id, id);
  if (id !== into && had.length > 0) throw new Broken('a merged card has no appointments left', world.said);
};

const attend: Act = async (world, _, chance) => {
  const past = await stored<{ id: string; provider: string }>(
    'SELECT id, provider_id AS provider FROM bookings WHERE status = 1 AND starts_at <= ? ORDER BY starts_at DESC LIMIT 20',
    world.now,
  );
  const known = past.filter(({ provider }) => world.hosts.has(provider));
  if (known.length === 0) return;
  const { id, provider } = chance.of(known);
  const as = chance.of(['seen', 'missed', 'unknown'] as const);
  const result = await attempt(() => markAttendance(world.db, actorOf(world, provider), { id, as }, world.now));
  world.said = `${nameOf(world, provider)} marks somebody ${as}: ${outcome(result)}`;
};

const passwords: Passwords = { hash: async () => 'none', verify: async () => ({ right: true, outdated: false }) };

/** Somebody leaves, and with an account another one comes. */
const leave: Act = async (world, found, chance) => {
  const who = chance.of([...world.people.values()]);
  const given = { password: 'Correct horse 1' };
  const writing = { now: world.now, origin: null };
  const result = await attempt(() => deleteAccount(world.db, passwords, actorOf(world, who.id), given, writing));
  world.said = `${who.name} deletes the account: ${outcome(result)}`;
  if ('refused' in result) throw new Broken('anybody can leave', world.said);
  for (const wish of found.wishes) if (wish.who === who.id) world.removed.add(wish.id);
  const left = await stored(
    'SELECT 1 FROM bookings WHERE booker_id = ? AND status < 2 AND starts_at > ?',
    who.id,
    world.now,
  );
  if (left.length > 0) throw new Broken('whoever leaves has no appointment left', world.said);
  world.people.delete(who.id);
  world.actors.delete(who.id);
  if (who.isGuest) return;
  const name = `${who.name.replace(/\d+$/, '')}${world.now}`;
  const actor = await join(world.db, { username: name, displayName: name, timeZone: 'UTC', role: 'Consumer' });
  world.people.set(actor.accountId, { id: actor.accountId, name, isGuest: false });
  world.actors.set(actor.accountId, actor);
};

const bookActs: Record<string, [act: Act, weight: number]> = {
  guest: [bookUnknown, 3],
  'for somebody': [bookForSomebody, 4],
  'series for somebody': [bookSeriesForSomebody, 2],
  'withdraw many': [withdrawMany, 1],
  'bring back': [bringLastBack, 1],
  standing: [standing, 2],
  'cancel later': [cancelLater, 2],
  merge: [merge, 1],
  attend: [attend, 1],
  leave: [leave, 1],
};

const everywhere = { ...waitlistActs, ...bookActs, ...anyTimeActs };
export const acts = { ...everywhere, ...shopActs };
/** What may be refused, and must be done at times. */
export const mustBeDone = Object.keys({ ...anyTimeActs, ...shopActs });
const byWeight = (some: typeof acts) =>
  Object.entries(some).flatMap(([name, [, weight]]) => Array.from({ length: weight }, () => name));
const [inShops, elsewhere] = [byWeight(acts), byWeight(everywhere)];

/** One step: what happens, how much later, and a seed for the rest, so that a step is the same after fewer others. */
export type Step = { name: string; later: number; seed: number };

export const anyStep = (chance: Chance, hasShop: boolean): Step => ({
  name: chance.of(hasShop ? inShops : elsewhere),
  later: chance.is(0.08) ? chance.below(6) * hour : 1000 + chance.below(60_000),
  seed: chance.below(2 ** 31),
});

/** Does the step at the world's time. @throws Broken */
export async function act(world: World, found: Book, { name, seed }: Step): Promise<void> {
  Object.assign(world, {
    said: '',
    removed: new Set(),
    passed: new Set(),
    booked: [],
    withdraws: false,
    isBroughtBack: false,
  });
  await (acts[name] as [Act, number])[0](world, found, new Chance(seed));
}
