import { bookAppointment } from '../../app/domain/bookings/book.server';
import { bookAsNewGuest } from '../../app/domain/bookings/book-as-new-guest.server';
import { moveAppointment } from '../../app/domain/bookings/move.server';
import { bookFor, walkInOf } from '../../app/domain/bookings/walk-ins.server';
import type { LeavingChoice } from '../../app/domain/hand-over/hand-over';
import { handOverAppointments, previewHandOver } from '../../app/domain/hand-over/hand-over.server';
import { leaveWith } from '../../app/domain/hand-over/leave.server';
import { parse } from '../../app/domain/input/fields';
import type { Actor } from '../../app/domain/profile/accounts';
import { bookSeriesWithAnyone } from '../../app/domain/series/with-anyone.server';
import { serviceInput } from '../../app/domain/services/service-input';
import { createService, listServices } from '../../app/domain/services/services.server';
import { invite, join } from '../../app/domain/shop/joining.server';
import { openShop, setColleague } from '../../app/domain/shop/shops.server';
import { setDoers } from '../../app/domain/slots/set-doers.server';
import { addDays } from '../../app/domain/time/clock';
import { todayIn } from '../../app/domain/time/zones';
import type { Chance } from '../habits/chance';
import { once, publishTimes, start, stored } from './history';
import { inTurn, type Shop, type Terms, whyNotPassedOn, withPassedOn } from './plain-shop';
import { type Book, type Booking, type Host, type Person, type Reading, type Slot, whyNot } from './plain-waitlist';
import {
  type Act,
  actorOf,
  attempt,
  Broken,
  bookingOf,
  comingOf,
  hostOf,
  isOverdue,
  judge,
  links,
  nameOf,
  outcome,
  publishedAgain,
  readBook,
  timeWords,
  type World,
  withBooked,
} from './waitlist-world';

/* What happens in a shop: anyone is booked, bookings go to colleagues, and people come, go and take no appointments. */

const ownerOf = (world: World, { owner }: Shop): Actor => actorOf(world, owner);

/** The owner at the desk, in the book of a colleague or of the shop. */
export const deskOf = (world: World, shop: Shop, book: string): Actor => {
  const owner = ownerOf(world, shop);
  if (book === owner.accountId) return owner;
  return { ...owner, accountId: book, memberId: owner.accountId, ...(book === shop.id && { isShop: true as const }) };
};

const joinShop = async (world: World, shop: Shop, host: Host, role: 'desk' | 'colleague') => {
  const { key } = await invite(world.db, links, ownerOf(world, shop), { role }, once(world.now));
  await join(world.db, actorOf(world, host.id), key, world.now);
  shop.people.push({ id: host.id, role, takes: true });
  host.shop = shop.id;
};

/** All providers of the world become colleagues, who do one service of the house; somebody has another price or length. */
export async function openHouse(world: World, chance: Chance): Promise<void> {
  const { db } = world;
  const [first, ...others] = [...world.hosts.values()] as [Host, ...Host[]];
  const owner = actorOf(world, first.id);
  const opening = { username: 'house', displayName: 'house', location: 'Oslo', address: null, phone: null };
  const { id } = await openShop(db, owner, opening, once(start));
  const shop: Shop = { id, name: 'house', owner: first.id, service: '', people: [] };
  shop.people.push({ id: first.id, role: 'owner', takes: true });
  first.shop = id;
  world.shop = shop;
  for (const host of others) await joinShop(world, shop, host, chance.of(['desk', 'colleague']));
  const isClass = chance.is(0.2);
  const times = isClass ? { minutes: 60, seats: 2 } : { minutes: chance.of([30, 45, 60]), gap: chance.of([0, 0, 15]) };
  const draft = parse(serviceInput, { name: 'Trim', price: '20 €', ...times });
  const desk = deskOf(world, shop, id);
  shop.service = (await createService(db, desk, draft, once(start))).id;
  const doers = [first, ...others].map(({ name }) => {
    const isOwn = !isClass && chance.is(0.15);
    const how = chance.is(0.5) ? { price: '30 €' } : { minutes: 90 };
    return { username: name, offered: true, ...(isOwn && how) };
  });
  await setDoers(db, desk, { id: shop.service, doers }, start);
  for (const host of [first, ...others]) host.services = await listServices(db, actorOf(world, host.id));
}

