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
describe('the bound of open slots', () => {
  test('rises with what is published', async () => {
    await publish('first', 5);
    expect(await bound()).toEqual({ at: 5 });
  });

  test('lets a publication in that fits', async () => {
    await publish('first', 5);
    await setBound(9_999);

    expect(await publish('fits', 1, addDays(tomorrow, 1))).toMatchObject({ created: 1 });
    expect(await bound()).toEqual({ at: 10_000 });
  });

  test('falls to the truth where it would forbid more', async () => {
    await publish('first', 5);
    await setBound(10_000);

    expect(await publish('too many, it says', 3, addDays(tomorrow, 1))).toMatchObject({ created: 3 });
    expect(await bound()).toEqual({ at: 8 });
  });
});

describe('10,000 coming open slots', () => {
  const refusal = /at most 10,000 free times at a time. Nothing was created/;

  describe('but for one, and some that have begun', () => {
    beforeEach(async () => {
      await insertMinutes(9_999, 100 * 24 * hour);
      await insertMinutes(50, -100 * hour);
      await setBound(9_999);
    });

    test('take one more', async () => {
      expect(await publish('one', 1)).toMatchObject({ created: 1 });
      expect(await openSlots()).toHaveLength(10_050);
    });

    test('take no two', async () => {
      await expect(publish('two', 2)).rejects.toThrow(refusal);
      expect(await stored('SELECT id FROM slots WHERE local_date = ?', tomorrow)).toEqual([]);
    });

    test('take no second after the last', async () => {
      await publish('one', 1);

      await expect(publish('another', 1, addDays(tomorrow, 1))).rejects.toThrow(refusal);
      expect(await openSlots()).toHaveLength(10_050);
    });

    test('answer the publication of the last one when it is sent again', async () => {
      await publish('one', 1);

      expect(await publish('one', 1)).toMatchObject({ created: 1 });
    });
  });

  describe('of which two are booked', () => {
    let booked: string[];
    beforeEach(async () => {
      await insertMinutes(9_998, 100 * 24 * hour);
      await setBound(9_998);
      booked = (await publish('first', 2)).ids;
      for (const id of booked) await bookAppointment(db, guest, { id, submitted: null }, start);
    });
    const publishTwoMore = () => publish('two more', 2, addDays(tomorrow, 1));
    const cancelFirst = () => cancelAppointment(db, guest, { id: booked[0] as string, reason: null }, start);

    test('take two more', async () => {
      expect(await publishTwoMore()).toMatchObject({ created: 2 });
    });

    test('may be more when one is canceled', async () => {
      await publishTwoMore();

      await cancelFirst();

      expect(await openSlots()).toHaveLength(10_001);
    });

    test('take no more when one is canceled', async () => {
      await publishTwoMore();
      await cancelFirst();

      await expect(publish('no more', 1, addDays(tomorrow, 2))).rejects.toThrow(refusal);
    });

    test('answer a publication that is sent again when one is canceled', async () => {
      await publishTwoMore();
      await cancelFirst();

      expect(await publishTwoMore()).toMatchObject({ created: 2 });
    });
  });
});
