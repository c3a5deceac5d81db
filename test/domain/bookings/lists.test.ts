import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { listAgenda, listAgendaLines } from '../../../app/domain/bookings/agenda.server';
import type { Appointment } from '../../../app/domain/bookings/appointments';
import { listCalledOff, listCancellations, listWithdrawn } from '../../../app/domain/bookings/cancellations.server';
import { findUnavailableTime } from '../../../app/domain/bookings/nearest-times.server';
import { fold, withoutAccents } from '../../../app/domain/input/fold';
import type { Actor } from '../../../app/domain/profile/accounts';
import { editProfile } from '../../../app/domain/profile/accounts.server';
import { listOpenDates } from '../../../app/domain/slots/open-dates.server';
import { listFreeTimes, listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import { listOwnOpenSlots } from '../../../app/domain/slots/own-open-slots.server';
import { listCities, listProviders } from '../../../app/domain/slots/providers.server';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { D1 } from '../../../app/local/d1';
import { brokenRules } from '../../habits/invariants';
import {
  among,
  cities,
  newWorld,
  once,
  publishTimes,
  start,
  step,
  stored,
  take,
  usernames,
  type World,
  year,
} from '../../support/history';
import * as naive from '../../support/naive';
import { slotId } from '../../support/stored-bookings';

/*
 * After any history every list is what a look at all the rows would give, and the tables that triggers keep say what the
 * slots say.
 */

const noFilter = { provider: undefined, location: undefined, q: undefined, dates: undefined };
const searches = [
  'É',
  'ß',
  'WEISS',
  '🦷',
  '%',
  '_',
  "'",
  '"q',
  'NA',
  'pro.',
  'five',
  ' ana ',
  'nobody',
  '\\',
  'Z',
  'é maya',
  'e, TOMAS',
  '2 idle',
];
/** Each of a list, and no choice at all. */
const orNone = <Value>(values: Value[]) => [undefined, ...values];
const idsOf = (pages: { rows: { id: string }[]; hasMore: boolean }[]) =>
  pages.map(({ rows, hasMore }) => ({ ids: rows.map(({ id }) => id), hasMore }));
/** As many pages of a list as there are to be. */
const pagesOf = <Page>(expected: unknown[], list: (page: number) => Promise<Page>) =>
  Promise.all(expected.map((_, page) => list(page)));

const isShort = Number(env.CASES) < 2000;
const histories = isShort ? 4 : 7;
/** Each history is asked another part of all filters: together they are asked each of them, or a ninth where there are fewer cases. */
const parts = histories * (isShort ? 9 : 1);

async function checkOpenSlots({ db, now }: World, book: naive.Book, part: number): Promise<void> {
  const soon = Array.from({ length: 9 }, (_, later) => addDays(todayIn('UTC', start), later - 1));
  const some = (...places: number[]) => places.map((place) => among(soon, place));
  const choices = orNone([some(2), some(1, 3, 4), some(0, 6), soon]);
  for (const provider of orNone([...usernames.map((name) => name.toUpperCase()), 'nobody'])) {
    const filters = orNone([...cities.map((city) => city.toLowerCase()), 'Nowhere']).flatMap((location) =>
      choices.flatMap((dates) => orNone(searches).map((q) => ({ provider, location, dates, q }))),
    );
    const asked = filters.filter((_, place) => place % parts === part);
    await Promise.all(
      asked.map(async (filter) => {
        const expected = naive.openSlots(book, filter, now);
        const words = JSON.stringify(filter);
        const pages = await pagesOf(expected, (page) => listOpenSlots(db, { ...filter, page }, now));
        expect(idsOf(pages), `open slots of ${words}`).toEqual(idsOf(expected));
        const { dates, location, q } = filter;
        if (!provider || !dates || location || q) return;
        const times = await pagesOf(expected, (page) => listFreeTimes(db, { provider, dates, page }, now));
        const shown = ({ id, startsAt, endsAt, date, timeZone }: Appointment) => ({
          ...{ id, startsAt, endsAt, date, timeZone },
          ...{ places: null, service: null },
        });
        expect(times, `free times of ${words}`).toEqual(
          pages.map(({ rows, hasMore }) => ({ rows: rows.map(shown), hasMore })),
        );
      }),
    );
  }
  const all = naive.openSlots(book, {}, now);
  const pages = await pagesOf(all, (page) => listOpenSlots(db, { ...noFilter, page }, now));
  expect(
    pages.map(({ rows }) => rows),
    'open slots as they are shown',
  ).toEqual(all.map(({ rows }) => rows.map((slot) => naive.shown(book, slot))));
}

/** As much of an appointment as a line of a list shows; a provider’s own does not name them. */
function line(shown: Appointment, isOwn: boolean) {
  const { id, provider, providerName, shop, bookerName, startsAt, endsAt, date, timeZone, notes } = shown;
  const { canceledAt, canceledBy, movedTo, service } = shown;
  return {
    ...{ id, bookerName, startsAt, endsAt, date, timeZone, notes, canceledAt, canceledBy, movedTo },
    ...(isOwn ? {} : { provider, providerName, shop }),
    service: service?.name ?? null,
  };
}
/** A line shows no mark where nothing is marked. */
const markOf = (shown: Appointment | undefined) =>
  shown === undefined || shown.attendance === 'unknown' ? null : shown.attendance;
const inLines = (pages: { rows: Appointment[]; hasMore: boolean }[], isOwn = false) =>
  pages.map(({ rows, hasMore }) => ({ rows: rows.map((one) => line(one, isOwn)), hasMore }));

async function checkOwnLists({ db, now, providers, consumers }: World, book: naive.Book): Promise<void> {
  for (const provider of providers) {
    const own = naive.ownOpenSlots(book, provider, now);
    const listed = await pagesOf(own, (page) => listOwnOpenSlots(db, provider, page, now));
    expect(listed, 'open slots of a provider').toEqual(own);
    const { username } = book.accounts.find(({ id }) => id === provider.accountId) as naive.Account;
    const bookable = naive.openSlots(book, { provider: username }, now).flatMap(({ rows }) => rows);
    const dates = new Set(bookable.map(({ local_date }) => local_date));
    const openDates = await listOpenDates(db, username.toUpperCase(), now);
    expect(openDates, 'open dates of a provider').toEqual([...dates].sort());
  }
  for (const actor of [...providers, ...consumers])
    for (const states of [[1], [2], [1, 2]] as (1 | 2)[][])
      for (const past of [false, true]) {
        const expected = naive.agenda(book, actor, { states, past }, now);
        const pages = await pagesOf(expected, (page) => listAgenda(db, actor, { states, past, page }, now));
        const words = `${actor.role} ${states} ${past ? 'past' : 'to come'}`;
        expect(pages, `agenda of a ${words}`).toEqual(expected);
        const [state, second] = states;
        if (!state || second) continue;
        const lines = await pagesOf(expected, (page) => listAgendaLines(db, actor, { state, past, page }, now));
        const isMarked = actor.role === 'Provider' && state === 1;
        const shown = inLines(expected).map(({ rows, hasMore }, place) => ({
          rows: rows.map(({ shop, ...row }, at) =>
            isMarked ? { ...row, attendance: markOf(expected[place]?.rows[at]) } : { ...row, shop },
          ),
          hasMore,
        }));
        expect(lines, `lines of the agenda of a ${words}`).toEqual(shown);
      }
  for (const [actors, listed, list] of [
    [providers, naive.cancellations, listCancellations],
    [providers, naive.withdrawn, listWithdrawn],
    [consumers, naive.calledOff, listCalledOff],
  ] as const)
    for (const actor of actors) {
      const lines = inLines(listed(book, actor, now), actors === providers);
      // Nobody here acts for a colleague.
      const expected =
        list === listCancellations
          ? lines.map(({ rows, hasMore }) => ({ rows: rows.map((row) => ({ ...row, by: null })), hasMore }))
          : lines;
      expect(await pagesOf<unknown>(expected, (page) => list(db, actor, page, now)), list.name).toEqual(expected);
    }
}

async function checkNearest({ db, now }: World, book: naive.Book): Promise<void> {
  const wanted = book.slots.filter(({ status }, place) => status !== 0 || place % 5 === 0);
  const found = await Promise.all(wanted.map(({ id }) => findUnavailableTime(db, id, now)));
  expect(
    found.map((late) => late?.refusal.message),
    'why a time is missed',
  ).toEqual(wanted.map((slot) => naive.lateness(book, slot, now)));
  expect(
    found.map((late) => late?.nearest.map(({ id }) => id)),
    'times near one that is missed',
  ).toEqual(wanted.map((slot) => naive.nearestOpen(book, slot, now)));
}

async function checkProviders({ db, now }: World, book: naive.Book): Promise<void> {
  const inUse = new Set(book.accounts.flatMap(({ role, city }) => (role === 'Provider' ? city : [])) as string[]);
  const spelt = [...inUse].map((folded) => book.cities.get(folded) as string);
  expect(await listCities(db), 'cities').toEqual(spelt.sort(new Intl.Collator('en').compare));
  for (const location of orNone([...cities.map((city) => city.toUpperCase()), 'Nowhere']))
    for (const q of orNone([...searches, 'IDLE', 'idle.1'])) {
      const expected = naive.providers(book, { location, q }, now);
      const pages = await pagesOf(expected, (page) => listProviders(db, { location, q, page }, now));
      expect(pages, `providers of ${q} in ${location}`).toEqual(expected);
    }
}

const openOf = ({ slots }: naive.Book) => slots.filter(({ status }) => status === 0);

async function checkTriggers({ now }: World, book: naive.Book): Promise<void> {
  const open = openOf(book);
  const days = await stored<{ provider_id: string; local_date: string; first_at: number }>('SELECT * FROM open_days');
  for (const day of days) {
    const ofDay = open.filter(
      ({ provider_id, local_date }) => provider_id === day.provider_id && local_date === day.local_date,
    );
    expect(day.first_at, 'a day begins no later than its first open slot').toBeLessThanOrEqual(
      Math.min(...ofDay.map(({ starts_at }) => starts_at)),
    );
  }
  const endings = book.accounts
    .filter(({ role }) => role === 'Provider')
    .flatMap(({ id, username, display_name }) =>
      [fold(username), withoutAccents(display_name)].flatMap((name) =>
        [...name].map((_, from) => `${[...name].slice(from).join('')} ${id}`),
      ),
    );
  const found = await stored<{ ending: string; provider_id: string }>('SELECT * FROM provider_names');
  expect(found.map(({ ending, provider_id }) => `${ending} ${provider_id}`).sort(), 'provider_names').toEqual(
    [...new Set(endings)].sort(),
  );
  expect(await brokenRules(env.DB as unknown as D1, { texts: false })).toEqual([]);
  for (const { id, open_slots_at_most } of book.accounts) {
    const coming = open.filter(({ provider_id, starts_at }) => provider_id === id && starts_at > now);
    expect(open_slots_at_most, 'the bound of open slots is never too low').toBeGreaterThanOrEqual(coming.length);
  }
}

const checks = [checkTriggers, checkOpenSlots, checkOwnLists, checkNearest, checkProviders];

describe('after a history', () => {
  test('every list is what a look at all the rows would give', { timeout: 120_000 }, async () => {
    let history = 0;
    const total = { slots: 0, pages: 0, zones: 0, booked: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 100 }), async (steps) => {
        const world = await newWorld();
        for (const [place, one] of steps.entries()) await take(world, one, place);
        const book = await naive.readBook();
        for (const check of checks) await check(world, book, history % histories);
        history += 1;
        const ofZones = openOf(book).map((one) => `${one.provider_id} ${one.local_date} ${one.time_zone}`);
        const ofDays = openOf(book).map((one) => `${one.provider_id} ${one.local_date}`);
        total.slots += book.slots.length;
        total.pages += naive.openSlots(book, {}, world.now).length;
        total.zones += new Set(ofZones).size - new Set(ofDays).size;
        total.booked += book.slots.filter(({ booker_id }) => booker_id).length;
      }),
      { seed: 20300309, numRuns: histories, endOnFailure: true },
    );
    // That the histories had something to say.
    expect(total.slots).toBeGreaterThan(300 * histories);
    expect(total.pages).toBeGreaterThan(7 * histories);
    expect(total.zones).toBeGreaterThan(0);
    expect(total.booked).toBeGreaterThan(70 * histories);
  });

  describe('that takes a provider between zones, who has two dates at once,', () => {
    let world: World;
    let host: Actor;
    const [early, late] = [`${year}-03-12`, `${year}-03-13`] as const;
    const clock = (hour: number) => `${hour}:00`.padStart(5, '0');
    const publish = (date: string, hour: number) =>
      publishTimes(world.db, host, { start: clock(hour), end: clock(hour + 1), dates: [date], len: 60 });
    const withdraw = (which: Parameters<typeof withdrawSlots>[2]) =>
      withdrawSlots(world.db, host, which, once(world.now));
    const publishInBoth = async () => {
      world = await newWorld();
      host = among(world.providers, 0);
      for (const hour of [1, 9]) await publish(late, hour);
      const profile = { displayName: 'Between', timeZone: 'America/Los_Angeles' };
      host = (await editProfile(world.db, host, profile, world.now)).actor;
      for (const hour of [6, 14]) await publish(early, hour);
    };

    describe.each([
      ['by a word', { q: 'twee' }],
      ['by the provider', { provider: 'pro.one' }],
      ['by the city', { location: 'lisbon' }],
      ['by nothing', {}],
    ])('a slot that is looked for %s', (_, who) => {
      beforeAll(publishInBoth);

      test.each([[[early]], [[late]], [[early, late]]])('is listed once, under its own date, of %j', async (dates) => {
        const { rows } = await listOpenSlots(world.db, { ...noFilter, ...who, dates, page: 0 }, world.now);

        expect(rows.map(({ date }) => date).sort()).toEqual(dates.flatMap((date) => [date, date]));
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      });
    });

    test('a slot is withdrawn under its own date', async () => {
      await publishInBoth();

      expect(await withdraw({ date: early })).toMatchObject({ withdrawn: 2 });
      await checkTriggers(world, await naive.readBook());
    });

    test.each([
      [7, 15],
      [16, 8],
    ])('a slot is withdrawn where one of the other date starts between: %i and %i', async (first, second) => {
      await publishInBoth();
      await withdraw({ date: early });
      const published = [await publish(early, first), await publish(early, second)];

      for (const { ids } of published) {
        expect(await withdraw({ ids })).toMatchObject({ withdrawn: 1 });
        await checkTriggers(world, await naive.readBook());
      }
    });
  });

  describe('in which a hundred providers of one name publish three times each', () => {
    let world: World;
    beforeAll(async () => {
      world = await newWorld();
      const starts = [9, 10, 11].map((hour) => Date.UTC(year, 2, 12, hour));
      const slots = Array.from({ length: 300 }, (_, place) => [`zoo${place % 100}`, starts[Math.floor(place / 100)]]);
      await stored(
        `INSERT INTO slots (id, provider_id, city, starts_at, ends_at, local_date, time_zone, publication)
         SELECT ${slotId('value ->> 0', 'value ->> 1')}, value ->> 0, 'idleton', value ->> 1, (value ->> 1) + 1800000, '${year}-03-12', 'UTC', 'zoo'
         FROM json_each(?1)`,
        JSON.stringify(slots),
      );
    });

    test.each([
      [undefined, undefined],
      [undefined, [`${year}-03-12`]],
      ['idleton', undefined],
      ['idleton', [`${year}-03-12`]],
    ])('a search goes on as it began, in %s on %j', async (location, dates) => {
      const { db, now } = world;
      const filter = { ...noFilter, q: 'zoo', location, dates };
      const expected = naive.openSlots(await naive.readBook(), filter, now);
      expect(expected).toHaveLength(16);

      const pages = await pagesOf(expected, (page) => listOpenSlots(db, { ...filter, page }, now));

      expect(idsOf(pages)).toEqual(idsOf(expected));
    });
  });

  describe('in which a provider publishes sixty days', () => {
    const days = Array.from({ length: 60 }, (_, later) => addDays(todayIn('UTC', start), later + 1));
    const dates = [among(days, 3), among(days, 55)];
    let world: World;
    beforeAll(async () => {
      world = await newWorld();
      await publishTimes(world.db, among(world.providers, 0), { start: '08:00', end: '16:00', dates: days, len: 60 });
    });
    const listDates = (q?: string) => listOpenSlots(world.db, { ...noFilter, q, dates, page: 0 }, world.now);

    test.each([undefined, 'pro'])('two days far from each other are found, by %s', async (q) => {
      const { rows, hasMore } = await listDates(q);

      expect(rows.map(({ date }) => date)).toEqual(dates.flatMap((date) => Array(8).fill(date)));
      expect(hasMore).toBe(false);
    });

    test.each([undefined, 'pro'])('what lies between two days is not read, by %s', async (q) => {
      const before = world.db.tally.rowsRead;

      await listDates(q);

      expect(world.db.tally.rowsRead - before).toBeLessThan(150);
    });
  });
});
