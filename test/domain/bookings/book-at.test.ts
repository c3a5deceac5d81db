import { expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { bookAt } from '../../../app/domain/bookings/book-at.server';
import { setHours } from '../../../app/domain/hours/hours.server';
import { parse } from '../../../app/domain/input/fields';
import { linksBy } from '../../../app/domain/links.server';
import { serviceInput } from '../../../app/domain/services/service-input';
import { createService } from '../../../app/domain/services/services.server';
import { bringBack, withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { addDays, localTimeOf } from '../../../app/domain/time/clock';
import { instantOf, todayIn } from '../../../app/domain/time/zones';
import { newBook, once, publishTimes, start, stored } from '../../support/history';

/* A provider books any time: one at which a free time for another service begins, and one that they had withdrawn. */

const links = linksBy('a secret of this test');
const date = addDays(todayIn('UTC', start), 2);

async function bookOverCut(other: object, more: { isTakenLater?: boolean } = {}) {
  const { db, host } = await newBook();
  const newService = (draft: object) => createService(db, host, parse(serviceInput, draft), once(start));
  const [cut, wanted] = [await newService({ name: 'Cut', minutes: 30 }), await newService(other)];
  await publishTimes(db, host, { start: '10:00', end: '10:30', dates: [date], serviceId: cut.id, len: null });
  const book = (from: string, service: string | null, minutes: number | null) =>
    bookAt(
      db,
      links,
      host,
      {
        ...{ time: { date, start: from, minutes }, who: { displayName: 'Gus', email: null }, service, people: 1 },
        ...{ isOver: true, key: from, note: null, phone: null, address: null, submitted: null },
      },
      start,
    );
  if (more.isTakenLater) await book('10:45', null, 30);
  const result = await book('10:00', wanted.id, null).catch((error: Error) => error.message);
  return {
    result,
    booked: await stored('SELECT service_name AS name FROM bookings WHERE status = 1 AND service_id IS NOT NULL'),
  };
}

test('a service takes the place of a free time for another one', async () => {
  const { booked } = await bookOverCut({ name: 'Colour', minutes: 60 });

  expect(booked).toEqual([{ name: 'Colour' }]);
});

test('a service that does not fit is refused where a shorter one would', async () => {
  const { result, booked } = await bookOverCut({ name: 'Colour', minutes: 60 }, { isTakenLater: true });

  expect(result).toContain('Something is booked or held');
  expect(booked).toEqual([]);
});

test('a class is refused where another service has a free time', async () => {
  const { result, booked } = await bookOverCut({ name: 'Yoga', minutes: 30, seats: 8 });

  expect(result).toContain('A class takes people at its published times only');
  expect(booked).toEqual([]);
});

/**
 * Hours from ten to one, of which the hour at eleven and the last one were withdrawn, and what the provider books there for a client.
 * @returns the times after the client has canceled and hours were saved again
 */
async function bookOverWithdrawn(
  from: string,
  minutes: number,
  more: { by?: 'client' | 'provider'; isBroughtBack?: boolean } = {},
) {
  const { db, host, guest } = await newBook();
  const day = { start: '10:00', end: '13:00' };
  const week = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ day: weekday, ...day }));
  const hours = { hours: week, except: [], len: 60, gap: 0, ahead: 5, notes: null, templateId: null };
  await setHours(db, host, hours, start);
  const idsAt = (clock: string, on: string) =>
    stored<{ id: string }>('SELECT id FROM slots WHERE starts_at = ?', instantOf(on, clock, 'UTC'));
  const [own] = await idsAt('10:00', addDays(date, 1));
  await bookAppointment(db, guest, { id: own?.id as string, submitted: null }, start);
  const key = crypto.randomUUID();
  const ids = [...(await idsAt('11:00', date)), ...(await idsAt('12:00', date))].map(({ id }) => id);
  await withdrawSlots(db, host, { ids }, { now: start, key });
  const { id } = await bookAt(
    db,
    links,
    host,
    {
      ...{ time: { date, start: from, minutes }, who: { personId: guest.accountId }, service: null, people: 1 },
      ...{ isOver: true, key, note: null, phone: null, address: null, submitted: null },
    },
    start + 1,
  );
  if (more.isBroughtBack) await bringBack(db, host, key, start + 2);
  const isProvider = more.by === 'provider';
  await cancelAppointment(db, isProvider ? host : guest, { id, reason: null, republish: isProvider }, start + 3);
  await setHours(db, host, hours, start + 4);
  const times = await stored<{ at: number; minutes: number; state: number }>(
    'SELECT starts_at AS at, (ends_at - starts_at) / 60000 AS minutes, state FROM slots WHERE local_date = ? ORDER BY starts_at',
    date,
  );
  return times.map(
    (slot) => `${localTimeOf(slot.at, 'UTC')} ${slot.minutes} ${['free', 'full', 'withdrawn'][slot.state]}`,
  );
}

test('a withdrawn time that somebody was booked into is withdrawn again once they cancel', async () => {
  expect(await bookOverWithdrawn('11:00', 60)).toEqual(['10:00 60 free', '11:00 60 withdrawn', '12:00 60 withdrawn']);
});

test('of a long appointment over free and withdrawn times only the free ones are published again', async () => {
  expect(await bookOverWithdrawn('10:00', 120)).toEqual(['10:00 60 free', '11:00 60 withdrawn', '12:00 60 withdrawn']);
});

test('a time between two withdrawn ones keeps both of them from being published', async () => {
  expect(await bookOverWithdrawn('11:30', 45)).toEqual(['10:00 60 free', '11:30 30 withdrawn', '12:00 60 withdrawn']);
});

test('whoever cancels as the provider may publish the withdrawn time again', async () => {
  expect(await bookOverWithdrawn('11:00', 60, { by: 'provider' })).toEqual([
    '10:00 60 free',
    '11:00 60 free',
    '12:00 60 withdrawn',
  ]);
});

test('what was brought back meanwhile is free after its booking', async () => {
  expect(await bookOverWithdrawn('11:00', 60, { isBroughtBack: true })).toEqual([
    '10:00 60 free',
    '11:00 60 free',
    '12:00 60 free',
  ]);
});