const colleaguesOf = (world: World, { people }: Shop): Host[] => people.map(({ id }) => world.hosts.get(id) as Host);

/** All colleagues publish the same times of a day, so that there is somebody to choose from. */
const publishForAll: Act = async (world, _, chance) => {
  if (!world.shop) return;
  const hosts = colleaguesOf(world, world.shop);
  const [first] = hosts as [Host];
  const dates = [addDays(todayIn(first.zone, world.now), chance.below(4))];
  const [from, end] = chance.of([
    ['08:00', '12:00'],
    ['12:00', '15:00'],
    ['19:30', '22:00'],
  ]);
  const serviceId = chance.is(0.3) ? world.shop.service : undefined;
  const len = serviceId ? null : chance.of([30, 45, 60]);
  let created = 0;
  for (const host of hosts) {
    const times = { start: from, end, dates, len, serviceId };
    const result = await attempt(() => publishTimes(world.db, actorOf(world, host.id), times, once(world.now)));
    if ('done' in result) created += result.done.created;
  }
  world.said = `all publish ${created} times on ${dates} from ${from}, ${serviceId ? 'for Trim' : `each ${len} minutes`}: done`;
};

const nobody: Person = { id: 'nobody', name: 'nobody', isGuest: false };

/** What anyone may be asked for: mostly what some are free for, and often what several are. */
function anyWish(
  world: World,
  found: Book,
  shop: Shop,
  chance: Chance,
): { slot: Slot; service: string | null } | undefined {
  const ofShop = comingOf(found, world, ({ provider }) => shop.people.some(({ id }) => id === provider));
  if (ofShop.length === 0) return undefined;
  if (chance.is(0.25)) {
    const slot = chance.of(ofShop);
    const { services } = hostOf(world, slot);
    return { slot, service: chance.of([shop.service, slot.service, chance.of(services).id]) };
  }
  const service = chance.is(0.75) ? shop.service : null;
  const wishes = ofShop
    .filter(({ state }) => state === 0)
    .map((slot) => {
      const wish = { slot, service: service ?? slot.service };
      const asked = { who: nobody, startsAt: slot.startsAt, ...wish, people: 1, terms: null, isDesk: false };
      return { ...wish, many: inTurn(found, world.hosts, shop, asked, world.now, 'may').length };
    });
  const [some, several] = [1, 2].map((least) => wishes.filter(({ many }) => many >= least)) as [
    typeof wishes,
    typeof wishes,
  ];
  const list = several.length > 0 && chance.is(0.7) ? several : some.length > 0 ? some : wishes;
  return list.length > 0 ? chance.of(list) : undefined;
}

let guests = 0;

type AnyoneAsked = {
  who: Person;
  isDesk: boolean;
  call: () => Promise<unknown>;
};

/** A client, a new guest, or the desk for somebody asks for anyone at a start. */
function askerOf(
  world: World,
  shop: Shop,
  chance: Chance,
  { at, ...asked }: { at: number; service: string | null; people: number; terms: Terms | null },
): AnyoneAsked {
  const shopTime = { shop: shop.name, start: at };
  const kind = chance.of(['client', 'client', 'client', 'guest', 'desk'] as const);
  if (kind === 'client') {
    const who = chance.of([...world.people.values()]);
    const request = { shopTime, ...asked, submitted: null };
    return { who, isDesk: false, call: () => bookAppointment(world.db, actorOf(world, who.id), request, world.now) };
  }
  const number = String(guests++);
  if (kind === 'desk') {
    const desk = deskOf(world, shop, shop.id);
    const given = { id: `${shop.id} ${at}`, key: crypto.randomUUID(), displayName: 'Wim', email: null };
    const more = { note: null, phone: null, address: null, submitted: null };
    const walkIn = walkInOf(links, desk, { ...given, ...more });
    const who = { id: walkIn.newGuest.id, name: 'the desk for somebody', isGuest: true };
    const { service, people } = asked;
    return { who, isDesk: true, call: () => bookFor(world.db, desk, { shopTime, service, people }, walkIn, world.now) };
  }
  const id = links.repeatableIdOf('anyone', number);
  const who = { id, name: `passer-by ${number}`, isGuest: true };
  const details = { displayName: who.name, email: null, timeZone: 'UTC' };
  const request = {
    ...{ id, sessionId: id, edgeZone: null, origin: null, wanted: { shopTime }, ...asked, details },
    submitted: null,
  };
  const call = async () => {
    const { actor } = await bookAsNewGuest(world.db, request, world.now);
    if (!actor) return;
    world.people.set(id, who);
    world.actors.set(id, actor);
  };
  return { who, isDesk: false, call };
}

