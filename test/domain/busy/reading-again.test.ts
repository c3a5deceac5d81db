import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { setBusyFeeds } from '../../../app/domain/busy/feeds.server';
import { refreshBusyTimes } from '../../../app/domain/busy/refresh.server';
import { sealsBy } from '../../../app/domain/seals.server';
import { addDays, hour, minute } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { fetchOutside } from '../../../app/serve/outside';
import { calendarOf } from '../../support/calendar-server';
import { forgetAll, joinHost, newDb, once, publishTimes, start } from '../../support/history';

/* The object that reads a provider's other calendars again and again: how often, and that it ends. */

type Stub = Parameters<typeof runInDurableObject>[0];

test('other calendars are read every 15 minutes while there are open times, else each hour, and without any no more', async () => {
  await forgetAll();
  const db = newDb();
  const now = Date.now();
  const host = await joinHost(db);
  const setting = { now, seals: sealsBy('another secret'), isRateLimited: false };
  await setBusyFeeds(db, host, { feeds: [{ name: 'Away', url: 'https://calendar.example.org/x.ics' }] }, setting);
  const object = env.CALENDARS.get(env.CALENDARS.idFromName(host.accountId));
  const stub = object as unknown as Stub;
  /** The minutes until the object reads again; null where it does not. */
  const minutesLeft = () =>
    runInDurableObject(stub, async (_, { storage }) => {
      const at = await storage.getAlarm();
      return at === null ? null : Math.round((at - Date.now()) / minute);
    });
  const about = (minutes: number) => expect.toSatisfy((left: number) => Math.abs(left - minutes) <= 2);

  await object.readNow(host.accountId);
  expect(await minutesLeft()).toEqual(about(hour / minute));
  await publishTimes(db, host, { start: '09:00', end: '10:00', dates: [addDays(todayIn('UTC', now), 2)] }, once(now));
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await minutesLeft()).toEqual(about(15));
  await setBusyFeeds(db, host, { feeds: [] }, setting);
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await minutesLeft()).toBeNull();
  expect(await runDurableObjectAlarm(stub)).toBe(false);
});

/* Five calendars of one provider are read within what one run of the free plan may ask: 50 queries, and 50 requests to others. */

const seals = sealsBy('a secret');
test('five calendars take at most 50 queries and 50 requests, and unchanged they write a row each', async () => {
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
  const first = await read(start);
  expect([first.queries <= 50, first.requests]).toEqual([true, 20]);
  const again = await read(start + 15 * minute);
  expect([again.queries, again.requests, again.written]).toEqual([3, 20, 5]);
  expect(again.read).toBeLessThan(25);
});
