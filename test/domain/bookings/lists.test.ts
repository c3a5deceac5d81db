import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listAgenda, listAgendaLines } from '../../../app/domain/bookings/agenda.server';
import type { Appointment, ListedAppointment } from '../../../app/domain/bookings/appointments';
import { listCalledOff, listCancellations, listWithdrawn } from '../../../app/domain/bookings/cancellations.server';
import { findMissedTime } from '../../../app/domain/bookings/nearest-times.server';
import { fold } from '../../../app/domain/input/fold';
import type { Actor } from '../../../app/domain/profile/accounts';
import { listCities, listProviders } from '../../../app/domain/profile/providers.server';
import { listOpenDates } from '../../../app/domain/slots/open-dates.server';
import { listFreeTimes, listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import { listOwnOpenSlots } from '../../../app/domain/slots/own-open-slots.server';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { D1 } from '../../../app/local/d1';
import { brokenRules } from '../../habits/invariants';
import {
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
} from '../../support/history';
import * as naive from '../../support/naive';

/*
 * After any history every list is what a look at all the rows would give, and the tables that triggers keep say what the
 * slots say.
 */

type Day = { local_date: string; first_at: number };

const noFilter = { provider: undefined, location: undefined, q: undefined, dates: undefined };
const searches = ['É', 'ß', 'WEISS', '🦷', '%', '_', "'", '"q', 'NA', 'pro.', 'five', ' ana ', 'nobody', '\\', 'Z'];
/** Each of a list, and no choice at all. */
const orNone = <Value>(values: Value[]) => [undefined, ...values];

const histories = 3;
/** Each history is asked another part of all filters: together they are asked each of them, or a ninth where there are fewer cases. */
const parts = histories * (Number(env.CASES) < 2000 ? 9 : 1);

async function checkOpenSlots({ db, now }: World, book: naive.Book, part?: number): Promise<void> {
  const soon = Array.from({ length: 9 }, (_, later) => addDays(todayIn('UTC', start), later - 1));
  const choices = orNone([
    soon.slice(2, 3),
    [soon[1], soon[3], soon[4]] as string[],
    [soon[0], soon[6]] as string[],
    soon,
  ]);
  for (const provider of orNone([...usernames.map((name) => name.toUpperCase()), 'nobody'])) {
    const filters = orNone([...cities.map((city) => city.toLowerCase()), 'Nowhere']).flatMap((location) =>
      choices.flatMap((dates) => orNone(searches).map((q) => ({ provider, location, dates, q }))),
    );
    const asked = filters.filter((_, place) => part === undefined || place % parts === part);
    await Promise.all(
      asked.map(async (filter) => {
        const expected = naive.openSlots(book, filter, now);
        const pages = await Promise.all(expected.map((_, page) => listOpenSlots(db, { ...filter, page }, now)));
        const words = JSON.stringify(filter);
        const ids = (lists: { rows: { id: string }[]; hasMore: boolean }[]) =>
          lists.map(({ rows, hasMore }) => ({ ids: rows.map(({ id }) => id), hasMore }));
        expect(ids(pages), words).toEqual(ids(expected));
        const { dates, location, q } = filter;
        if (provider && dates && !location && !q) {
          const times = await Promise.all(pages.map((_, page) => listFreeTimes(db, { provider, dates, page }, now)));
          const shown = ({ id, startsAt, endsAt, date, timeZone }: Appointment) => ({
            places: null,
            service: null,
            id,
            startsAt,
            endsAt,
            date,
            timeZone,
          });
          expect(times, words).toEqual(pages.map(({ rows, hasMore }) => ({ rows: rows.map(shown), hasMore })));
        }
      }),
    );
  }
  const all = naive.openSlots(book, {}, now);
  const pages = await Promise.all(all.map((_, page) => listOpenSlots(db, { ...noFilter, page }, now)));
  const rows = all.map(({ rows }) => rows.map((slot) => naive.shown(book, slot)));
  expect(pages.map((page) => page.rows)).toEqual(rows);
}

/** As much of an appointment as a line of a list shows. */
function line(appointment: Appointment): ListedAppointment {
  const shown = [
    'id',
    'provider',
    'providerName',
    'bookerName',
    'startsAt',
    'endsAt',
    'date',
    'timeZone',
    'notes',
  ] as const;
  const keys = [...shown, 'canceledAt', 'canceledBy', 'movedTo'] as const;
  const values = Object.fromEntries(keys.map((key) => [key, appointment[key]])) as Omit<ListedAppointment, 'service'>;
  return { ...values, service: appointment.service?.name ?? null };
}
const inLines = (pages: { rows: Appointment[]; hasMore: boolean }[]) =>
  pages.map(({ rows, hasMore }) => ({ rows: rows.map(line), hasMore }));

async function checkOwn({ db, now, providers, consumers }: World, book: naive.Book): Promise<void> {
  for (const provider of providers) {
    const { username } = book.accounts.find(({ id }) => id === provider.accountId) as naive.Account;
    const own = naive.ownOpenSlots(book, provider, now);
    const shown = own.map(({ rows, hasMore }) => ({ rows: rows.map((slot) => naive.shown(book, slot)), hasMore }));
    expect(await Promise.all(own.map((_, page) => listOwnOpenSlots(db, provider, page, now)))).toEqual(shown);
    const bookable = naive.openSlots(book, { provider: username }, now).flatMap(({ rows }) => rows);
    const dates = new Set(bookable.map(({ local_date }) => local_date));
    expect(await listOpenDates(db, username.toUpperCase(), now)).toEqual([...dates].sort());
  }
  for (const actor of [...providers, ...consumers])
    for (const states of [[1], [2], [1, 2]] as (1 | 2)[][])
      for (const past of [false, true]) {
        const expected = naive.agenda(book, actor, { states, past }, now);
        const pages = await Promise.all(expected.map((_, page) => listAgenda(db, actor, { states, past, page }, now)));
        const words = `${actor.role} ${states} ${past ? 'past' : 'to come'}`;
        expect(pages, words).toEqual(expected);
        const [state, second] = states as [1 | 2, 2?];
        if (second) continue;
        const lines = await Promise.all(
          expected.map((_, page) => listAgendaLines(db, actor, { state, past, page }, now)),
        );
        expect(lines, words).toEqual(inLines(expected));
      }
  for (const [of, listed, list] of [
    [providers, naive.cancellations, listCancellations],
    [providers, naive.withdrawn, listWithdrawn],
    [consumers, naive.calledOff, listCalledOff],
  ] as const)
    for (const actor of of) {
      const expected = inLines(listed(book, actor, now));
      const pages = await Promise.all(expected.map((_, page) => list(db, actor, page, now)));
      const isOwn = actor.role === 'Provider';
      const withName = ({ provider, providerName, ...row }: ListedAppointment) =>
        isOwn ? row : { provider, providerName, ...row };
      expect(pages, list.name).toEqual(expected.map((page) => ({ ...page, rows: page.rows.map(withName) })));
    }
}

async function checkNearest({ db, now }: World, book: naive.Book): Promise<void> {
  const wanted = book.slots.filter(({ status }, place) => status !== 0 || place % 5 === 0);
  const found = await Promise.all(wanted.map(({ id }) => findMissedTime(db, id, now)));
  const ids = found.map((late) => late?.nearest.map(({ id }) => id));
  expect(ids).toEqual(wanted.map((slot) => naive.nearestOpen(book, slot, now)));
  expect(found.map((late) => late?.refusal.message)).toEqual(wanted.map((slot) => naive.lateness(book, slot, now)));
}

async function checkProviders({ db, now }: World, book: naive.Book): Promise<void> {
  const inUse = new Set(book.accounts.filter(({ role }) => role === 'Provider').map(({ city }) => city as string));
  const spelt = [...inUse].map((folded) => book.cities.get(folded) as string);
  expect(await listCities(db)).toEqual(spelt.sort(new Intl.Collator('en').compare));
  for (const location of orNone([...cities.map((city) => city.toUpperCase()), 'Nowhere']))
    for (const q of orNone([...searches, 'IDLE', 'idle.1'])) {
      const expected = naive.providers(book, { location, q }, now);
      const pages = await Promise.all(expected.map((_, page) => listProviders(db, { location, q, page }, now)));
      expect(pages, `${q} in ${location}`).toEqual(expected);
    }
}

async function checkKept({ now }: World, { slots, accounts }: naive.Book): Promise<void> {
  const open = slots.filter(({ status }) => status === 0);
  const days = await stored<Day & { provider_id: string }>('SELECT * FROM open_days');
  const byDay = naive.byProviderAndDate(open);
  for (const { provider_id, local_date, first_at } of days) {
    const starts = byDay.get(`${provider_id} ${local_date}`)?.map(({ starts_at }) => starts_at) ?? [];
    expect(first_at).toBeLessThanOrEqual(Math.min(...starts));
  }

  const providers = accounts.filter(({ role }) => role === 'Provider');
  const endings = providers.flatMap(({ id, username, display_name }) =>
    [fold(username), fold(display_name)].flatMap((name) =>
      [...name].map((_, from) => `${[...name].slice(from).join('')} ${id}`),
    ),
  );
  const found = await stored<{ ending: string; provider_id: string }>('SELECT * FROM provider_names');
  expect(found.map(({ ending, provider_id }) => `${ending} ${provider_id}`).sort(), 'provider_names').toEqual(
    [...new Set(endings)].sort(),
  );

  expect(await brokenRules(env.DB as unknown as D1, { texts: false })).toEqual([]);
  for (const { id, open_slots_at_most } of accounts) {
    const coming = open.filter(({ provider_id, starts_at }) => provider_id === id && starts_at > now);
    expect(open_slots_at_most, 'open_slots_at_most').toBeGreaterThanOrEqual(coming.length);
  }
}

const checks = { checkKept, checkOpenSlots, checkOwn, checkNearest, checkProviders };

describe('after a history', () => {
  test('every list is what a look at all the rows would give', { timeout: 120_000 }, async () => {
    let history = 0;
    const seen = { slots: 0, pages: 0, zones: 0, booked: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 100 }), async (steps) => {
        const world = await newWorld();
        for (const [place, one] of steps.entries()) await take(world, one, place);
        const book = await naive.readBook();
        for (const check of Object.values(checks)) await check(world, book, history % histories);
        history += 1;
        const open = book.slots.filter(({ status }) => status === 0);
        const zonesOf = naive.byProviderAndDate(open);
        seen.slots += book.slots.length;
        seen.pages += naive.openSlots(book, {}, world.now).length;
        seen.zones += [...zonesOf.values()].filter((day) => new Set(day.map((one) => one.time_zone)).size > 1).length;
        seen.booked += book.bookings.length;
      }),
      { seed: 20300309, numRuns: histories, endOnFailure: true },
    );
    // That the histories had something to say.
    expect(seen.slots).toBeGreaterThan(800);
    expect(seen.pages).toBeGreaterThan(20);
    expect(seen.zones).toBeGreaterThan(0);
    expect(seen.booked).toBeGreaterThan(200);
  });

  test('days far from each other are found without reading what lies between them', async () => {
    const { db, now, providers } = await newWorld();
    const days = Array.from({ length: 60 }, (_, later) => addDays(todayIn('UTC', now), later + 1));
    await publishTimes(db, providers[0] as Actor, { start: '08:00', end: '16:00', dates: days, len: 60 }, once(now));
    const dates = [days[3], days[55]] as string[];
    for (const q of [undefined, 'pro']) {
      const before = db.tally.rowsRead;
      const { rows, hasMore } = await listOpenSlots(db, { ...noFilter, q, dates, page: 0 }, now);
      expect(rows.map(({ date }) => date)).toEqual([...Array(8).fill(dates[0]), ...Array(8).fill(dates[1])]);
      expect(hasMore).toBe(false);
      expect(db.tally.rowsRead - before).toBeLessThan(150);
    }
  });
});
