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
import { hasDayWithin, monthOf, monthWeeks } from '../../../app/domain/time/month';
import { weekdaysFrom } from '../../../app/domain/time/week-start';
import { instantOf, listZones, zoneSpelling } from '../../../app/domain/time/zones';
import { inEnglish } from '../../../app/domain/words/english';

test.each([
  ['date', '2026-02-30', '09:00', 'UTC'],
  ['time', '2026-02-01', '24:30', 'UTC'],
  ['zone', '2026-02-01', '09:00', 'Europe/Atlantis'],
])('a %s that is none has no instant', (_, date, time, zone) => {
  expect(() => instantOf(date, time, zone)).toThrow(RangeError);
});

test('a zone that is none has no time', () => {
  expect(() => localTimeOf(0, 'Europe/Atlantis')).toThrow(RangeError);
});

test.each(['00:00', '09:30', '19:59', '23:59'])('%s is a time', (time) => {
  expect(time).toMatch(localTimePattern);
});

test.each(['', '24:00', '9:00', '09:60', '09:00:00', '09:00\n', ' 09:00', '٠٩:٠٠', '0900'])('%j is no time', (text) => {
  expect(text).not.toMatch(localTimePattern);
});

describe('zones', () => {
  const offered = [
    ['asia/kolkata', 'Asia/Kolkata'],
    ['ASIA/CALCUTTA', 'Asia/Calcutta'],
    ['utc', 'UTC'],
  ] as const;
  const others = [
    ['uS/pAcIfIc', 'US/Pacific'],
    ['est', 'EST'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    ['AMERICA/ARGENTINA/COMODRIVADAVIA', 'America/Argentina/ComodRivadavia'],
  ] as const;

  test.each([...offered, ...others])('%s is spelled %s', (typed, spelled) => {
    expect(zoneSpelling(typed)).toBe(spelled);
  });

  test.each([...offered, ...others])('%s can be reckoned in as %s', (_, spelled) => {
    expect(isTimeZone(spelled)).toBe(true);
    expect(() => instantOf('2026-12-02', '09:00', spelled)).not.toThrow();
  });

  test.each(offered)('%s is offered as %s', (_, spelled) => {
    expect(listZones(null)).toContain(spelled);
  });

  test.each(others)('%s is not offered as %s', (_, spelled) => {
    expect(listZones(null)).not.toContain(spelled);
  });

  const offsets = ['+02:00', '-05', '+0530', 'Z', 'UTC+2', 'PST', 'IST', 'CTT'];
  test.each(['', ' ', ...offsets, 'Europe/Atlantis', 'Europe/Lisbon ', '../UTC'])('%j is no zone', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });
});

describe('dates', () => {
  test('are told in words', () => {
    const words = { month: 'Dec', day: '2', weekday: 'Wed', longWeekday: 'Wednesday', longMonth: 'December' };
    const whole = { year: '2026', full: 'Wednesday, 2 December 2026', short: 'Wed 2 Dec' };
    const { year, ...described } = dateWords('2026-12-02');
    const said = Object.entries(described).map(([style, date]) => [style, inEnglish(date)]);

    expect({ year, ...Object.fromEntries(said) }).toEqual({ ...words, ...whole });
  });

  test('go over the wire month first', () => {
    expect(wireDate('2026-12-02')).toBe('12-02-2026');
  });

  const anyDate = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }).map((at) => localDateOf(at, 'UTC'));

  const checkDates = (check: (date: string) => void) => fc.assert(fc.property(anyDate, check));

  test('come back over the wire as they were', () => {
    checkDates((date) => {
      expect(parseWireDate(wireDate(date))).toBe(date);
    });
  });

  test('are known as dates', () => {
    checkDates((date) => {
      expect(isLocalDate(date)).toBe(true);
    });
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

test.each([
  [1, '1 minute'],
  [30, '30 minutes'],
  [60, '1 hour'],
  [61, '1 hour 1 minute'],
  [135, '2 hours 15 minutes'],
  [1440, '24 hours'],
  [0, '0 minutes'],
])('a length of %i is told as %s', (minutes, words) => {
  expect(inEnglish(lengthWords(minutes))).toBe(words);
});

const anyMonth = fc
  .record({ year: fc.integer({ min: 1970, max: 9999 }), month: fc.integer({ min: 1, max: 12 }) })
  .map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}`);

describe('a month to choose from', () => {
  const weeksFrom = (first: string, last?: string) =>
    monthWeeks('2026-11', 0)
      .filter(hasDayWithin(first, last))
      .map((week) => week.find((date) => date));

  test('leaves out the weeks that are over', () => {
    expect(weeksFrom('2026-11-21')).toEqual(['2026-11-15', '2026-11-22', '2026-11-29']);
  });

  test('leaves out the weeks after the last day that can be chosen', () => {
    expect(weeksFrom('2026-11-01', '2026-11-08')).toEqual(['2026-11-01', '2026-11-08']);
  });

  test('keeps the weeks between two days that can be chosen', () => {
    expect(weeksFrom('2026-10-01', '2026-12-01')).toHaveLength(5);
  });
});

describe('the weeks of a month', () => {
  const daysIn = (month: string) =>
    monthWeeks(month, 1)
      .flat()
      .filter((date) => date !== null);
  const checkMonths = (check: (month: string) => void) => fc.assert(fc.property(anyMonth, check));

  test('hold its days once, in order', () => {
    checkMonths((month) => {
      const days = daysIn(month);

      expect(days).toEqual(days.map((_, place) => addDays(`${month}-01`, place)));
      expect(days.map(monthOf)).toEqual(days.map(() => month));
    });
  });

  test('leave none of its days out', () => {
    checkMonths((month) => {
      expect(monthOf(addDays(`${month}-01`, daysIn(month).length))).not.toBe(month);
    });
  });

  test('have seven places, of which one has a day at least', () => {
    checkMonths((month) => {
      for (const week of monthWeeks(month, 1)) {
        expect(week).toHaveLength(7);
        expect(week.some((date) => date !== null)).toBe(true);
      }
    });
  });

  test.each([0, 1, 6])('hold each day under its weekday, from weekday %i on', (weekStart) => {
    const weekdaysInOrder = weekdaysFrom(weekStart);

    checkMonths((month) => {
      for (const week of monthWeeks(month, weekStart)) {
        for (const [place, date] of week.entries()) if (date) expect(weekdayOf(date)).toBe(weekdaysInOrder[place]);
      }
    });
  });
});
