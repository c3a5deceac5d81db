import { findShop } from '../../app/domain/shop/shops.server';
import { stored } from './history';
import { type Book, isUnwanted, wasWithdrawn } from './plain-waitlist';
import { actorOf, Broken, hostOf, type Law, nameOf, timeWords } from './waitlist-world';

/* What holds after each step in a shop, and in every book. */

const newIn = (after: Book, before: Book) => {
  const had = new Set(before.bookings.map(({ id }) => id));
  return after.bookings.filter(({ id }) => !had.has(id));
};

const nobodyHasTwoAtOnce: Law = (world, { bookings }) => {
  const ends = new Map<string, number>();
  const alone = bookings.filter(({ slot }) => slot === null);
  for (const booking of alone.toSorted((one, other) => one.startsAt - other.startsAt)) {
    const end = ends.get(booking.provider) ?? 0;
    if (booking.startsAt < end) throw new Broken('nobody has two appointments at once', timeWords(world, booking));
    ends.set(booking.provider, booking.endsAt);
  }
};

const bookingsAreOfTheShop: Law = (world, after, before) => {
  for (const booking of newIn(after, before.book)) {
    const shops = [before.hosts.get(booking.provider)?.shop, hostOf(world, booking).shop];
    if (!shops.includes(booking.shop)) {
      throw new Broken('a booking is of the shop in which its provider works', timeWords(world, booking));
    }
  }
};

const passedOnIsTheSame: Law = (world, after, before) => {
  for (const booking of newIn(after, before.book)) {
    const old = before.book.bookings.find(({ id }) => id === booking.movedFrom);
    if (!old || old.provider === booking.provider) continue;
    const words = `${timeWords(world, old)}, now ${timeWords(world, booking)}`;
    for (const name of ['who', 'link', 'entry', 'price', 'service', 'people'] as const) {
      if (booking[name] !== old[name]) throw new Broken(`what goes to a colleague keeps its ${name}`, words);
    }
    if (booking.endsAt - booking.startsAt !== old.endsAt - old.startsAt) {
      throw new Broken('what goes to a colleague keeps its length', words);
    }
    if (after.bookings.some(({ id }) => id === old.id))
      throw new Broken('what goes to a colleague is in one book', words);
    const times = before.book.slots.filter(
      ({ provider, startsAt, partOf, id }) =>
        provider === old.provider && startsAt > world.now && (partOf === old.startsAt || id === old.slot),
    );
    for (const time of times) {
      const now = after.slots.find(({ provider, startsAt }) => provider === old.provider && startsAt === time.startsAt);
      const isHeld = after.bookings.some(
        (one) =>
          one.isHeld &&
          one.provider === old.provider &&
          one.startsAt <= time.startsAt &&
          time.startsAt < one.takenUntil,
      );
      const isFree = now !== undefined && now.state === 0 && now.taken === time.taken - old.people;
      const isGone =
        (now === undefined || now.state === 2) &&
        (world.withdraws || isUnwanted(hostOf(world, time), time) || wasWithdrawn(hostOf(world, time), time));
      if (!isFree && !isGone && !isHeld) throw new Broken('what goes to a colleague leaves its time free', words);
    }
  }
};

const shopIsItsPeople: Law = async (world) => {
  const { shop } = world;
  if (!shop) return;
  const found = await findShop(world.db, actorOf(world, shop.owner));
  const inBook = found?.people.map(({ username, role, takes }) => `${username} ${role} ${takes}`).join();
  const said = shop.people.map(({ id, role, takes }) => `${nameOf(world, id)} ${role} ${takes}`).join();
  if (inBook !== said) throw new Broken('a shop is who works in it', `${inBook}, not ${said}`);
  const rows = await stored('SELECT account_id FROM colleagues');
  if (rows.length !== shop.people.length) throw new Broken('whoever left is in no shop', said);
  const both = await stored('SELECT account_id FROM former_colleagues JOIN colleagues USING (shop_id, account_id)');
  if (both.length > 0) throw new Broken('whoever is in a shop has not left it', said);
};

export const shopLaws: Law[] = [nobodyHasTwoAtOnce, bookingsAreOfTheShop, passedOnIsTheSame, shopIsItsPeople];
