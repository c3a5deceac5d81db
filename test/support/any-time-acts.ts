import { bookAt } from '../../app/domain/bookings/book-at.server';
import { importPeople } from '../../app/domain/bookings/import-people.server';
import { readTable } from '../../app/domain/people/import';
import { addDays, hour, localDateOf, localTimeOf, minute } from '../../app/domain/time/clock';
import { todayIn } from '../../app/domain/time/zones';
import type { Chance } from '../habits/chance';
import { stored } from './history';
import {
  type AnyTime,
  type ImportedRow,
  meets,
  plainlyImported,
  type Stretch,
  stretchOf,
  type WhyNotThen,
  whyNotThen,
  withTaken,
} from './plain-any-time';
import { readClock } from './plain-hours';
import type { Book, Host, Reading, Slot } from './plain-waitlist';
import { deskOf } from './shop-acts';
import {
  type Act,
  actorOf,
  attempt,
  Broken,
  cardsOf,
  comingOf,
  isOverdue,
  judge,
  links,
  nameOf,
  outcome,
  readBook,
  timeWords,
  type World,
} from './waitlist-world';

/* How time is taken that need not be published: a provider books any time for somebody, or brings appointments along in a table. */

/** The provider, or sometimes the desk of their shop. */
function anyBooker(world: World, host: Host, chance: Chance) {
  const { shop } = world;
  const isDesk = shop !== null && host.shop === shop.id && host.id !== shop.owner && chance.is(0.3);
  return isDesk ? deskOf(world, shop, host.id) : actorOf(world, host.id);
}

/** Some time on the provider's clock: mostly near one that is published, sometimes one that clocks skip. */
function anyClock(world: World, found: Book, host: Host, chance: Chance) {
  if (chance.is(0.05)) return onClock(host, addDays(todayIn(host.zone, world.now), 1), '02:30');
  const near = comingOf(found, world, ({ provider }) => provider === host.id);
  const from =
    near.length > 0 && chance.is(0.75)
      ? chance.of(near).startsAt + chance.of([-45, -30, -15, 0, 0, 0, 15, 30]) * minute
      : world.now + (chance.below(3 * 96) * 15 - 30) * minute;
  return onClock(host, localDateOf(from, host.zone), localTimeOf(from, host.zone));
}

const onClock = ({ zone }: Host, date: string, start: string) => ({
  date,
  start,
  startsAt: readClock(date, start, zone),
});

/** The provider's times are as they must be, but for those that are held or were. @throws Broken */
function slotsAre(world: World, host: Host, { found, after, expected }: Record<'found' | 'after' | 'expected', Book>) {
  const holds = [...found.bookings, ...after.bookings].filter((one) => one.isHeld && one.provider === host.id);
  const isHeld = (slot: Slot) =>
    holds.some((hold) => slot.id === hold.slot || (hold.startsAt <= slot.startsAt && slot.startsAt < hold.takenUntil));
  const textOf = ({ slots }: Book) =>
    slots
      .filter((slot) => slot.provider === host.id && slot.startsAt > world.now - 12 * hour && !isHeld(slot))
      .map(
        (slot) =>
          `${timeWords(world, slot)}, ${(slot.endsAt - slot.startsAt) / minute} minutes, ${slot.state}, ${slot.taken}, ${slot.service}`,
      )
      .sort();
  const [are, must] = [textOf(after), textOf(expected)];
  const other = are.find((text) => !must.includes(text)) ?? must.find((text) => !are.includes(text));
  if (other) {
    const where = are.includes(other) ? 'is there' : 'is not';
    throw new Broken('what is taken without being published takes just its time', `${world.said}: ${other} ${where}`);
  }
}

/**
 * These times stand for what is booked there only, from now on. Where one replaces what was withdrawn, or a booking takes part of
 * that, it is withdrawn again after it.
 */
function standForBookings(host: Host, { slots }: Book, made: Slot[], parts: Slot[] = []): void {
  host.published = host.published.filter((start) => !made.some(({ startsAt }) => startsAt === start));
  host.made.push(...made);
  const were = slots.filter(({ provider, state }) => provider === host.id && state === 2);
  const again = [...made, ...parts].filter((one) => were.some((slot) => meets(slot, one)));
  host.withdrawn.push(...again.map(({ startsAt }) => startsAt));
}