const ownAt = ({ bookings }: Book, shop: Shop, who: Person, startsAt: number): Booking[] =>
  bookings.filter((one) => !one.isHeld && one.who === who.id && one.startsAt === startsAt && one.shop === shop.id);

const anyone: Act = async (world, found, chance) => {
  const { shop } = world;
  const wish = shop && anyWish(world, found, shop, chance);
  if (!wish) return;
  const { slot, service } = wish;
  const host = hostOf(world, slot);
  const named = host.services.find(({ id }) => id === service);
  const told = named && { minutes: named.minutes, price: named.price ?? '' };
  const terms = told && chance.is(0.6) ? told : null;
  const people = slot.seats > 1 ? chance.of([1, 1, 2]) : 1;
  const asked = { service, people, terms };
  const { startsAt } = slot;
  const { who, isDesk, call } = askerOf(world, shop, chance, { at: startsAt, ...asked });
  // Who books for somebody is told no terms.
  const wanted = { who, isDesk, startsAt, ...asked, ...(isDesk && { terms: null }) };

  const result = await attempt(call);

  const after = await readBook(world.now);
  const own = ownAt(after, shop, who, startsAt);
  const had = ownAt(found, shop, who, startsAt);
  const [got] = own;
  const words = `${named?.name ?? 'the time'} with anyone at ${timeWords(world, slot)}${terms ? `, as told (${terms.minutes}, ${terms.price})` : ''}`;
  world.said = `${who.name} books ${words} for ${people}: ${got ? `with ${nameOf(world, got.provider)}` : ''}: ${outcome(result)}`;
  if (own.length > Math.max(1, had.length)) throw new Broken('a repeat books nobody else', world.said);
  if (had.length > 0) {
    if ('refused' in result) throw new Broken('a repeat is not refused', world.said);
    if (own.some(({ id }) => !had.some((one) => one.id === id)))
      throw new Broken('a repeat books nobody else', world.said);
    return;
  }
  if ('done' in result && !got) throw new Broken('whoever gets anyone has an appointment', world.said);
  if (isOverdue(found, world.now)) return;
  const turnBy = (reading: Reading) => inTurn(found, world.hosts, shop, wanted, world.now, reading);
  const reasonBy = (reading: Reading) => (turnBy(reading).length > 0 ? null : 'nobody is free');
  judge('booking anyone', 'done' in result, reasonBy, world.said);
  if (!got) return;
  const may = turnBy('may');
  if (!may.includes(got.provider)) throw new Broken('anyone is somebody who takes it and is free', world.said);
  // Whom one reading only holds for free may be passed over.
  const sure = turnBy('must');
  const before = may.slice(0, may.indexOf(got.provider)).filter((id) => sure.includes(id));
  if (before.length > 0) {
    const names = before.map((id) => nameOf(world, id)).join(', ');
    throw new Broken('anyone is who has the smallest share of the day taken', `${world.said}, not ${names}`);
  }
  if (chance.is(0.3)) {
    await attempt(call);
    const again = ownAt(await readBook(world.now), shop, who, startsAt);
    if (again.map(({ id }) => id).join() !== got.id) throw new Broken('a repeat books nobody else', world.said);
  }
};

type Series = { who: Person; starts: number[]; service: string | null };

