import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment } from '../../../app/domain/bookings/book.server';
import { readDaySheet } from '../../../app/domain/calendar/sheet.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import type { Db } from '../../../db/client';
import { join, newBook, publishTimes, start, year } from '../../support/history';

const [before, date, after] = [`${year}-06-11`, `${year}-06-12`, `${year}-06-13`];

let db: Db;
let host: Actor;
let other: Actor;
let guest: Actor;
beforeEach(async () => {
  ({ db, host, guest } = await newBook('Europe/Lisbon'));
  const place = { timeZone: 'Europe/Lisbon', role: 'Provider', location: 'Lisbon' } as const;
  other = await join(db, { username: 'other', displayName: 'Other', ...place });
});

/** Books the half hour that begins at `time` on the provider's clock. @returns the booking's id */
async function book(provider: Actor, day: string, time: string, end: string): Promise<string> {
  const { ids } = await publishTimes(db, provider, { start: time, end, dates: [day] });
  const [id = ''] = ids;
  await bookAppointment(db, guest, { id, submitted: null }, start);
  return id;
}

const bookedOn = async (provider: Actor) => (await readDaySheet(db, provider, date, start)).lines.map(({ id }) => id);

describe('the sheet of a day lists', () => {
  test('what is booked from its first minute to its last, on the provider’s clock', async () => {
    const evening = await book(host, date, '23:30', '00:00');
    const midnight = await book(host, date, '00:00', '00:30');

    expect(await bookedOn(host)).toEqual([midnight, evening]);
  });

  test('nothing of the day before', async () => {
    await book(host, before, '23:30', '00:00');

    expect(await bookedOn(host)).toEqual([]);
  });

  test('nothing of the day after', async () => {
    await book(host, after, '00:00', '00:30');

    expect(await bookedOn(host)).toEqual([]);
  });

  test('nothing of other providers', async () => {
    await book(other, date, '09:00', '09:30');
    await book(other, before, '09:00', '09:30');

    expect(await bookedOn(host)).toEqual([]);
  });
});
