import { beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../../app/domain/input/fields';
import { pageSize } from '../../../app/domain/input/limits';
import type { Actor } from '../../../app/domain/profile/accounts';
import { listFreeTimes, listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import { listOwnOpenSlots } from '../../../app/domain/slots/own-open-slots.server';
import type { Db } from '../../../db/client';
import { forgetAll, join, joinHost, newDb, publishTimes, start, year } from '../../support/history';

/* What follows a page of a list of times begins where that page ended. */

const [first, second, third] = [`${year}-03-12`, `${year}-03-13`, `${year}-03-20`];

let db: Db;
let host: Actor;
/** The ids of a day of the host, by start: more than two pages. */
const ids: Record<string, string[]> = {};
beforeAll(async () => {
  await forgetAll();
  db = newDb();
  host = await joinHost(db);
  const other = await join(db, {
    username: 'other',
    displayName: 'Other',
    timeZone: 'UTC',
    role: 'Provider',
    location: 'Porto',
  });
  for (const date of [first, second, third]) {
    ids[date] = (await publishTimes(db, host, { start: '09:00', end: '16:30', len: 10, dates: [date] })).ids;
    await publishTimes(db, other, { start: '09:05', end: '16:35', len: 10, dates: [date] });
  }
});

/** Reads a list to its end. */
async function readAll(list: (page: number) => Promise<Page<{ id: string }>>): Promise<string[]> {
  const found: string[] = [];
  for (let page = 0; ; page += 1) {
    const { rows, hasMore } = await list(page);
    expect(rows.length).toBe(hasMore ? pageSize : Math.min(rows.length, pageSize));
    found.push(...rows.map(({ id }) => id));
    if (!hasMore) return found;
  }
}

const all = [first, second, third];
const apart = [first, third];
const idsOn = (dates: string[]) => dates.flatMap((date) => ids[date] ?? []);
const none = { provider: undefined, location: undefined, q: undefined, dates: undefined };

describe('page by page, each time comes once', () => {
  const open = (filter: object) => (page: number) => listOpenSlots(db, { ...none, ...filter, page }, start);

  test.each<[list: string, dates: string[], read: (page: number) => Promise<Page<{ id: string }>>]>([
    ['of a provider', all, open({ provider: 'host' })],
    ['of a provider on a day', [second], open({ provider: 'host', dates: [second] })],
    ['of a provider on days apart', apart, open({ provider: 'host', dates: apart })],
    ['of a city', all, open({ location: 'Lisbon' })],
    ['of a city on a day', [second], open({ location: 'Lisbon', dates: [second] })],
    ['of a city on days apart', apart, open({ location: 'Lisbon', dates: apart })],
    ['of a name', all, open({ q: 'Host' })],
    ['of a name on a day', [second], open({ q: 'Host', dates: [second] })],
    ['of a name on days apart', apart, open({ q: 'Host', dates: apart })],
    ['of a name in a city on days apart', apart, open({ q: 'Host', location: 'Lisbon', dates: apart })],
    ['on the page of a provider', apart, (page) => listFreeTimes(db, { provider: 'host', dates: apart, page }, start)],
    ['of one’s own open times', all, (page) => listOwnOpenSlots(db, host, page, start)],
  ])('%s', async (_, dates, read) => {
    expect(await readAll(read)).toEqual(idsOn(dates));
  });
});

test('page by page, each time of two providers on days apart comes once', async () => {
  const found = await readAll((page) => listOpenSlots(db, { ...none, dates: apart, page }, start));

  expect(found.filter((id) => idsOn(apart).includes(id))).toEqual(idsOn(apart));
  expect(new Set(found).size).toBe(2 * idsOn(apart).length);
  expect(found).toHaveLength(2 * idsOn(apart).length);
});
