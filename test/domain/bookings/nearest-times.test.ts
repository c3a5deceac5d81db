import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment } from '../../../app/domain/bookings/book.server';
import { findMissedTime } from '../../../app/domain/bookings/nearest-times.server';
import { listNearestTo } from '../../../app/domain/calendar/move-choice.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { createService } from '../../../app/domain/services/services.server';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import type { Db } from '../../../db/client';
import { newBook, once, publishTimes, start, year } from '../../support/history';

/* Whoever chose a time that is lost meanwhile sees those that are nearest to it. */

let db: Db;
let host: Actor;
let guest: Actor;
let [nine, half, ten] = ['', '', ''];
beforeEach(async () => {
  ({ db, host, guest } = await newBook());
  const { ids } = await publishTimes(db, host, { start: '09:00', end: '10:30', dates: [`${year}-03-12`] });
  [nine = '', half = '', ten = ''] = ids;
});

const nearestTo = async (id: string) => (await listNearestTo(db, id, false, start)).map((time) => time.id);

test('a time that is booked has others before and after', async () => {
  await bookAppointment(db, guest, { id: half, submitted: null }, start);

  expect(await nearestTo(half)).toEqual([nine, ten]);
});

test('a time that is withdrawn has others before and after', async () => {
  await withdrawSlots(db, host, { ids: [half] }, once(start));

  expect(await nearestTo(half)).toEqual([nine, ten]);
});

test('a time that is still open has no others', async () => {
  expect(await nearestTo(half)).toEqual([]);
});

describe('the times for a service near one that is booked', () => {
  const haircut = {
    name: 'Haircut',
    minutes: 30,
    gap: 0,
    price: null,
    deposit: null,
    description: null,
    seats: 1,
    templateId: null,
  };
  const publishNine = (day: number) =>
    publishTimes(db, host, { start: '09:00', end: '09:30', dates: [`${year}-03-${day}`] });

  /** The days of the times that whoever has lost that of nine on the 12th is offered. */
  async function daysOffered() {
    const service = await createService(
      db,
      host,
      { ...haircut, isOffered: true, where: 'here', link: null },
      once(start),
    );
    for (const id of [nine, half, ten]) await bookAppointment(db, guest, { id, submitted: null }, start);
    const missed = await findMissedTime(db, nine, start, { service: service.id });
    return missed?.nearest.map(({ startsAt }) => new Date(startsAt).getUTCDate());
  }

  test('are those of a week', async () => {
    for (const day of [19, 20]) await publishNine(day);

    expect(await daysOffered()).toEqual([19]);
  });

  test('are the first where a week has none', async () => {
    await publishNine(20);

    expect(await daysOffered()).toEqual([20]);
  });
});
