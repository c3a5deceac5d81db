import { describe, expect, test } from 'vitest';
import {
  type BookingOfDay,
  type DayLine,
  emptyBecause,
  linesOfDay,
  type OpenTime,
  tableOf,
} from '../../../app/domain/calendar/day-of-all';

const hour = 3_600_000;
const nine = Date.UTC(2027, 5, 7, 9);
const at = (hours: number) => nine + (hours - 9) * hour;

const booking = (hours: number, more: Partial<BookingOfDay> = {}): BookingOfDay => ({
  ...{ id: `booked-${hours}`, startsAt: at(hours), endsAt: at(hours + 1), name: 'Karla', service: null, people: 1 },
  ...{ classId: null, seats: null, isHeld: false, ...more },
});
const open = (hours: number, more: Partial<OpenTime> = {}): OpenTime => ({
  ...{ id: `open-${hours}`, startsAt: at(hours), endsAt: at(hours + 1), seats: 1, service: null, isBusy: false },
  ...more,
});
const kinds = (lines: DayLine[]) => lines.map(({ kind }) => kind);

describe('a day in a book', () => {
  test('is what is booked and what is free, by start', () => {
    const lines = linesOfDay({ booked: [booking(11), booking(9)], open: [open(10)] }, at(8));

    expect(lines.map(({ kind, startsAt }) => [kind, startsAt])).toEqual([
      ['booked', at(9)],
      ['free', at(10)],
      ['booked', at(11)],
    ]);
  });

  test('has a class as one line with its people and seats', () => {
    const inClass = { classId: 'yoga', seats: 8, name: null, service: 'Yoga' };

    const lines = linesOfDay(
      {
        booked: [booking(9, { ...inClass, people: 2 }), booking(9, inClass)],
        open: [open(9, { id: 'yoga', seats: 8 })],
      },
      at(8),
    );

    expect(lines).toMatchObject([{ kind: 'class', id: 'yoga', service: 'Yoga', people: 3, seats: 8 }]);
  });

  test('has a class in which nobody is yet', () => {
    const lines = linesOfDay({ booked: [], open: [open(9, { seats: 8, service: 'Yoga' })] }, at(8));

    expect(lines).toMatchObject([{ kind: 'class', service: 'Yoga', people: 0, seats: 8 }]);
  });

  test('says what is held and where its provider is busy, which nobody can book', () => {
    const lines = linesOfDay({ booked: [booking(9, { isHeld: true })], open: [open(10, { isBusy: true })] }, at(8));

    expect(kinds(lines)).toEqual(['held', 'busy']);
  });

  test('has no free time that has begun, and keeps appointments that are over', () => {
    const lines = linesOfDay({ booked: [booking(9)], open: [open(10), open(11)] }, at(10));

    expect(lines).toMatchObject([
      { kind: 'booked', isPast: true },
      { kind: 'free', startsAt: at(11) },
    ]);
  });

  test.each([
    ['closed', [], 'closed'],
    ['not published', [{ day: 1, start: '09:00', end: '10:00' }], 'unpublished'],
  ])('that is empty says that it is %s', (_, hours, why) => {
    const plan = { hours, except: [], len: 30, gap: 0, ahead: 28, serviceId: undefined, cuts: undefined };

    expect(emptyBecause({ booked: [], open: [], plan: plan as never }, '2027-06-07')).toBe(why);
  });

  test('of somebody who set no hours is not published', () => {
    expect(emptyBecause({ booked: [], open: [], plan: null }, '2027-06-07')).toBe('unpublished');
  });

  test('whose free times are over is not empty for a reason', () => {
    expect(emptyBecause({ booked: [], open: [open(9)], plan: null }, '2027-06-07')).toBeNull();
  });
});

describe('the table of a day', () => {
  const lines = (...bookings: BookingOfDay[]) => ({ lines: linesOfDay({ booked: bookings, open: [] }, at(8)) });

  test('has a row for each start in any book', () => {
    const rows = tableOf([lines(booking(9), booking(11)), lines(booking(9), booking(10))], at(8));

    expect(rows.map(({ startsAt }) => startsAt)).toEqual([at(9), at(10), at(11)]);
    expect(rows.map(({ cells }) => cells.map((cell) => cell?.lines.length))).toEqual([
      [1, 1],
      [0, 1],
      [1, 0],
    ]);
  });

  test('lets an appointment reach over the rows that begin before it ends', () => {
    const long = booking(9, { endsAt: at(11) });

    const rows = tableOf([lines(long), lines(booking(9), booking(10), booking(11))], at(8));

    expect(rows.map(({ cells: [cell] }) => cell?.rows)).toEqual([2, undefined, 1]);
  });

  test('shows what begins while something else goes on', () => {
    const rows = tableOf([lines(booking(9, { endsAt: at(12) }), booking(10)), lines(booking(11))], at(8));

    expect(rows.map(({ cells: [cell] }) => cell?.lines.length)).toEqual([1, 1, 0]);
  });
});
