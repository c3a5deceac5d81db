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
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { brokenRules } from '../../habits/invariants';
import { join, newBook, publishTimes, start, stored } from '../../support/history';

/*
 * Rules by which a provider lets people book, at random: what is listed can be booked, what can be booked is listed, and
 * no limit is ever passed.
 */

/** How many books are made. */
const books = Math.ceil(Number(env.CASES) / 50);

const maybe = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: null, freq: 2 });
const rulesOf = fc.record({
  notice: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4000 })),
  horizonDays: maybe(1, 5),
  perPerson: maybe(1, 4),
  perDay: maybe(1, 4),
});

/** A party: on which day, when, and what becomes of it before anybody looks. */
const partyOf = fc.record({
  on: fc.nat(5),
  startTime: fc.constantFrom('07:30', '11:00', '19:15', '23:00'),
  endTime: fc.constantFrom('08:15', '11:00', '17:00', '20:00'),
  fate: fc.constantFrom('stays', 'is moved', 'is deleted'),
});
const hostedOf = fc.record({ parties: fc.array(partyOf, { minLength: 2, maxLength: 4 }), partiesBlock: fc.boolean() });
const dateAhead = (on: number) => addDays(todayIn('Pacific/Auckland', start), on + 1);
const day = 24 * 60 * 60_000;

/** What a party may have and need not. */
const nothing = {
  description: null,
  address: null,
  locationUrl: null,
  templateId: null,
  capacity: null,
  rsvpBy: null,
  plusOnes: null,
  hideGoing: false,
  openTo: 'accounts' as const,
  showOnPage: false,
};

type Slot = { id: string; starts_at: number; local_date: string };

