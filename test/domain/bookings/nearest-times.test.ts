import { beforeEach, expect, test } from 'vitest';
import { bookAppointment } from '../../../app/domain/bookings/book.server';
import { listNearestTo } from '../../../app/domain/calendar/move-choice.server';
import type { Actor } from '../../../app/domain/profile/accounts';
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
