import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFeed, makeFeed } from '../../../app/domain/calendar/feeds.server';
import { calendarText } from '../../../app/domain/calendar/ics.server';
import { linksBy } from '../../../app/domain/links.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { readCalendar } from '../../support/calendars';
import { newWorld, step, take, type World } from '../../support/history';
import * as naive from '../../support/naive';

/* After any history a feed, read by another program, is what a look at all the rows would give. */

const links = linksBy('a secret');
const day = 24 * 60 * 60 * 1000;

const byUid = (one: { uid: string }, another: { uid: string }) => (one.uid < another.uid ? -1 : 1);

/** The appointments that somebody's feed is to have, by a look at every row. */
function expected({ slots, bookings, accounts }: naive.Book, { accountId }: Actor, now: number) {
  const today = Math.floor(now / day) * day;
  return bookings
    .flatMap((booking) => {
      const slot = slots.find(({ id }) => id === booking.slot_id) as naive.Book['slots'][number];
      const isMine = booking.booker_id === accountId || slot.provider_id === accountId;
      const isKept = slot.status === 1 || (slot.canceled_at ?? 0) >= today - 30 * day;
      if (!isMine || !isKept) return [];
      const other = booking.booker_id === accountId ? slot.provider_id : booking.booker_id;
      return {
        uid: `${slot.id}@daybook`,
        summary: accounts.find(({ id }) => id === other)?.display_name,
        status: slot.status === 1 ? 'CONFIRMED' : 'CANCELLED',
        sequence: slot.status === 1 ? 0 : 1,
        startsAt: new Date(slot.starts_at).toISOString(),
        endsAt: new Date(slot.ends_at).toISOString(),
        description: slot.notes,
      };
    })
    .sort(byUid);
}

/** How many events were compared. */
let compared = 0;

type Seen = Map<string, { version: string; sequences: Map<string, number> }>;

async function check({ db, providers, consumers, now }: World, keys: Map<string, string>, seen: Seen): Promise<void> {
  const book = await naive.readBook();
  for (const actor of [...providers, ...consumers]) {
    const asked = { key: keys.get(actor.accountId) ?? '', asksBusy: false, origin: 'https://daybook.test' };
    const feed = await findFeed(db, { ...asked, known: [] }, now);
    const { events } = readCalendar(calendarText(feed?.entries ?? [], 'PUBLISH', 'Daybook'));
    const read = [...events.values()].sort(byUid);
    expect(read).toMatchObject(expected(book, actor, now));
    compared += read.length;
    const sequences = new Map(read.map(({ uid, sequence }) => [uid, sequence]));
    const before = seen.get(actor.accountId);
    for (const [uid, sequence] of before?.sequences ?? []) {
      expect(sequences.get(uid) ?? sequence).toBeGreaterThanOrEqual(sequence);
    }
    // A calendar that has the version is told so, and only that one.
    const version = feed?.version ?? '';
    expect((await findFeed(db, { ...asked, known: [version] }, now))?.entries).toBeNull();
    if (before && JSON.stringify([...before.sequences]) !== JSON.stringify([...sequences])) {
      expect(version).not.toBe(before.version);
    }
    seen.set(actor.accountId, { version, sequences });
  }
}

/** Nobody in these worlds has a password. */
const passwords = { hash: async () => '', verify: async () => ({ right: false, outdated: false }) };

test('a feed is what the book says, event by event, after any history', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 40 }), async (steps) => {
      const world = await newWorld();
      const keys = new Map<string, string>();
      for (const actor of [...world.providers, ...world.consumers]) {
        const made = await makeFeed(world.db, { passwords, links }, actor, {}, { now: world.now, origin: null });
        keys.set(actor.accountId, made.link.slice('/calendar/'.length, -'.ics'.length));
      }
      const seen: Seen = new Map();
      for (const [place, one] of steps.entries()) {
        await take(world, one, place);
        if (place % 13 === 12 || place === steps.length - 1) await check(world, keys, seen);
      }
    }),
    { numRuns: 3, seed: 21 },
  );
  expect(compared).toBeGreaterThan(100);
});