test('nothing is listed that can’t be booked, and nothing can be booked that is not listed', {
  timeout: 60_000,
}, async () => {
  const seen: Record<string, number> = {};
  const note = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  await fc.assert(
    fc.asyncProperty(
      rulesOf,
      hostedOf,
      fc.integer({ min: 0, max: 3 * day }),
      fc.nat(1000),
      async (rules, hosted, passed, order) => {
        const { db, host, guest } = await newBook('Pacific/Auckland');
        const other = { username: 'two', displayName: 'Two', timeZone: 'UTC', role: 'Consumer' } as const;
        const people: [Actor, Actor] = [guest, await join(db, other)];
        const dates = Array.from({ length: 6 }, (_, later) => addDays(todayIn(host.timeZone, start), later));
        await publishTimes(db, host, { start: '08:00', end: '20:00', dates, len: 180 });
        for (const [place, { on, startTime, endTime, fate }] of hosted.parties.entries()) {
          const draft = { ...nothing, title: 'Feast', date: dateAhead(on), startTime, endTime };
          const { id } = await createParty(db, host, draft, { now: start, key: `party ${place}` });
          if (fate === 'is deleted')
            await deleteParty(db, host, 'party', { id, reason: null }, { now: start, key: `delete ${place}` });
          if (fate === 'is moved') {
            await editParty(db, host, 'party', { id, change: { date: dateAhead(on + 1), endTime: '12:30' } }, start);
          }
        }
        const { partiesBlock } = hosted;
        const change = { openTo: undefined, askEmail: undefined, cancelUntil: undefined, partiesBlock, ...rules };
        const now = start + passed;
        await setRules(db, host, change, start);

        const filter = { provider: 'host', location: undefined, q: undefined, dates: undefined };
        const pages = await Promise.all([0, 1].map((page) => listOpenSlots(db, { ...filter, page }, now)));
        const listed = new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id)));
        const feasts = await stored<{ starts_at: number; ends_at: number }>(
          'SELECT starts_at, ends_at FROM parties WHERE deleted_at IS NULL',
        );
        const busy = await stored<Slot & { ends_at: number; is_busy: number }>('SELECT * FROM slots');
        for (const slot of busy) {
          const isBusy =
            partiesBlock && feasts.some((one) => one.starts_at < slot.ends_at && slot.starts_at < one.ends_at);
          expect(slot.is_busy === 1).toBe(isBusy);
          if (isBusy) expect(listed.has(slot.id)).toBe(false);
          if (isBusy) note('busy');
        }
        expect(await brokenRules(env.DB)).toEqual([]);
        const open = await stored<Slot>('SELECT id, starts_at, local_date FROM slots ORDER BY starts_at');
        const listedDates = [...new Set(open.filter(({ id }) => listed.has(id)).map(({ local_date }) => local_date))];
        expect(await listOpenDates(db, 'host', now)).toEqual(listedDates);
        const times = await listFreeTimes(db, { ...filter, dates, page: 0 }, now);
        expect(times.rows.every(({ id }) => listed.has(id))).toBe(true);
        const page = await findProviderPage(db, { username: 'host', page: 0 }, now);
        expect(page?.next?.id).toBe(open.find(({ id }) => listed.has(id))?.id);
        expect(page?.provider.nextAt ?? undefined).toBe(open.find(({ id }) => listed.has(id))?.starts_at);

        const held: { who: Actor; slot: Slot }[] = [];
        // Sometimes half of it stays free, to move to.
        const most = order % 2 ? open.length / 2 : open.length;
        for (const [place] of open.entries()) {
          if (place >= most) break;
          const slot = open[(place * 7 + order) % open.length] as Slot;
          if (held.some(({ slot: { id } }) => id === slot.id)) continue;
          const who = people[place % 2] as Actor;
          const mine = held.filter((one) => one.who === who && one.slot.starts_at > now).length;
          const ofDay = held.filter((one) => one.slot.local_date === slot.local_date).length;
          const isLimited = mine >= (rules.perPerson ?? 99) || ofDay >= (rules.perDay ?? 99);
          const done = await bookAppointment(db, who, { id: slot.id, submitted: null }, now).catch((error) => error);
          const isBooked = !(done instanceof DomainError);
          if (!isBooked) expect(done.code).toBe('conflict');
          expect(isBooked, JSON.stringify({ slot, rules, said: done.message })).toBe(listed.has(slot.id) && !isLimited);
          if (isBooked) held.push({ who, slot });
          note(isBooked ? 'booked' : done.message.replace(/\d+|one|\w+day, .* is full/g, ''));
        }
        // A day that is full is listed nowhere.
        const isOffered = ({ id, local_date }: Slot) =>
          listed.has(id) &&
          !held.some(({ slot }) => slot.id === id) &&
          held.filter(({ slot }) => slot.local_date === local_date).length < (rules.perDay ?? 99);
        const offered = open.filter(isOffered);
        const after = await Promise.all([0, 1].map((number) => listOpenSlots(db, { ...filter, page: number }, now)));
        expect(after.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(offered.map(({ id }) => id));
        expect(await listOpenDates(db, 'host', now)).toEqual([...new Set(offered.map(({ local_date }) => local_date))]);
        const pageAfter = await findProviderPage(db, { username: 'host', page: 0 }, now);
        expect([pageAfter?.next?.id, pageAfter?.provider.nextAt]).toEqual([
          offered[0]?.id,
          offered[0]?.starts_at ?? null,
        ]);
        if (offered.length < open.filter(({ id }) => listed.has(id) && !held.some(({ slot }) => slot.id === id)).length)
          note('full');
        // A move is bound by the same, but for what it gives up.
        const gone = new Set<string>();
        for (const [place, one] of held.entries()) {
          const { who, slot } = one;
          if (slot.starts_at <= now) continue;
          const to = open[(place * 5 + order) % open.length] as Slot;
          if (gone.has(to.id) || held.some(({ slot: { id } }) => id === to.id)) continue;
          const others = held.filter((other) => other !== one);
          const ofDay = others.filter((other) => other.slot.local_date === to.local_date).length;
          const isLimited = ofDay >= (rules.perDay ?? 99);
          const move = { id: slot.id, to: to.id, submitted: null, reason: null };
          const done = await moveAppointment(db, who, move, now).catch((error) => error);
          const isMoved = !(done instanceof DomainError);
          if (!isMoved) expect(done.code).toBe('conflict');
          expect(isMoved, JSON.stringify({ to, rules, said: done.message })).toBe(listed.has(to.id) && !isLimited);
          if (isMoved) {
            held[place] = { who, slot: to };
            gone.add(slot.id);
          }
          note(isMoved ? 'moved' : 'not moved');
        }
      },
    ),
    { seed: 9, numRuns: books, endOnFailure: true },
  );
  expect(seen.booked).toBeGreaterThan(2 * books);
  expect(seen.busy).toBeGreaterThan(books / 2);
  expect(seen.full).toBeGreaterThan(books / 10);
  expect(seen.moved).toBeGreaterThan(books / 4);
  expect(seen['not moved']).toBeGreaterThan(books / 10);
  expect(Object.keys(seen).length).toBeGreaterThan(4);
});
