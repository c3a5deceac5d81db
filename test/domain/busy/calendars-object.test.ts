import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { setBusyFeeds } from '../../../app/domain/busy/feeds.server';
import { sealsBy } from '../../../app/domain/seals.server';
import { publishSlots } from '../../../app/domain/slots/publish.server';
import { addDays, hour, minute } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { forgetAll, join, newDb } from '../../support/history';

/* The object that reads a provider's other calendars again and again: how often, and that it ends. */

type Stub = Parameters<typeof runInDurableObject>[0];

test('other calendars are read every 15 minutes while there are open times, else each hour, and without any no more', async () => {
  await forgetAll();
  const db = newDb();
  const now = Date.now();
  const host = await join(db, {
    username: 'host',
    displayName: 'H',
    timeZone: 'UTC',
    role: 'Provider',
    location: 'Oslo',
  });
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
  const input = { start: '09:00', end: '10:00', dates: [addDays(todayIn('UTC', now), 2)], len: 30 };
  await publishSlots(db, host, { ...input, notes: null, templateId: null }, { now, key: 'k' });
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await minutesLeft()).toEqual(about(15));
  await setBusyFeeds(db, host, { feeds: [] }, setting);
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  expect(await minutesLeft()).toBeNull();
  expect(await runDurableObjectAlarm(stub)).toBe(false);
});
