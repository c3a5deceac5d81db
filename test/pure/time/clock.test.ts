import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  dateWords,
  isLocalDate,
  isTimeZone,
  lengthWords,
  localDateOf,
  localTimeOf,
  localTimePattern,
  parseWireDate,
  weekdayOf,
  wireDate,
} from '../../../app/domain/time/clock';
import { monthOf, monthWeeks } from '../../../app/domain/time/month';
import { instantOf, listZones, zoneSpelling } from '../../../app/domain/time/zones';

test('a date, time or zone that is none is refused', () => {
  expect(() => instantOf('2026-02-30', '09:00', 'UTC')).toThrow(RangeError);
  expect(() => instantOf('2026-02-01', '24:30', 'UTC')).toThrow(RangeError);
  expect(() => instantOf('2026-02-01', '09:00', 'Europe/Atlantis')).toThrow(RangeError);
  expect(() => localTimeOf(0, 'Europe/Atlantis')).toThrow(RangeError);
});

test('a time has two digits for the hour and two for the minute, and nothing beside them', () => {
  for (const time of ['00:00', '09:30', '19:59', '23:59']) expect(time).toMatch(localTimePattern);
  for (const none of ['', '24:00', '9:00', '09:60', '09:00:00', '09:00\n', ' 09:00', '٠٩:٠٠', '0900'])
    expect(none).not.toMatch(localTimePattern);
});

describe('zones', () => {
  test.each([
    ['asia/kolkata', 'Asia/Kolkata', true],
    ['ASIA/CALCUTTA', 'Asia/Calcutta', true],
    ['utc', 'UTC', true],
    ['uS/pAcIfIc', 'US/Pacific', false],
    ['est', 'EST', false],
    ['etc/gmt+5', 'Etc/GMT+5', false],
    ['AMERICA/ARGENTINA/COMODRIVADAVIA', 'America/Argentina/ComodRivadavia', false],
  ])('%s is spelled %s, can be reckoned in, and is offered: %s', (typed, spelled, isOffered) => {
    expect([zoneSpelling(typed), listZones(null).includes(spelled)]).toEqual([spelled, isOffered]);
    expect(isTimeZone(spelled)).toBe(true);
    expect(() => instantOf('2026-12-02', '09:00', spelled)).not.toThrow();
  });

  const others = ['+02:00', '-05', '+0530', 'Z', 'UTC+2', 'PST', 'IST', 'CTT'];
  test.each(['', ' ', ...others, 'Europe/Atlantis', 'Europe/Lisbon ', '../UTC'])('%j is no zone', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});

describe('dates', () => {
  test('are told in words', () => {
    const words = { month: 'Dec', day: '2', weekday: 'Wed', longWeekday: 'Wednesday', longMonth: 'December' };
    const whole = { year: '2026', full: 'Wednesday, 2 December 2026', short: 'Wed 2 Dec' };
    expect(dateWords('2026-12-02')).toEqual({ ...words, ...whole });
  });

  test('go over the wire, month first, and back', () => {
    expect(wireDate('2026-12-02')).toBe('12-02-2026');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }), (at) => {
        const date = localDateOf(at, 'UTC');
        expect([isLocalDate(date), parseWireDate(wireDate(date))]).toEqual([true, date]);
      }),
    );
  });

  const daysThatAreNone = ['02-30-2026', '02-29-2026', '00-10-2026', '13-01-2026', '12-00-2026', '12-32-2026'];
  const otherDigits = ['2-3-2026', '12-02-26', '12-02-02026', '12-02-1969', '١٢-٠٢-٢٠٢٦', '12-02-２０２６'];
  const otherSigns = ['12/02/2026', '12-02/2026', '2026-12-02', ' 12-02-2026', '12-02-2026 ', '12-02-2026\n'];
  test.each(['', ...daysThatAreNone, ...otherDigits, ...otherSigns])('%j is no date of the API', (text) => {
    expect(parseWireDate(text)).toBeNull();
  });

  const notLocal = ['', '2026-02-30', '2026-2-3', '12-02-2026', '1969-12-31', '+010000-01-01', '２０２６-12-02'];
  test.each(notLocal)('%j is no date', (text) => {
    expect(isLocalDate(text)).toBe(false);
  });
});

test('lengths are told in words', () => {
  const told = ['1 minute', '30 minutes', '1 hour', '1 hour 1 minute', '2 hours 15 minutes', '24 hours', '0 minutes'];
  expect([1, 30, 60, 61, 135, 1440, 0].map(lengthWords)).toEqual(told);
});

const anyMonth = fc
  .record({ year: fc.integer({ min: 1970, max: 9999 }), month: fc.integer({ min: 1, max: 12 }) })
  .map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}`);

test('the weeks of a month hold each of its days once, in order, under its weekday, from Sunday on', () => {
  fc.assert(
    fc.property(anyMonth, (month) => {
      const weeks = monthWeeks(month);
      const days = weeks.flat().filter((date) => date !== null);
      expect(days).toEqual(days.map((_, place) => addDays(`${month}-01`, place)));
      expect(days.map(monthOf)).toEqual(days.map(() => month));
      expect(monthOf(addDays(`${month}-01`, days.length))).not.toBe(month);
      for (const week of weeks) {
        expect([week.length, week.some((date) => date !== null)]).toEqual([7, true]);
        for (const [weekday, date] of week.entries()) if (date) expect(weekdayOf(date)).toBe(weekday);
      }
    }),
  );
});