/** What is booked from half a day ago on: older ones leave the book that is read. */
const whatStands = ({ now }: World, { bookings }: Book) =>
  bookings
    .filter(({ isHeld, startsAt }) => !isHeld && startsAt > now - 12 * hour)
    .map(({ id, takenUntil }) => `${id} ${takenUntil}`)
    .sort()
    .join();

const refusals: Record<WhyNotThen, RegExp> = {
  service: /service/,
  class: /A class takes people at its published times only/,
  length: /The length is that of the service/,
  over: /This time is over/,
  taken: /Something is booked or held/,
  outside: /outside of (your|their) hours/,
  busy: /is then|busy then|something else then/,
};

const hadSql = 'SELECT 1 FROM bookings WHERE provider_id = ? AND person_id = ? AND starts_at = ? AND status = 1';

const bookAnyTime: Act = async (world, found, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const actor = anyBooker(world, host, chance);
  const service = chance.is(0.5) ? chance.of(host.services) : undefined;
  const length = chance.of([15, 30, 45, 60, 90]);
  const minutes = service && chance.is(0.85) ? null : length;
  const { startsAt, ...clock } = anyClock(world, found, host, chance);
  const wanted: AnyTime = { ...clock, startsAt, minutes, service: service?.id ?? null, isOver: chance.is(0.6) };
  const cards = await cardsOf(host);
  const person = cards.length > 0 && chance.is(0.6) ? chance.of(cards).id : undefined;
  const had = person ? await stored(hadSql, host.id, person, startsAt) : [];
  const wish = {
    ...{ time: { ...clock, minutes }, who: person ? { personId: person } : { displayName: 'Wilma', email: null } },
    ...{ service: wanted.service, people: 1, isOver: wanted.isOver, key: crypto.randomUUID() },
    ...{ note: null, phone: null, address: null, submitted: null },
  };

  const result = await attempt(() => bookAt(world.db, links, actor, wish, world.now));

  const after = await readBook(world.now);
  const what = `${service?.name ?? 'time'}${minutes === null ? '' : ` of ${minutes} minutes`}`;
  const by = actor.memberId ? `${nameOf(world, actor.memberId)} for ` : '';
  world.said = `${by}${host.name} books ${what} at ${timeWords(world, { provider: host.id, startsAt })}${wanted.isOver ? ', whatever it is over,' : ''} for ${person ? nameOf(world, person) : 'somebody new'}: ${outcome(result)}`;
  if (had.length > 0 || 'refused' in result) {
    if (!isOverdue(found, world.now) && whatStands(world, found) !== whatStands(world, after))
      throw new Broken('what is refused or had already books nothing', world.said);
  } else if (whatStands(world, found) === whatStands(world, after))
    throw new Broken('any time that is booked is in the book', world.said);
  if (had.length > 0) return;
  const stretch = stretchOf(host, wanted);
  const { book: expected, made, parts } = withTaken(found, host, stretch);
  if ('done' in result) standForBookings(host, found, made ? [made] : [], parts);
  const isGone = 'refused' in result && /deleted their account/.test(result.refused.message);
  if (isOverdue(found, world.now) || isGone) return;
  const why = (reading: Reading) => whyNotThen(found, host, wanted, world.now, reading);
  judge('booking any time', 'done' in result, why, world.said);
  if ('refused' in result) {
    const reasons = [why('must'), why('may')].flatMap((reason) => reason ?? []);
    if (!reasons.some((reason) => refusals[reason].test(result.refused.message)))
      throw new Broken('a refusal of any time says why', `${world.said}, but it is: ${reasons[0]}`);
    slotsAre(world, host, { found, after, expected: found });
    if ((await cardsOf(host)).length !== cards.length) throw new Broken('what is refused makes no card', world.said);
    return;
  }
  const booking = after.bookings.find(({ id }) => id === result.done.id);
  const isAsAsked =
    booking?.provider === host.id &&
    booking.startsAt === startsAt &&
    booking.endsAt === stretch.endsAt &&
    booking.takenUntil === stretch.takenUntil &&
    booking.service === wanted.service &&
    booking.date === stretch.date;
  if (!isAsAsked) throw new Broken('any time is booked as it was asked for', world.said);
  slotsAre(world, host, { found, after, expected });
  if (chance.is(0.3)) {
    const again = await attempt(() => bookAt(world.db, links, actor, wish, world.now));
    const isSame = 'done' in again && again.done.id === result.done.id;
    if (!isSame || whatStands(world, await readBook(world.now)) !== whatStands(world, after))
      throw new Broken('any time that is booked again is booked once', world.said);
  }
};

