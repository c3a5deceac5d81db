import { describe, expect, test } from 'vitest';
import { type ExistingSlot, picture } from '../../../app/domain/hours/picture';
import { type Plan, wantedSlots } from '../../../app/domain/hours/planned-slots';
import { addDays, type LocalTime, minute } from '../../../app/domain/time/clock';
import { instantOf } from '../../../app/domain/time/zones';
import { inEnglish } from '../../../app/domain/words/english';

/* What is said of the coming days as they will be with other hours. */

const zone = 'Europe/Berlin';
/** A Wednesday. */
const today = '2026-12-02';

type Details = Partial<Pick<Plan, 'len' | 'ahead' | 'serviceId'>> & { existing?: ExistingSlot[] };

/** The weeks from today, with hours from nine to ten on Wednesdays. */
function weeksAt(time: LocalTime, { existing = [], ...details }: Details = {}) {
  const now = instantOf(today, time, zone);
  const range = { day: 3, start: '09:00', end: '10:00' };
  const cuts = { cut: { len: 30, gap: 0 } };
  const hours = { hours: [range], except: [], len: 30, gap: 0, ahead: 7, cuts, ...details };
  const planned = wantedSlots(hours, zone, { from: today, to: addDays(today, hours.ahead), now, most: 100 });
  return picture(planned, existing, { hours, zone, now });
}

const daysAt = (time: LocalTime, len = 30) => weeksAt(time, { len })[0]?.days ?? [];

const wordsAt = (time: LocalTime, days = 1, len = 30) =>
  daysAt(time, len)
    .slice(0, days)
    .map(({ words }) => words.map(inEnglish).join(', '));

test('today counts what is still to come', () => {
  expect(wordsAt('09:10')).toEqual(['1 new']);
});

test('today is over once its last time has begun', () => {
  expect(wordsAt('09:40')).toEqual(['over']);
});

test('a day without hours is closed', () => {
  expect(wordsAt('12:00', 2)).toEqual(['over', 'closed']);
});

test('a day whose hours are too short for a time has none', () => {
  expect(wordsAt('08:00', 1, 90)).toEqual(['no times']);
});

test('a bar begins at the minute of its time', () => {
  const [wednesday] = daysAt('08:00', 20);

  expect(wednesday?.bars).toEqual([
    { from: 9 * 60, length: 20, kind: 'new' },
    { from: 9 * 60 + 20, length: 20, kind: 'new' },
    { from: 9 * 60 + 40, length: 20, kind: 'new' },
  ]);
});

const spansOf = (ahead: number) => weeksAt('08:00', { ahead }).map(({ from, to, days }) => [from, to, days.length]);

test('the last week ends where the hours end', () => {
  expect(spansOf(16)).toEqual([
    ['2026-12-02', '2026-12-08', 7],
    ['2026-12-09', '2026-12-15', 7],
    ['2026-12-16', '2026-12-18', 3],
  ]);
});

test('a week that has bars is whole', () => {
  expect(spansOf(9)).toEqual([
    ['2026-12-02', '2026-12-08', 7],
    ['2026-12-09', '2026-12-15', 7],
  ]);
});

describe('beside two times that there are already', () => {
  /** Half an hour of today, which hours made. */
  const existing = (time: LocalTime, details: Partial<ExistingSlot> = {}): ExistingSlot => {
    const startsAt = instantOf(today, time, zone);
    const endsAt = startsAt + 30 * minute;
    return { startsAt, endsAt, takenUntil: null, serviceId: null, date: today, state: 'made', ...details };
  };
  const wordsOfToday = (details: Details) => weeksAt('08:00', details)[0]?.days[0]?.words.map(inEnglish);

  test('the same hours leave both', () => {
    expect(wordsOfToday({ existing: [existing('09:00'), existing('09:30')] })).toEqual(['2 free']);
  });

  test('hours for another service replace both', () => {
    const both = { existing: [existing('09:00'), existing('09:30')], serviceId: 'cut' };

    expect(wordsOfToday(both)).toEqual(['2 new', '2 removed']);
  });

  test('hours leave a time whose service is the same', () => {
    const one = { existing: [existing('09:00', { serviceId: 'cut' }), existing('09:30')], serviceId: 'cut' };

    expect(wordsOfToday(one)).toEqual(['1 new', '1 free', '1 removed']);
  });

  test('nothing is new in the gap after a booking', () => {
    const takenUntil = instantOf(today, '09:10', zone);
    const early = [existing('08:00'), existing('08:30', { state: 'booked', takenUntil })];

    expect(wordsOfToday({ existing: early })).toEqual(['1 new', '1 booked', '1 removed']);
  });
});
