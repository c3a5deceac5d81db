import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { hour, newBook, publishTimes, start, stored } from '../../support/history';
import { slotId } from '../../support/stored-bookings';

/* Open slots are not counted with every publication, but the limit is exact. */

let db: Db;
let host: Actor;
let guest: Actor;
beforeEach(async () => {
  ({ db, host, guest } = await newBook());
});

const tomorrow = addDays(todayIn('UTC', start), 1);
/** Publishes slots of an hour on one day. */
const publish = (key: string, slots: number, date = tomorrow) =>
  publishTimes(db, host, { start: '10:00', end: `${10 + slots}:00`, dates: [date], len: 60 }, { now: start, key });
const bound = async () =>
  (await stored('SELECT open_slots_at_most AS at FROM accounts WHERE id = ?', host.accountId))[0];
const setBound = (at: number) => stored('UPDATE accounts SET open_slots_at_most = ? WHERE id = ?', at, host.accountId);
const openSlots = () => stored('SELECT id FROM slots WHERE state = 0');
/** Inserts open slots of a minute that start `from` milliseconds after now. */
const insertMinutes = (count: number, from: number) =>
  stored(
    `WITH RECURSIVE minute(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM minute WHERE n + 1 < ?1)
      INSERT INTO slots (id, provider_id, city, starts_at, ends_at, local_date, time_zone, publication)
      SELECT ${slotId('?2', '(?3 + n * 60000)')}, ?2, 'lisbon', ?3 + n * 60000, ?3 + n * 60000 + 60000, '2031-01-01', 'UTC', 'minutes'
      FROM minute`,
    ...[count, host.accountId, start + from],
  );

// That it is never too low, whatever becomes of bookings: see lists.test.ts.
test('the bound of open slots rises with what is published, and falls to the truth where it would forbid more', async () => {
  await publish('first', 5);
  expect(await bound()).toEqual({ at: 5 });
  await setBound(9_999);
  expect(await publish('fits', 1, addDays(tomorrow, 1))).toMatchObject({ created: 1 });
  expect(await bound()).toEqual({ at: 10_000 });
  expect(await publish('too many, it says', 3, addDays(tomorrow, 2))).toMatchObject({ created: 3 });
  expect(await bound()).toEqual({ at: 9 });
});

describe('10,000 coming open slots', () => {
  const refusal = /at most 10,000 free times at a time. Nothing was created/;

  test('take the last one, and not one more', async () => {
    await insertMinutes(9_999, 100 * 24 * hour);
    await insertMinutes(50, -100 * hour);
    await setBound(9_999);
    await expect(publish('two', 2)).rejects.toThrow(refusal);
    expect(await stored('SELECT id FROM slots WHERE local_date = ?', tomorrow)).toEqual([]);
    expect(await publish('one', 1)).toMatchObject({ created: 1 });
    await expect(publish('another', 1, addDays(tomorrow, 1))).rejects.toThrow(refusal);
    expect(await openSlots()).toHaveLength(10_050);
    expect(await publish('one', 1)).toMatchObject({ created: 1 });
  });

  test('do not count those that are booked, and are none again when they are canceled', async () => {
    await insertMinutes(9_998, 100 * 24 * hour);
    await setBound(9_998);
    const { ids } = await publish('first', 2);
    for (const id of ids) await bookAppointment(db, guest, { id, submitted: null }, start);
    expect(await publish('two more', 2, addDays(tomorrow, 1))).toMatchObject({ created: 2 });
    await cancelAppointment(db, guest, { id: ids[0] as string, reason: null }, start);
    expect(await openSlots()).toHaveLength(10_001);
    await expect(publish('no more', 1, addDays(tomorrow, 2))).rejects.toThrow(refusal);
    expect(await publish('two more', 2, addDays(tomorrow, 1))).toMatchObject({ created: 2 });
  });
});
