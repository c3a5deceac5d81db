import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { findFeed, makeFeed } from '../../../app/domain/calendar/feeds.server';
import { calendarText } from '../../../app/domain/calendar/ics.server';
import { linksBy } from '../../../app/domain/links.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { day, hour } from '../../../app/domain/time/clock';
import { english } from '../../../app/domain/words/english';
import type { Db } from '../../../db/client';
import { readCalendar } from '../../support/calendars';
import {
  forgetAll,
  joinHost,
  newBook,
  newDb,
  newWorld,
  publishTimes,
  start,
  step,
  take,
  type World,
  year,
} from '../../support/history';
import * as naive from '../../support/naive';

/* After any history a feed, read by another program, is what a look at all the rows would give. */

const links = linksBy('a secret');

const byUid = (one: { uid: string }, another: { uid: string }) => (one.uid < another.uid ? -1 : 1);

/** The appointments that somebody's feed is to have, by a look at every row. */
function expected({ slots, accounts }: naive.Book, { accountId }: Actor, now: number) {
  const kept = Math.floor(now / day) * day - 30 * day;
  return slots
    .filter(({ booker_id, provider_id }) => booker_id && [booker_id, provider_id].includes(accountId))
    .filter(({ status, canceled_at }) => status === 1 || (canceled_at ?? 0) >= kept)
    .map((slot) => {
      const other = slot.booker_id === accountId ? slot.provider_id : slot.booker_id;
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

type Seen = Map<string, { version: string; sequences: string }>;

async function check({ db, providers, consumers, now }: World, keys: Map<string, string>, seen: Seen): Promise<void> {
  const book = await naive.readBook();
  for (const actor of [...providers, ...consumers]) {
    const asked = {
      key: keys.get(actor.accountId) ?? '',
      asksBusy: false,
      origin: 'https://daybook.test',
      wordsIn: async () => english,
    };
    const feed = await findFeed(db, { ...asked, known: [] }, now);
    const { events } = readCalendar(calendarText(feed?.entries ?? [], 'PUBLISH', 'Daybook'));
    const read = [...events.values()].sort(byUid);
    expect(read).toMatchObject(expected(book, actor, now));
    compared += read.length;
    const sequences = read.map(({ uid, sequence }) => `${uid} ${sequence}`).join();
    const before = seen.get(actor.accountId);
    // A calendar that has the version is told so, and only that one.
    const version = feed?.version ?? '';
    expect((await findFeed(db, { ...asked, known: [version] }, now))?.entries).toBeNull();
    if (before && before.sequences !== sequences) expect(version).not.toBe(before.version);
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

describe('a calendar program that has a feed', () => {
  /** Ten in the morning. */
  const today = Math.floor(start / day) * day + 10 * hour;
  const midnight = Math.floor(start / day) * day + day;
  const origin = 'https://daybook.test';
  let db: Db;
  let key: string;
  beforeEach(async () => {
    await forgetAll();
    db = newDb();
    const { link } = await makeFeed(db, { passwords, links }, await joinHost(db), {}, { now: start, origin: null });
    key = link.slice('/calendar/'.length, -'.ics'.length);
  });
  const ask = (now: number, known: string[], asksBusy = false) =>
    findFeed(db, { key, asksBusy, known, origin, wordsIn: async () => english }, now);
  const versionAt = async (now: number, asksBusy = false) => (await ask(now, [], asksBusy))?.version ?? '';

  test.each([
    ['the whole feed', false],
    ['its times alone', true],
  ])('is not sent %s again until the day ends', async (_, asksBusy) => {
    const version = await versionAt(today, asksBusy);

    expect((await ask(midnight - 1, [version], asksBusy))?.entries).toBeNull();
  });

  test.each([
    ['the whole feed', false],
    ['its times alone', true],
  ])('is sent %s again from midnight on, because other days are in it', async (_, asksBusy) => {
    const version = await versionAt(today, asksBusy);

    const tomorrow = await ask(midnight, [version], asksBusy);

    expect(tomorrow?.entries).toEqual([]);
    expect(tomorrow?.version).not.toBe(version);
  });
});

describe('a feed has', () => {
  const inTwoMonths = `${year}-05-08`;
  let db: Db;
  let host: Actor;
  let guest: Actor;
  let id: string;
  const keys: Record<string, string> = {};
  beforeEach(async () => {
    ({ db, host, guest } = await newBook());
    for (const [name, actor] of Object.entries({ host, guest })) {
      const { link } = await makeFeed(db, { passwords, links }, actor, {}, { now: start, origin: null });
      keys[name] = link.slice('/calendar/'.length, -'.ics'.length);
    }
    [id = ''] = (await publishTimes(db, host, { start: '09:00', end: '09:30', dates: [inTwoMonths] })).ids;
    await bookAppointment(db, guest, { id, submitted: null }, start);
  });
  const idsAt = async (who: string, now: number) => {
    const asked = {
      key: keys[who] ?? '',
      asksBusy: false,
      known: [],
      origin: 'https://daybook.test',
      wordsIn: async () => english,
    };
    return (await findFeed(db, asked, now))?.entries?.map((entry) => entry.id);
  };

  test.each(['host', 'guest'])('what was canceled for thirty days, for the %s', async (who) => {
    await cancelAppointment(db, guest, { id, reason: null }, start);

    expect(await idsAt(who, start + 29 * day)).toEqual([id]);
    expect(await idsAt(who, start + 31 * day)).toEqual([]);
  });

  test.each(['host', 'guest'])('what is over for a year, for the %s', async (who) => {
    const at = Date.parse(inTwoMonths);

    expect(await idsAt(who, at + 365 * day)).toEqual([id]);
    expect(await idsAt(who, at + 368 * day)).toEqual([]);
  });

  test('what begins at midnight once', async () => {
    const { ids } = await publishTimes(db, host, { start: '00:00', end: '00:30', dates: [inTwoMonths] });
    const [midnight = ''] = ids;
    await bookAppointment(db, guest, { id: midnight, submitted: null }, start);

    expect(await idsAt('guest', Date.parse(inTwoMonths) + hour)).toEqual([midnight, id]);
  });
});
