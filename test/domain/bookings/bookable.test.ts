import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bookAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { setRules } from '../../../app/domain/bookings/own-rules.server';
import { findProviderPage } from '../../../app/domain/calendar/provider-page.server';
import { DomainError } from '../../../app/domain/errors';
import { createParty, deleteParty, editParty } from '../../../app/domain/parties/hosting.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { listOpenDates } from '../../../app/domain/slots/open-dates.server';
import { listFreeTimes, listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import { addDays, day } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { brokenRules } from '../../habits/invariants';
import { among, join, newBook, once, publishTimes, start, stored } from '../../support/history';

/*
 * Rules by which a provider lets people book, at random: what is listed can be booked, what can be booked is listed, and
 * no limit is ever passed.
 */

/** How many books are made. */
const books = Math.ceil(Number(env.CASES) / 50);

const maybe = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: null, freq: 2 });
/** A party: on which day, when, and what becomes of it before anybody looks. */
const party = fc.record({
  on: fc.nat(5),
  startTime: fc.constantFrom('07:30', '11:00', '19:15', '23:00'),
  endTime: fc.constantFrom('08:15', '11:00', '17:00', '20:00'),
  fate: fc.constantFrom('stays', 'is moved', 'is deleted'),
});
const anyBook = fc.record({
  rules: fc.record({
    notice: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4000 })),
    horizonDays: maybe(1, 5),
    perPerson: maybe(1, 4),
    perDay: maybe(1, 4),
    partiesBlock: fc.boolean(),
  }),
  parties: fc.array(party, { minLength: 2, maxLength: 4 }),
  passed: fc.integer({ min: 0, max: 3 * day }),
  order: fc.nat(1000),
});
const dateAhead = (days: number) => addDays(todayIn('Pacific/Auckland', start), days);

/** What a party may have and need not. */
const nothing = {
  ...{ description: null, address: null, locationUrl: null, templateId: null, capacity: null, rsvpBy: null },
  ...{ plusOnes: null, hideGoing: false, openTo: 'accounts' as const, showOnPage: false },
};

type Slot = { id: string; starts_at: number; ends_at: number; local_date: string; is_busy: number };
type Booking = { who: Actor; slot: Slot };
type AnyBook = typeof anyBook extends fc.Arbitrary<infer One> ? One : never;

const days = Array.from({ length: 6 }, (_, later) => dateAhead(later));

/** Creates these parties, and does with each what becomes of it. */
async function hold(db: Db, host: Actor, parties: AnyBook['parties']): Promise<void> {
  for (const { on, startTime, endTime, fate } of parties) {
    const draft = { ...nothing, title: 'Feast', date: dateAhead(on + 1), startTime, endTime };
    const { id } = await createParty(db, host, draft, once(start));
    if (fate === 'is deleted') await deleteParty(db, host, 'party', { id, reason: null }, once(start));
    const change = { date: dateAhead(on + 2), endTime: '12:30' };
    if (fate === 'is moved') await editParty(db, host, 'party', { id, change }, start);
  }
}

const filter = { provider: 'host', location: undefined, q: undefined, dates: undefined };
async function listedIds(db: Db, now: number): Promise<string[]> {
  const pages = await Promise.all([0, 1].map((page) => listOpenSlots(db, { ...filter, page }, now)));
  return pages.flatMap(({ rows }) => rows.map(({ id }) => id));
}

/** Expects each list to offer these slots, and no others. */
async function expectOffered(db: Db, slots: Slot[], now: number): Promise<void> {
  const ids = slots.map(({ id }) => id);
  expect(await listedIds(db, now), 'the list offers what can be booked').toEqual(ids);

  const dates = await listOpenDates(db, 'host', now);
  expect(dates, 'the days offer what can be booked').toEqual([...new Set(slots.map((slot) => slot.local_date))]);

  const { rows: times } = await listFreeTimes(db, { ...filter, dates: days, page: 0 }, now);
  const timeIds = times.map(({ id }) => id);
  expect(timeIds, 'the times of days offer what can be booked').toEqual(ids.slice(0, times.length));

  const page = await findProviderPage(db, { username: 'host', page: 0 }, now);
  expect(page?.next?.id, 'the next time of a page can be booked').toBe(slots[0]?.id);
  expect(page?.provider.nextAt, 'the next time of a provider can be booked').toBe(slots[0]?.starts_at ?? null);
}

/** Whether it is done; what refuses must be a conflict. */
async function isDone(doing: Promise<object>): Promise<boolean> {
  try {
    await doing;
    return true;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code, 'what a rule forbids is a conflict').toBe('conflict');
    return false;
  }
}

