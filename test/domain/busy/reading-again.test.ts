import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Fetched } from '../../../app/domain/busy/feeds';
import { setBusyFeeds } from '../../../app/domain/busy/feeds.server';
import { refreshBusyTimes } from '../../../app/domain/busy/refresh.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { sealsBy } from '../../../app/domain/seals.server';
import { addDays, day, hour, minute } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { fetchOutside } from '../../../app/serve/outside';
import type { Db } from '../../../db/client';
import { calendarOf } from '../../support/calendar-server';
import { forgetAll, joinHost, newDb, once, publishTimes, start, stored } from '../../support/history';

/* The object that reads a provider's other calendars again and again: how often, and that it ends. */

const seals = sealsBy('a secret');

type Stub = Parameters<typeof runInDurableObject>[0];

describe('other calendars are read', () => {
  const setting = { now: Date.now(), seals: sealsBy('another secret'), isRateLimited: false };
  const setFeeds = (feeds: { name: string; url: string }[]) => setBusyFeeds(db, host, { feeds }, setting);
  let db: Db;
  let host: Actor;
  let stub: Stub;
  /** A provider with one calendar, which has just been read. */
  beforeEach(async () => {
    await forgetAll();
    db = newDb();
    host = await joinHost(db);
    await setFeeds([{ name: 'Away', url: 'https://calendar.example.org/x.ics' }]);
    const object = env.CALENDARS.get(env.CALENDARS.idFromName(host.accountId));
    stub = object as unknown as Stub;
    await object.readNow(host.accountId);
  });
  const publishInTwoDays = () => {
    const dates = [addDays(todayIn('UTC', setting.now), 2)];
    return publishTimes(db, host, { start: '09:00', end: '10:00', dates }, once(setting.now));
  };

  /** The minutes until the object reads again; null where it does not. */
  const minutesLeft = () =>
    runInDurableObject(stub, async (_, { storage }) => {
      const at = await storage.getAlarm();
      return at === null ? null : Math.round((at - Date.now()) / minute);
    });
  const about = (minutes: number) => expect.toSatisfy((left: number) => Math.abs(left - minutes) <= 2);

  test('each hour while there are no open times', async () => {
    expect(await minutesLeft()).toEqual(about(60));
  });

  test('every 15 minutes while there are open times', async () => {
    await publishInTwoDays();

    expect(await runDurableObjectAlarm(stub)).toBe(true);

    expect(await minutesLeft()).toEqual(about(15));
  });

  test('no more once there are none', async () => {
    await setFeeds([]);

    expect(await runDurableObjectAlarm(stub)).toBe(true);

    expect(await minutesLeft()).toBeNull();
    expect(await runDurableObjectAlarm(stub)).toBe(false);
  });
});

describe('a calendar of a provider without open times', () => {
  let db: Db;
  let host: Actor;
  beforeEach(async () => {
    await forgetAll();
    db = newDb();
    host = await joinHost(db);
    const feeds = [{ name: 'Away', url: 'https://calendar.example.org/x.ics' }];
    await setBusyFeeds(db, host, { feeds }, { now: start, seals, isRateLimited: false });
  });
  /** How many calendars are asked for. */
  async function requestsOf(isUrgent: boolean): Promise<number> {
    let requests = 0;
    const ask = async (): Promise<Fetched> => {
      requests += 1;
      return { kind: 'failed', why: 'not_found' };
    };
    await refreshBusyTimes(db, host.accountId, { seals, ask, clock: () => start }, { isUrgent });
    return requests;
  }

  test('is not read by the clock', async () => {
    expect(await requestsOf(false)).toBe(0);
  });

  test('is read when its provider asks', async () => {
    expect(await requestsOf(true)).toBe(1);
  });

  test('that can’t be read for a day is told of once, though two read it at once', async () => {
    let [waiting, bothAsk] = [0, () => {}];
    const both = new Promise<void>((resolve) => {
      bothAsk = resolve;
    });
    const ask = async (): Promise<Fetched> => {
      waiting += 1;
      if (waiting === 2) bothAsk();
      await both;
      return { kind: 'failed', why: 'not_found' };
    };
    const readAt = (now: number) =>
      refreshBusyTimes(db, host.accountId, { seals, ask, clock: () => now }, { isUrgent: true });

    await Promise.all([readAt(start + 2 * day), readAt(start + 2 * day + 1)]);

    expect(await stored("SELECT kind FROM messages WHERE kind = 'unread-calendar'")).toHaveLength(1);
  });
});

/* Five calendars of one provider are read within what one run of the free plan may ask: 50 queries, and 50 requests to others. */

/** Five calendars of 400 events, and what each reading of them costs. */
async function fiveCalendars() {
  await forgetAll();
  const db = newDb();
  const timeZone = 'Europe/Oslo';
  const host = await joinHost(db, timeZone);
  await publishTimes(db, host, { start: '09:00', end: '17:00', dates: [addDays(todayIn(timeZone, start), 1)] });
  const feeds = Array.from({ length: 5 }, (_, n) => ({ name: `C${n}`, url: `https://c${n}.example.org/x.ics` }));
  await setBusyFeeds(db, host, { feeds }, { now: start, seals, isRateLimited: false });

  const events = Array.from({ length: 400 }, (_, n) => ({ at: start + (1 + n * 2) * hour, minutes: 30 }));
  let requests = 0;
  // Each is moved three times before it answers.
  const fetch = (async (input: string) => {
    requests++;
    const url = new URL(input);
    const hops = Number(url.searchParams.get('hops') ?? 0);
    if (hops < 3) return new Response(null, { status: 302, headers: { Location: `?hops=${hops + 1}` } });
    return new Response(calendarOf(events), { headers: { 'Content-Type': 'text/calendar' } });
  }) as typeof globalThis.fetch;
  const read = async (now: number) => {
    const before = { ...db.tally, requests };
    const ask = (asked: Parameters<typeof fetchOutside>[0]) => fetchOutside(asked, { fetch });
    await refreshBusyTimes(db, host.accountId, { seals, ask, clock: () => now }, { isUrgent: false });
    const { statements, rowsRead, rowsWritten } = db.tally;
    return {
      queries: statements - before.statements,
      requests: requests - before.requests,
      read: rowsRead - before.rowsRead,
      written: rowsWritten - before.rowsWritten,
    };
  };
  return read;
}

test('five calendars that are new take at most 50 queries', async () => {
  const read = await fiveCalendars();

  expect((await read(start)).queries).toBeLessThanOrEqual(50);
});

test('five calendars that are moved three times each take four requests each', async () => {
  const read = await fiveCalendars();

  expect((await read(start)).requests).toBe(20);
});

test('five calendars that have not changed write a row each', async () => {
  const read = await fiveCalendars();
  await read(start);

  const again = await read(start + 15 * minute);

  expect(again.queries).toBe(3);
  expect(again.requests).toBe(20);
  expect(again.written).toBe(5);
  expect(again.read).toBeLessThan(25);
});
