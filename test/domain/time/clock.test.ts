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

describe('today and the clock', () => {
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
});

describe('zones', () => {
  test('can be reckoned in, by their old names and short ones too', () => {
    const kolkata = ['Asia/Kolkata', 'Asia/Calcutta'];
    for (const zone of ['UTC', 'Etc/UTC', 'GMT', 'EST', 'America/Argentina/Buenos_Aires', ...kolkata]) {
      expect(isTimeZone(zone), zone).toBe(true);
      expect(() => instantOf('2026-12-02', '09:00', zone)).not.toThrow();
    }
  });

  test.each([
    ['asia/kolkata', 'Asia/Kolkata', true],
    ['ASIA/CALCUTTA', 'Asia/Calcutta', true],
    ['europe/kyiv', 'Europe/Kyiv', true],
    ['utc', 'UTC', true],
    ['uS/pAcIfIc', 'US/Pacific', false],
    ['est', 'EST', false],
    ['etc/gmt+5', 'Etc/GMT+5', false],
    ['AMERICA/ARGENTINA/COMODRIVADAVIA', 'America/Argentina/ComodRivadavia', false],
  ])('%s is spelled %s, and offered: %s', (typed, spelled, isOffered) => {
    expect([zoneSpelling(typed), listZones(null).includes(spelled)]).toEqual([spelled, isOffered]);
  });

  const offsets = ['+02:00', '-05', '+0530', 'Z', 'UTC+2'];
  const short = ['PST', 'pst', 'IST', 'CTT'];
  const unlike = ['Europe/Atlantis', 'Europe/Lisbon ', 'Europe/Lisbon]', '../UTC'];
  test.each(['', ' ', ...offsets, ...short, ...unlike])('%j is no zone', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});

describe('dates', () => {
  test('a date is told in words', () => {
    const short = { month: 'Dec', day: '2', weekday: 'Wed', short: 'Wed 2 Dec', year: '2026' };
    const long = { longWeekday: 'Wednesday', longMonth: 'December', full: 'Wednesday, 2 December 2026' };
    expect(dateWords('2026-12-02')).toEqual({ ...short, ...long });
  });

  test('a date goes over the wire and back', () => {
    expect(wireDate('2026-12-02')).toBe('12-02-2026');
    expect(parseWireDate('12-02-2026')).toBe('2026-12-02');
    expect(parseWireDate('02-29-2028')).toBe('2028-02-29');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }), (at) => {
        const date = localDateOf(at, 'UTC');
        expect(isLocalDate(date)).toBe(true);
        expect(parseWireDate(wireDate(date))).toBe(date);
      }),
    );
  });

  const daysThatAreNone = ['02-30-2026', '02-29-2026', '00-10-2026', '13-01-2026', '12-00-2026', '12-32-2026'];
  const otherDigits = ['2-3-2026', '12-02-26', '12-02-02026', '12-02-1969', '١٢-٠٢-٢٠٢٦', '12-02-２０２６'];
  const otherSigns = ['12/02/2026', '12-02/2026', '2026-12-02', ' 12-02-2026', '12-02-2026 ', '12-02-2026\n'];
  test.each(['', ...daysThatAreNone, ...otherDigits, ...otherSigns, '12-02-2026T00:00'])(
    '%j is no date of the API',
    (text) => {
      expect(parseWireDate(text)).toBeNull();
    },
  );

  const notLocal = ['2026-02-30', '2026-2-3', '12-02-2026', '1969-12-31', '+010000-01-01', '2026-12-02T00:00Z'];
  test.each(['', ...notLocal, '２０２６-12-02'])('%j is no date', (text) => {
    expect(isLocalDate(text)).toBe(false);
  });
});

test('lengths are told in words', () => {
  const told = ['1 minute', '30 minutes', '1 hour', '1 hour 1 minute', '2 hours 15 minutes', '24 hours', '0 minutes'];
  expect([1, 30, 60, 61, 135, 1440, 0].map(lengthWords)).toEqual(told);
});

test('the weeks of a month hold each of its days once, in order, under its weekday', () => {
  const anyMonth = fc
    .record({ year: fc.integer({ min: 1970, max: 9999 }), month: fc.integer({ min: 1, max: 12 }) })
    .map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}`);
  fc.assert(
    fc.property(anyMonth, (month) => {
      const weeks = monthWeeks(month);
      const days = weeks.flat().filter((date) => date !== null);
      expect(days).toEqual(days.map((_, place) => addDays(`${month}-01`, place)));
      expect(days.map(monthOf)).toEqual(days.map(() => month));
      expect(monthOf(addDays(`${month}-01`, days.length))).not.toBe(month);
      for (const week of weeks) {
        expect(week.map((date, weekday) => (date ? weekdayOf(date) : weekday))).toEqual([0, 1, 2, 3, 4, 5, 6]);
        expect(week.some((date) => date !== null)).toBe(true);
      }
    }),
  );
});
