import { expect, test } from 'vitest';
import { bookAt } from '../../../app/domain/bookings/book-at.server';
import { parse } from '../../../app/domain/input/fields';
import { linksBy } from '../../../app/domain/links.server';
import { serviceInput } from '../../../app/domain/services/service-input';
import { createService } from '../../../app/domain/services/services.server';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { newBook, once, publishTimes, start, stored } from '../../support/history';

/* A provider books any time at which a free time for another service begins. */

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
