import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment } from '../../../app/domain/bookings/book.server';
import { findUnavailableTime } from '../../../app/domain/bookings/nearest-times.server';
import { setRules } from '../../../app/domain/bookings/own-rules.server';
import { listNearestTo } from '../../../app/domain/calendar/move-choice.server';
import type { HoursInput } from '../../../app/domain/hours/hours';
import { setHours } from '../../../app/domain/hours/hours.server';
import { parse } from '../../../app/domain/input/fields';
import type { Actor } from '../../../app/domain/profile/accounts';
import { createService } from '../../../app/domain/services/services.server';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { addWish } from '../../../app/domain/waitlist/wish.server';
import { wishInput } from '../../../app/domain/waitlist/wishes';
import type { Db } from '../../../db/client';
import { join, newBook, once, publishTimes, start, stored, year } from '../../support/history';
import { everyDay } from '../../support/plain-hours';

/* Whoever chose a time that is lost meanwhile sees those that are nearest to it. */

const maya = { username: 'maya', displayName: 'Maya', timeZone: 'UTC', role: 'Consumer' as const };

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

describe('a time that hours made and somebody has', () => {
  const hours = (start: string, end: string): HoursInput => ({
    ...{ hours: everyDay(start, end), except: [], len: 30, gap: 0, ahead: 3, notes: null, templateId: null },
  });
  const unavailable = async () => (await findUnavailableTime(db, taken, start))?.mayComeFree;
  const waitFor = () =>
    addWish(db, { actor: guest }, parse(wishInput, { provider: 'host', slotId: taken }), { now: start, origin: null });
  let taken = '';
  beforeEach(async () => {
    await setRules(db, host, { waitlist: 'on' }, start);
    await setHours(db, host, hours('20:00', '20:30'), start);
    [{ id: taken } = { id: '' }] = await stored<{ id: string }>('SELECT id FROM slots WHERE made_by = 1');
    await bookAppointment(db, await join(db, maya), { id: taken, submitted: null }, start);
  });

  test('may come free, and is waited for', async () => {
    expect(await unavailable()).toBe(true);
    await expect(waitFor()).resolves.toMatchObject({ isOver: false, place: 1 });
  });

  test('may not come free once hours want it no longer, and nobody can wait for it', async () => {
    await setHours(db, host, hours('21:00', '21:30'), start);

    expect(await unavailable()).toBe(false);
    await expect(waitFor()).rejects.toThrow(/is gone/);
  });
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
    const unavailable = await findUnavailableTime(db, nine, start, { service: service.id });
    return unavailable?.nearest.map(({ startsAt }) => new Date(startsAt).getUTCDate());
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