/** Why a colleague can't keep all of these times; null if they can. */
function whyNotKept(
  world: World,
  found: Book,
  host: Host,
  { who, starts, service }: Series,
  reading: Reading,
): string | null {
  let soFar = found;
  for (const start of starts) {
    const slot = slotOf(soFar, host.id, start);
    if (!slot) return 'no such time';
    const reason = whyNot(soFar, host, { who, slot, service, people: 1 }, world.now, reading);
    if (reason) return reason;
    soFar = withBooked(soFar, host, bookingOf(slot, who, service, 1));
  }
  return null;
}

const seriesWithAnyone: Act = async (world, found, chance) => {
  const { shop } = world;
  const wish = shop && anyWish(world, found, shop, chance);
  if (!wish) return;
  const { slot, service } = wish;
  const others = comingOf(
    found,
    world,
    ({ provider, state, startsAt }) => provider === slot.provider && state === 0 && startsAt !== slot.startsAt,
  )
    .filter(() => chance.is(0.3))
    .slice(0, 2);
  const who = chance.of([...world.people.values()]);
  const starts = [slot, ...others].map(({ startsAt }) => startsAt).sort((one, other) => one - other);
  const hasSome = found.bookings.some((one) => one.who === who.id && starts.includes(one.startsAt));
  if (others.length === 0 || hasSome) return;
  const request = { shop: shop.name, starts, service, people: 1 };
  const more = { personId: null, phone: null, address: null, formData: null };
  const writing = { links, key: crypto.randomUUID(), now: world.now };

  const result = await attempt(() =>
    bookSeriesWithAnyone(world.db, actorOf(world, who.id), { ...request, ...more }, writing),
  );

  const after = await readBook(world.now);
  const own = after.bookings.filter((one) => !one.isHeld && one.who === who.id && starts.includes(one.startsAt));
  const [first] = own;
  const times = starts.map((startsAt) => timeWords(world, { provider: slot.provider, startsAt }));
  const name = hostOf(world, slot).services.find(({ id }) => id === service)?.name ?? 'the times';
  world.said = `${who.name} books a series of ${name} with anyone, as ${times.join(', ')}: ${first ? `with ${nameOf(world, first.provider)}` : ''}: ${outcome(result)}`;
  const isOfOne = own.every(({ provider }) => provider === first?.provider);
  if (own.length !== ('done' in result ? starts.length : 0) || !isOfOne)
    throw new Broken('one colleague keeps a whole series, or nobody', world.said);
  if (isOverdue(found, world.now)) return;
  const colleagues = shop.people.filter(({ takes }) => takes).map(({ id }) => world.hosts.get(id) as Host);
  const keepersBy = (reading: Reading) =>
    colleagues.filter((host) => whyNotKept(world, found, host, { who, starts, service }, reading) === null);
  const reasonBy = (reading: Reading) => (keepersBy(reading).length > 0 ? null : 'nobody can keep it');
  judge('a series with anyone', 'done' in result, reasonBy, world.said);
  if (first && !keepersBy('may').some(({ id }) => id === first.provider))
    throw new Broken('whoever keeps a series can keep it', world.said);
  const turn = inTurn(
    found,
    world.hosts,
    shop,
    { who, startsAt: starts[0] as number, service, people: 1, terms: null, isDesk: false },
    world.now,
    'may',
  );
  const before = first ? turn.slice(0, turn.indexOf(first.provider)) : [];
  const passedOver = keepersBy('must').find(({ id }) => before.includes(id));
  if (passedOver)
    throw new Broken(
      'a series is with whoever has the turn of those who can keep it',
      `${world.said}, not ${passedOver.name}`,
    );
};

const liveIn = (world: World, found: Book, shop: Shop): Booking[] =>
  found.bookings.filter(
    ({ isHeld, startsAt, provider }) =>
      !isHeld && startsAt > world.now && shop.people.some(({ id }) => id === provider),
  );

const personBy = ({ people }: World, { who }: Booking): Person =>
  people.get(who) ?? { id: who, name: 'somebody', isGuest: true };

