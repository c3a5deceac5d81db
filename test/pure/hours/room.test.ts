import { describe, expect, test } from 'vitest';
import type { WeekDay } from '../../../app/domain/hours/editor';
import { type Lasting, neededStep, roomFor } from '../../../app/domain/hours/room';

/* How many visits a day of hours has room for, and the step of starts at which none is lost. */

const service = (minutes: number, more: Partial<Lasting> = {}): Lasting => ({
  ...{ id: `of ${minutes}`, name: `Of ${minutes}`, minutes, gap: 0, seats: 1, isOffered: true },
  ...more,
});

describe('the needed step', () => {
  test.each<[what: string, services: Lasting[], step: number | null]>([
    ['is the length of the only service', [service(50)], 50],
    ['is a part of every length', [service(30), service(45), service(90)], 15],
    ['counts the gap of a service', [service(50, { gap: 10 }), service(30)], 30],
    ['is ten minutes at least', [service(25), service(42)], 10],
    ['ignores classes', [service(30), service(45, { seats: 8 })], 30],
    ['ignores what is switched off', [service(30), service(45, { isOffered: false })], 30],
    ['is none without a service', [], null],
    ['is none where all services are classes', [service(45, { seats: 8 })], null],
  ])('%s', (_, services, step) => {
    expect(neededStep(services)).toBe(step);
  });
});

const closed: WeekDay = { isOpen: false, ranges: [{ start: '09:00', end: '17:00' }] };
const open = (...ranges: WeekDay['ranges']): WeekDay => ({ isOpen: true, ranges });
/** A week that is open on Monday alone. */
const onMonday = (monday: WeekDay) => [closed, monday, closed, closed, closed, closed, closed];
const usualDay = open({ start: '09:00', end: '17:00' });

describe('the room of a day', () => {
  test('is less where starts are no part of a visit', () => {
    const [, visit] = roomFor([service(30), service(45)], onMonday(usualDay), { len: 30, gap: 0 });

    expect(visit).toMatchObject({ day: 1, visits: 8, possible: 10 });
  });

  test('is all there can be at the needed step', () => {
    const [, visit] = roomFor([service(30), service(45)], onMonday(usualDay), { len: 15, gap: 0 });

    expect(visit).toMatchObject({ visits: 10, possible: 10 });
  });

  test('leaves the gap after a visit free', () => {
    const [visit] = roomFor([service(45, { gap: 15 })], onMonday(usualDay), { len: 15, gap: 0 });

    expect(visit).toMatchObject({ visits: 8 });
  });

  test('runs on over the gap between two starts', () => {
    const [visit] = roomFor([service(45)], onMonday(open({ start: '09:00', end: '10:10' })), { len: 30, gap: 10 });

    expect(visit).toMatchObject({ visits: 1 });
  });

  test('ends at a break', () => {
    const halves = open({ start: '09:00', end: '10:00' }, { start: '11:00', end: '12:00' });

    const [visit] = roomFor([service(90)], onMonday(halves), { len: 30, gap: 0 });

    expect(visit).toMatchObject({ visits: 0, possible: 0 });
  });

  test('has nothing of the hours of a class', () => {
    const yoga = service(60, { id: 'yoga', seats: 8 });
    const day = open({ start: '09:00', end: '10:00' }, { start: '10:00', end: '11:00', serviceId: 'yoga' });

    const rooms = roomFor([service(30), yoga], onMonday(day), { len: 30, gap: 0 });

    expect(rooms).toMatchObject([{ name: 'Of 30', visits: 2 }]);
  });

  test('is that of the day that loses most', () => {
    const week = [usualDay, open({ start: '09:00', end: '10:30' }), usualDay, closed, closed, closed, closed];

    const [, visit] = roomFor([service(30), service(45)], week, { len: 30, gap: 0 });

    expect(visit).toMatchObject({ day: 0, visits: 8, possible: 10 });
  });

  test('is counted without a range that is still being typed', () => {
    const [visit] = roomFor([service(30)], onMonday(open({ start: '09:00', end: '' })), { len: 30, gap: 0 });

    expect(visit).toMatchObject({ visits: 0 });
  });
});