type NamedCard = { id: string; name: string | null; email: string | null };
const namedSql = `SELECT people.id, coalesce(people.name, booker.display_name) AS name, people.email
  FROM people LEFT JOIN accounts AS booker ON booker.id = people.booker_id OR booker.id = people.id AND people.booker_id IS NULL
  WHERE people.provider_id = ? AND people.name_sort_key <> '' ORDER BY name, people.id`;
const startsSql = 'SELECT starts_at AS at FROM bookings WHERE provider_id = ? AND person_id = ? AND status = 1';

type PersonOfTable = { name: string; email: string; card: string | null };

let people = 0;

/** Somebody whom the provider knows by a name or an address that nobody else has, or somebody new. */
function anyPerson(cards: NamedCard[], chance: Chance): PersonOfTable {
  const isOnly = (key: 'name' | 'email', { [key]: value }: NamedCard) =>
    cards.filter((other) => other[key]?.toLowerCase() === value?.toLowerCase()).length === 1;
  const byName = cards.filter((card) => card.name && card.name !== 'Former guest' && isOnly('name', card));
  const byEmail = cards.filter((card) => card.email && isOnly('email', card));
  if (byEmail.length > 0 && chance.is(0.2)) {
    const { id, email } = chance.of(byEmail);
    return { name: 'Another Name', email: email ?? '', card: id };
  }
  if (byName.length > 0 && chance.is(0.5)) {
    const { id, name } = chance.of(byName);
    return { name: name ?? '', email: '', card: id };
  }
  const name = `Ines ${people++}`;
  return { name, email: chance.is(0.3) ? `ines${people}@example.org` : '', card: null };
}

/** Often just a free time. */
function anyAppointment(world: World, found: Book, host: Host, chance: Chance): { start: string; at: Stretch } {
  const free = comingOf(
    found,
    world,
    ({ provider, state, seats }) => provider === host.id && state === 0 && seats === 1,
  );
  const slot = free.length > 0 && chance.is(0.4) ? chance.of(free) : undefined;
  const { startsAt, start, date } = slot
    ? onClock(host, slot.date, localTimeOf(slot.startsAt, host.zone))
    : anyClock(world, found, host, chance);
  const endsAt = slot ? startsAt + slot.endsAt - slot.startsAt : startsAt + chance.of([15, 30, 45, 60, 90]) * minute;
  return {
    start: `${date},${start},${(endsAt - startsAt) / minute}`,
    at: { startsAt, endsAt, takenUntil: endsAt, date: localDateOf(startsAt, host.zone) },
  };
}

const messagesSql = "SELECT count(*) AS count FROM messages WHERE kind = 'booked'";