/** A time of another: mostly one that they could take, in or out of the shop. */
function timeOfOther(world: World, found: Book, shop: Shop, old: Booking, chance: Chance): Slot | undefined {
  const open = comingOf(found, world, ({ provider, state }) => provider !== old.provider && state === 0);
  const who = personBy(world, old);
  const fitting = open.filter(
    (slot) => whyNotPassedOn(found, world.hosts, shop, { old, who, slot, by: 'client' }, world.now, 'may') === null,
  );
  const list = fitting.length > 0 && chance.is(0.8) ? fitting : open;
  return list.length > 0 ? chance.of(list) : undefined;
}

const cancelUntilSql = 'SELECT starts_at - cancel_until * 60000 >= ? AS may FROM bookings WHERE id = ? AND status = 1';

const moveToColleague: Act = async (world, found, chance) => {
  const { shop } = world;
  const live = shop ? liveIn(world, found, shop).filter(({ who }) => world.actors.has(who)) : [];
  if (!shop || live.length === 0) return;
  const old = chance.of(live);
  const slot = timeOfOther(world, found, shop, old, chance);
  if (!slot) return;
  const who = personBy(world, old);
  const [deadline] = await stored<{ may: number }>(cancelUntilSql, world.now, old.id);
  const given = { id: old.id, to: slot.id, submitted: null, reason: null };

  const result = await attempt(() => moveAppointment(world.db, actorOf(world, who.id), given, world.now));

  world.said = `${who.name} moves ${timeWords(world, old)} to a colleague, ${timeWords(world, slot)}: ${outcome(result)}`;
  if (isOverdue(found, world.now)) return;
  const reasonBy = (reading: Reading) =>
    deadline?.may
      ? whyNotPassedOn(found, world.hosts, shop, { old, who, slot, by: 'client' }, world.now, reading)
      : 'too late';
  judge('moving to a colleague', 'done' in result, reasonBy, world.said);
};

/** The owner, or somebody in their own book, who may only do it if they work at the desk. */
const deskMoves: Act = async (world, found, chance) => {
  const { shop } = world;
  const live = shop ? liveIn(world, found, shop) : [];
  if (!shop || live.length === 0) return;
  const old = chance.of(live);
  const slot = timeOfOther(world, found, shop, old, chance);
  if (!slot) return;
  const isOwner = chance.is(0.7);
  const by = isOwner ? deskOf(world, shop, old.provider) : actorOf(world, old.provider);
  const memberId = by.memberId ?? by.accountId;
  const role = shop.people.find(({ id }) => id === memberId)?.role;
  const republish = chance.is(0.5);
  const given = { id: old.id, to: slot.id, submitted: null, reason: null, republish };

  const result = await attempt(() => moveAppointment(world.db, by, given, world.now));

  if ('done' in result && republish) publishedAgain(world, found, old);
  world.withdraws = !republish;
  world.said = `${nameOf(world, memberId)} moves ${timeWords(world, old)} to a colleague, ${timeWords(world, slot)}${republish ? ', to be had again' : ''}: ${outcome(result)}`;
  if (isOverdue(found, world.now)) return;
  const passing = { old, who: personBy(world, old), slot, by: 'desk' as const };
  const reasonBy = (reading: Reading) =>
    role === 'colleague' ? 'no desk' : whyNotPassedOn(found, world.hosts, shop, passing, world.now, reading);
  judge('moving by the desk', 'done' in result, reasonBy, world.said);
};

const slotOf = ({ slots }: Book, provider: string, startsAt: number) =>
  slots.find((slot) => slot.provider === provider && slot.startsAt === startsAt);

/** Who can take a booking over at its own time, in the order of the shop. */
const takersOf = (world: World, found: Book, shop: Shop, old: Booking, reading: Reading): string[] =>
  shop.people.flatMap(({ id }) => {
    const slot = slotOf(found, id, old.startsAt);
    const passing = slot && { old, who: personBy(world, old), slot, by: 'hand-over' as const };
    return passing && whyNotPassedOn(found, world.hosts, shop, passing, world.now, reading) === null ? [id] : [];
  });

const whatStands = ({ bookings }: Book, now: number): string =>
  bookings
    .filter(({ isHeld, startsAt }) => !isHeld && startsAt > now)
    .map(({ id }) => id)
    .sort()
    .join();