test('nothing is listed that can’t be booked, and nothing can be booked that is not listed', {
  timeout: 60_000,
}, async () => {
  const times: Record<string, number> = {};
  const count = (what: string) => {
    times[what] = (times[what] ?? 0) + 1;
  };
  await fc.assert(
    fc.asyncProperty(anyBook, async ({ rules, parties, passed, order }) => {
      const { db, host, guest } = await newBook('Pacific/Auckland');
      const other = { username: 'two', displayName: 'Two', timeZone: 'UTC', role: 'Consumer' } as const;
      const people: [Actor, Actor] = [guest, await join(db, other)];
      await publishTimes(db, host, { start: '08:00', end: '20:00', dates: days, len: 180 });
      await hold(db, host, parties);
      await setRules(db, host, { openTo: undefined, askEmail: undefined, cancelUntil: undefined, ...rules }, start);
      const now = start + passed;

      const listed = new Set(await listedIds(db, now));
      const isListed = ({ id }: Slot) => listed.has(id);
      const slots = await stored<Slot>('SELECT * FROM slots ORDER BY starts_at');
      const feasts = await stored<Slot>('SELECT starts_at, ends_at FROM parties WHERE deleted_at IS NULL');
      for (const slot of slots) {
        const meetsParty = feasts.some((feast) => feast.starts_at < slot.ends_at && slot.starts_at < feast.ends_at);
        const blocks = rules.partiesBlock && meetsParty;
        expect(slot.is_busy === 1, 'a party blocks the times that it meets, where the rules say so').toBe(blocks);
        if (!blocks) continue;
        expect(isListed(slot), 'a time that is blocked is not listed').toBe(false);
        count('busy');
      }
      expect(await brokenRules(env.DB)).toEqual([]);
      await expectOffered(db, slots.filter(isListed), now);

      let bookings: Booking[] = [];
      const isBooked = ({ id }: Slot) => bookings.some(({ slot }) => slot.id === id);
      const dayIsFull = ({ local_date }: Slot, others = bookings) =>
        others.filter(({ slot }) => slot.local_date === local_date).length >= (rules.perDay ?? 99);
      const hasEnough = (who: Actor) => {
        const coming = bookings.filter((booking) => booking.who === who && booking.slot.starts_at > now);
        return coming.length >= (rules.perPerson ?? 99);
      };
      const words = (slot: Slot) => ` (${JSON.stringify({ slot, rules })})`;

      // Sometimes half of it stays free, to move to.
      for (const place of slots.slice(0, order % 2 ? slots.length / 2 : undefined).keys()) {
        const slot = among(slots, place * 7 + order);
        if (isBooked(slot)) continue;
        const who = among(people, place);
        const mayBook = isListed(slot) && !hasEnough(who) && !dayIsFull(slot);

        const booked = await isDone(bookAppointment(db, who, { id: slot.id, submitted: null }, now));

        expect(booked, `what is listed, within the limits, is booked${words(slot)}`).toBe(mayBook);
        if (booked) bookings.push({ who, slot });
        count(booked ? 'booked' : 'not booked');
      }

      // A day that is full is listed nowhere.
      const free = slots.filter((slot) => isListed(slot) && !isBooked(slot));
      await expectOffered(
        db,
        free.filter((slot) => !dayIsFull(slot)),
        now,
      );
      if (free.some((slot) => dayIsFull(slot))) count('full');

      // A move is bound by the same, but for what it gives up.
      const left = new Set<string>();
      for (const [place, booking] of bookings.entries()) {
        const { who, slot } = booking;
        const to = among(slots, place * 5 + order);
        if (slot.starts_at <= now || left.has(to.id) || isBooked(to)) continue;
        const others = bookings.filter((other) => other !== booking);
        const mayMove = isListed(to) && !dayIsFull(to, others);

        const move = { id: slot.id, to: to.id, submitted: null, reason: null };
        const moved = await isDone(moveAppointment(db, who, move, now));

        expect(moved, `a booking moves to what is listed, within the limit of the day${words(to)}`).toBe(mayMove);
        if (moved) {
          bookings = [...others, { who, slot: to }];
          left.add(slot.id);
        }
        count(moved ? 'moved' : 'not moved');
      }
    }),
    { seed: 9, numRuns: books, endOnFailure: true },
  );

  // That the books had something to say.
  expect(times.booked).toBeGreaterThan(2 * books);
  expect(times['not booked']).toBeGreaterThan(books);
  expect(times.busy).toBeGreaterThan(books / 2);
  expect(times.full).toBeGreaterThan(books / 10);
  expect(times.moved).toBeGreaterThan(books / 4);
  expect(times['not moved']).toBeGreaterThan(books / 10);
});
