import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bookAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { DomainError } from '../../../app/domain/errors';
import { createParty, deleteParty, editParty } from '../../../app/domain/parties/hosting.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { setRules } from '../../../app/domain/profile/rules.server';
import { listOpenDates } from '../../../app/domain/slots/open-dates.server';
import { listFreeTimes, listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import { findProviderPage } from '../../../app/domain/slots/provider-page.server';
import { addDays, day } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
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

test('nothing is listed that can’t be booked, and nothing can be booked that is not listed', {
  timeout: 60_000,
}, async () => {
  const seen: Record<string, number> = {};
  const note = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  await fc.assert(
    fc.asyncProperty(anyBook, async ({ rules, parties, passed, order }) => {
      const { db, host, guest } = await newBook('Pacific/Auckland');
      const other = { username: 'two', displayName: 'Two', timeZone: 'UTC', role: 'Consumer' } as const;
      const people: [Actor, Actor] = [guest, await join(db, other)];
      const dates = Array.from({ length: 6 }, (_, later) => dateAhead(later));
      await publishTimes(db, host, { start: '08:00', end: '20:00', dates, len: 180 });
      for (const { on, startTime, endTime, fate } of parties) {
        const draft = { ...nothing, title: 'Feast', date: dateAhead(on + 1), startTime, endTime };
        const { id } = await createParty(db, host, draft, once(start));
        if (fate === 'is deleted') await deleteParty(db, host, 'party', { id, reason: null }, once(start));
        const change = { date: dateAhead(on + 2), endTime: '12:30' };
        if (fate === 'is moved') await editParty(db, host, 'party', { id, change }, start);
      }
      await setRules(db, host, { openTo: undefined, askEmail: undefined, cancelUntil: undefined, ...rules }, start);
      const now = start + passed;

      const filter = { provider: 'host', location: undefined, q: undefined, dates: undefined };
      const listSlots = async () => {
        const pages = await Promise.all([0, 1].map((page) => listOpenSlots(db, { ...filter, page }, now)));
        return pages.flatMap(({ rows }) => rows.map(({ id }) => id));
      };
      const listed = new Set(await listSlots());
      const slots = await stored<Slot>('SELECT * FROM slots ORDER BY starts_at');
      const feasts = await stored<Slot>('SELECT starts_at, ends_at FROM parties WHERE deleted_at IS NULL');
      for (const { id, starts_at, ends_at, is_busy } of slots) {
        const isMet = feasts.some((one) => one.starts_at < ends_at && starts_at < one.ends_at);
        expect(is_busy === 1).toBe(rules.partiesBlock && isMet);
        if (is_busy) expect(listed.has(id)).toBe(false);
        if (is_busy) note('busy');
      }
      expect(await brokenRules(env.DB)).toEqual([]);
      const expectShown = async (offered: Slot[]) => {
        const ids = offered.map(({ id }) => id);
        expect(await listSlots()).toEqual(ids);
        expect(await listOpenDates(db, 'host', now)).toEqual([...new Set(offered.map((slot) => slot.local_date))]);
        const times = await listFreeTimes(db, { ...filter, dates, page: 0 }, now);
        expect(times.rows.map(({ id }) => id)).toEqual(ids.slice(0, times.rows.length));
        const page = await findProviderPage(db, { username: 'host', page: 0 }, now);
        const next = [offered[0]?.id, offered[0]?.starts_at ?? null];
        expect([page?.next?.id, page?.provider.nextAt]).toEqual(next);
      };
      await expectShown(slots.filter(({ id }) => listed.has(id)));

      let held: { who: Actor; slot: Slot }[] = [];
      const isHeld = ({ id }: Slot) => held.some(({ slot }) => slot.id === id);
      const isFull = ({ local_date }: Slot, others = held) =>
        others.filter(({ slot }) => slot.local_date === local_date).length >= (rules.perDay ?? 99);
      /** Tries it, and compares what comes of it. */
      const isDone = async (doing: Promise<object>, slot: Slot, isLimited: boolean) => {
        const done = await doing.catch((error) => error);
        const isRefused = done instanceof DomainError;
        if (isRefused) expect(done.code).toBe('conflict');
        const words = JSON.stringify({ slot, rules, said: done.message });
        expect(!isRefused, words).toBe(listed.has(slot.id) && !isLimited);
        return !isRefused;
      };
      // Sometimes half of it stays free, to move to.
      for (const place of slots.slice(0, order % 2 ? slots.length / 2 : undefined).keys()) {
        const slot = among(slots, place * 7 + order);
        if (isHeld(slot)) continue;
        const who = among(people, place);
        const mine = held.filter((one) => one.who === who && one.slot.starts_at > now).length;
        const booking = bookAppointment(db, who, { id: slot.id, submitted: null }, now);
        const isBooked = await isDone(booking, slot, mine >= (rules.perPerson ?? 99) || isFull(slot));
        if (isBooked) held.push({ who, slot });
        note(isBooked ? 'booked' : 'not booked');
      }
      // A day that is full is listed nowhere.
      const free = slots.filter((slot) => listed.has(slot.id) && !isHeld(slot));
      await expectShown(free.filter((slot) => !isFull(slot)));
      if (free.some((slot) => isFull(slot))) note('full');
      // A move is bound by the same, but for what it gives up.
      const gone = new Set<string>();
      for (const [place, one] of held.entries()) {
        const { who, slot } = one;
        const to = among(slots, place * 5 + order);
        if (slot.starts_at <= now || gone.has(to.id) || isHeld(to)) continue;
        const others = held.filter((other) => other !== one);
        const move = moveAppointment(db, who, { id: slot.id, to: to.id, submitted: null, reason: null }, now);
        const isMoved = await isDone(move, to, isFull(to, others));
        if (isMoved) held = [...others, { who, slot: to }];
        if (isMoved) gone.add(slot.id);
        note(isMoved ? 'moved' : 'not moved');
      }
    }),
    { seed: 9, numRuns: books, endOnFailure: true },
  );
  expect(seen.booked).toBeGreaterThan(2 * books);
  expect(seen['not booked']).toBeGreaterThan(books);
  expect(seen.busy).toBeGreaterThan(books / 2);
  expect(seen.full).toBeGreaterThan(books / 10);
  expect(seen.moved).toBeGreaterThan(books / 4);
  expect(seen['not moved']).toBeGreaterThan(books / 10);
});