const handOver: Act = async (world, found, chance) => {
  const { shop } = world;
  const live = shop ? liveIn(world, found, shop) : [];
  if (!shop || live.length === 0) return;
  const some = live.filter((old) => takersOf(world, found, shop, old, 'may').length > 0);
  const { provider, date } = chance.of(some.length > 0 && chance.is(0.8) ? some : live);
  const former = world.hosts.get(provider) as Host;
  const owner = ownerOf(world, shop);
  const moment = { now: world.now, hasMail: true };
  const days = { of: former.name, from: date, to: date };
  const shown = await previewHandOver(world.db, owner, days, moment);
  const ofDay = live.filter((old) => old.provider === provider && old.date === date);
  const words = `${former.name}’s ${date}`;
  const idsOf = (some: { id: string }[]) =>
    some
      .map(({ id }) => id)
      .sort()
      .join();
  if (idsOf(shown) !== idsOf(ofDay)) throw new Broken('a hand-over shows the appointments of the day', words);
  for (const { id, takers } of shown) {
    const old = ofDay.find((one) => one.id === id) as Booking;
    const [must, may] = (['must', 'may'] as const).map((how) => takersOf(world, found, shop, old, how));
    const ids = takers.map(({ username }) => [...world.hosts.values()].find(({ name }) => name === username)?.id ?? '');
    if (must?.some((one) => !ids.includes(one)) || ids.some((one) => !may?.includes(one))) {
      throw new Broken(
        'a hand-over shows who can take each',
        `${timeWords(world, old)}: ${takers.map(({ username }) => username)}`,
      );
    }
  }
  // As shown, or to anybody.
  const names = colleaguesOf(world, shop).map(({ name }) => name);
  const isAny = chance.is(0.2);
  const takable = shown.filter(({ takers }) => isAny || takers.length > 0).filter(() => chance.is(0.8));
  const moves = takable.map(({ id, takers }) => ({
    id,
    to:
      isAny || takers.length === 0
        ? chance.of(names)
        : chance.is(0.6)
          ? (takers[0]?.username ?? '')
          : chance.of(takers).username,
  }));
  if (moves.length === 0) return;
  const hostNamed = (to: string) => [...world.hosts.values()].find(({ name }) => name === to) as Host;

  const result = await attempt(() => handOverAppointments(world.db, owner, { moves, reason: null }, moment));

  world.withdraws = true;
  const after = await readBook(world.now);
  world.said = `${nameOf(world, owner.accountId)} hands over ${words} ${moves
    .map(({ id, to }) => `${timeWords(world, ofDay.find((one) => one.id === id) as Booking)} to ${to}`)
    .join(', ')}: ${outcome(result)}`;
  const isWhole = moves.every(({ id, to }) =>
    after.bookings.some((one) => one.movedFrom === id && one.provider === hostNamed(to).id),
  );
  const isUntouched = whatStands(found, world.now) === whatStands(after, world.now);
  if ('done' in result ? !isWhole : !isUntouched) {
    throw new Broken('a hand-over happens as a whole or not at all', world.said);
  }
  if (isOverdue(found, world.now)) return;
  const reasonBy = (reading: Reading) => {
    let soFar = found;
    for (const { id, to } of moves) {
      const old = ofDay.find((one) => one.id === id) as Booking;
      const taker = hostNamed(to).id;
      if (!takersOf(world, soFar, shop, old, reading).includes(taker))
        return `${to} can’t take ${timeWords(world, old)}`;
      soFar = withPassedOn(soFar, old, slotOf(soFar, taker, old.startsAt) as Slot);
    }
    return null;
  };
  judge('a hand-over', 'done' in result, reasonBy, world.said);
};

const setTakes: Act = async (world, _, chance) => {
  const { shop } = world;
  if (!shop) return;
  const off = shop.people.filter(({ takes }) => !takes);
  const person = off.length > 0 && chance.is(0.6) ? chance.of(off) : chance.of(shop.people);
  const takes = !person.takes;
  const change = { username: nameOf(world, person.id), takes };
  const result = await attempt(() => setColleague(world.db, ownerOf(world, shop), change, world.now));
  if ('done' in result) person.takes = takes;
  world.said = `${nameOf(world, person.id)} takes ${takes ? 'appointments again' : 'no appointments'}: ${outcome(result)}`;
};