const importTable: Act = async (world, found, chance) => {
  const host = chance.of([...world.hosts.values()]);
  const actor = anyBooker(world, host, chance);
  const cards = await stored<NamedCard>(namedSql, host.id);
  const lines: { text: string; row: ImportedRow; card: string | null }[] = [];
  let last: PersonOfTable | undefined;
  for (let left = 1 + chance.below(4); left > 0; left--) {
    const person: PersonOfTable = last && chance.is(0.15) ? last : anyPerson(cards, chance);
    last = person;
    const { name, email, card } = person;
    const appointment = chance.is(0.85) ? anyAppointment(world, found, host, chance) : undefined;
    const own = card ? await stored<{ at: number }>(startsSql, host.id, card) : [];
    const row = {
      who: email || name,
      isKnown: card !== null,
      own: own.map(({ at }) => at),
      at: appointment?.at ?? null,
    };
    lines.push({ text: `${name},${email},${appointment?.start ?? ',,'}`, row, card });
  }
  const table = readTable(['name,email,date,start,minutes', ...lines.map(({ text }) => text), ''].join('\n'));
  const send = (preview: boolean) => attempt(() => importPeople(world.db, links, actor, { table, preview }, world.now));
  const [told] = await stored<{ count: number }>(messagesSql);

  const preview = await send(true);
  const shown = await readBook(world.now);
  const result = await send(false);

  const after = await readBook(world.now);
  const fatesOf = (result: Awaited<ReturnType<typeof send>>) =>
    'done' in result ? result.done.rows.map(({ fate }) => fate).join(', ') : outcome(result);
  world.said = `${actor.memberId ? `${nameOf(world, actor.memberId)} for ` : ''}${host.name} imports ${lines.map(({ text }) => text).join('; ')}: ${fatesOf(result)}: ${outcome(result)}`;
  if ('refused' in result) throw new Broken('a table that can be read is imported', world.said);
  const {
    book: expected,
    made,
    booked,
    fates,
  } = plainlyImported(
    found,
    host,
    lines.map(({ row }) => row),
    world.now,
  );
  standForBookings(host, found, made);
  if (isOverdue(found, world.now)) return;
  if (whatStands(world, shown) !== whatStands(world, found)) throw new Broken('a preview books nothing', world.said);
  if (fatesOf(result) !== fates.join(', '))
    throw new Broken('an import takes what is free, and nothing else', `${world.said}, not ${fates.join(', ')}`);
  if (fatesOf(preview) !== fatesOf(result))
    throw new Broken('an import does what its preview says', `${world.said}, but it said ${fatesOf(preview)}`);
  const had = new Set(found.bookings.map(({ id }) => id));
  const news = after.bookings.filter(({ id, isHeld }) => !had.has(id) && !isHeld);
  const isBooked = ({ at }: { at: Stretch }) =>
    news.some(
      (one) =>
        one.provider === host.id &&
        one.startsAt === at.startsAt &&
        one.takenUntil === at.endsAt &&
        one.endsAt === at.endsAt &&
        one.service === null &&
        one.date === at.date,
    );
  if (news.length !== booked.length || !booked.every(isBooked))
    throw new Broken('an import books what its table says', world.said);
  slotsAre(world, host, { found, after, expected });
  const [isTold] = await stored<{ count: number }>(messagesSql);
  if (isTold?.count !== told?.count) throw new Broken('an import tells nobody', world.said);
  for (const { row, card } of lines) {
    const isMade = row.at && news.some(({ startsAt }) => startsAt === row.at?.startsAt);
    if (!card || !isMade || fates[lines.findIndex((line) => line.row === row)] === 'refused') continue;
    const own = await stored(hadSql, host.id, card, row.at?.startsAt);
    if (own.length === 0) throw new Broken('an imported appointment is on its person’s card', world.said);
  }
  const isStill =
    after.bookings.filter(({ isHeld }) => isHeld).length === found.bookings.filter(({ isHeld }) => isHeld).length;
  if (isStill && chance.is(0.3)) {
    const again = fatesOf(await send(false));
    const isNow = ({ who }: ImportedRow) =>
      lines.some(({ row }, place) => row.who === who && fates[place] !== 'refused');
    // One row may name them by their address, and another by their name.
    const isOnCard = (card: string | null, who: string) =>
      card !== null && lines.some((line) => line.card === card && line.row.who === who);
    const rows = lines.map(({ row, card }) => {
      const made = booked.filter(({ who }) => who === row.who || isOnCard(card, who)).map(({ at }) => at.startsAt);
      return { ...row, own: [...row.own, ...made], isKnown: row.isKnown || isNow(row) };
    });
    if (again !== plainlyImported(after, host, rows, world.now).fates.join(', '))
      throw new Broken('an import that is repeated says so', `${world.said}, then ${again}`);
    if (whatStands(world, await readBook(world.now)) !== whatStands(world, after))
      throw new Broken('an import that is repeated changes nothing', world.said);
  }
};

export const anyTimeActs: Record<string, [act: Act, weight: number]> = {
  'any time': [bookAnyTime, 6],
  import: [importTable, 3],
};