const leaveBy =
  (appointments: LeavingChoice): Act =>
  async (world, found, chance) => {
    const { shop } = world;
    if (!shop || shop.people.length < 2) return;
    const { id } = chance.is(0.1) ? chance.of(shop.people) : chance.of(shop.people.slice(1));
    const host = world.hosts.get(id) as Host;
    const isOwner = id === shop.owner;
    const isRemoved = chance.is(0.5);
    const by = isRemoved ? ownerOf(world, shop) : actorOf(world, id);
    const leaving = { appointments, ...(isRemoved && { username: host.name }) };
    const coming = found.bookings.filter(
      ({ provider, isHeld, startsAt }) => provider === id && !isHeld && startsAt > world.now,
    );

    const result = await attempt(() => leaveWith(world.db, by, leaving, { now: world.now, hasMail: true }));

    const after = await readBook(world.now);
    const what = { stay: 'with all appointments', handOver: 'and hands over', cancel: 'and cancels' }[appointments];
    world.said = `${host.name} ${isRemoved ? 'is removed from' : 'leaves'} the shop ${what} (${coming.length}): ${outcome(result)}`;
    if ('refused' in result) {
      if (whatStands(found, world.now) !== whatStands(after, world.now))
        throw new Broken('who does not leave keeps all appointments', world.said);
      if (isOwner || isOverdue(found, world.now)) return;
      const isAlone = coming.every(
        ({ startsAt }) => !coming.some((one) => one.startsAt < startsAt && one.takenUntil > startsAt),
      );
      const canGo = coming.every((old) => takersOf(world, found, shop, old, 'must').length > 0);
      if (appointments !== 'handOver' || (isAlone && canGo)) throw new Broken('who may leave can leave', world.said);
      return;
    }
    if (isOwner) throw new Broken('a shop keeps its owner', world.said);
    const people = shop.people;
    shop.people = people.filter((one) => one.id !== id);
    host.shop = null;
    const left = after.bookings.filter((one) => coming.some((old) => old.id === one.id));
    const taken = after.bookings.filter((one) => coming.some((old) => old.id === one.movedFrom));
    if (appointments === 'stay' && left.length < coming.length) throw new Broken('what stays, stays', world.said);
    if (appointments !== 'stay' && left.length > 0) throw new Broken('who leaves has no appointments left', world.said);
    if (appointments === 'handOver') {
      const isWithColleague = taken.every(({ provider }) => people.some((one) => one.id === provider && one.takes));
      if (taken.length < coming.length || !isWithColleague) {
        throw new Broken('what is handed over is with colleagues', world.said);
      }
    }
    if (appointments === 'cancel' && taken.length > 0) throw new Broken('what is canceled is with nobody', world.said);
  };

const joinAgain: Act = async (world, _, chance) => {
  const { shop } = world;
  const outside = [...world.hosts.values()].filter((host) => host.shop === null);
  if (!shop || outside.length === 0) return;
  const host = chance.of(outside);
  const role = chance.of(['desk', 'colleague'] as const);
  const result = await attempt(() => joinShop(world, shop, host, role));
  world.said = `${host.name} joins the shop (${role}): ${outcome(result)}`;
  if ('refused' in result) throw new Broken('who is in no shop can join', world.said);
};

export const shopActs: Record<string, [act: Act, weight: number]> = {
  'publish for all': [publishForAll, 4],
  anyone: [anyone, 16],
  'series with anyone': [seriesWithAnyone, 8],
  'to a colleague': [moveToColleague, 5],
  'desk moves': [deskMoves, 4],
  'hand over': [handOver, 5],
  takes: [setTakes, 2],
  'leave and stay': [leaveBy('stay'), 1],
  'leave and hand over': [leaveBy('handOver'), 2],
  'leave and cancel': [leaveBy('cancel'), 1],
  'join again': [joinAgain, 5],
};
