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
  zoneWords,
} from '../../../app/domain/time/clock';
import { addMonths, isMonth, monthOf, monthWeeks, monthWords } from '../../../app/domain/time/month';
import {
  commonZones,
  instantOf,
  isRangeOrdered,
  listZones,
  todayIn,
  zoneSpelling,
} from '../../../app/domain/time/zones';

const HOUR = 3_600_000;

describe('today and the clock', () => {
  test('today depends on where one stands', () => {
    const now = Date.UTC(2026, 11, 31, 10, 30);
    expect(todayIn('Pacific/Apia', now)).toBe('2026-12-31');
    expect(todayIn('Pacific/Apia', now + HOUR)).toBe('2027-01-01');
    expect(todayIn('America/New_York', now + HOUR)).toBe('2026-12-31');
  });

  test('the clock runs from 00:00 to 23:59', () => {
    expect(localTimeOf(Date.UTC(2026, 0, 1), 'UTC')).toBe('00:00');
    expect(localTimeOf(Date.UTC(2026, 0, 1, 23, 59, 59), 'UTC')).toBe('23:59');
    expect(localTimeOf(Date.UTC(2026, 0, 1, 9, 5), 'Asia/Kathmandu')).toBe('14:50');
  });

  test('a range is in order when its end comes after its start, midnight being the last end', () => {
    const ranges = ['09:00 09:01', '09:00 09:00', '17:00 09:00', '23:59 00:00', '00:00 00:00'];
    const ordered = ranges.filter((range) => isRangeOrdered(range.slice(0, 5), range.slice(6)));
    expect(ordered).toEqual(['09:00 09:01', '23:59 00:00', '00:00 00:00']);
  });

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

  test('that a list begins with are among those that are offered', () => {
    expect(listZones(null)).toEqual(expect.arrayContaining(commonZones(null)));
    expect(commonZones('Antarctica/Troll')).toContain('Antarctica/Troll');
  });

  test('that are offered keep their spelling', () => {
    const zones = listZones(null);
    expect(zones.map((zone) => zoneSpelling(zone.toUpperCase()))).toEqual(zones);
  });

  const offsets = ['+02:00', '-05', '+0530', 'Z', 'UTC+2'];
  const short = ['PST', 'pst', 'IST', 'CTT'];
  const unlike = ['Europe/Atlantis', 'Europe/Lisbon ', 'Europe/Lisbon]', '../UTC'];
  test.each(['', ' ', ...offsets, ...short, ...unlike])('%j is no zone', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });

  test('a zone is called by its place', () => {
    const zones = ['Europe/Lisbon', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/UTC', 'Etc/GMT+5'];
    expect(zones.map(zoneWords)).toEqual(['Lisbon time', 'Buenos Aires time', 'UTC', 'UTC', 'Etc/GMT+5']);
  });
});

describe('dates', () => {
  test('a date is told in words', () => {
    expect(dateWords('2026-12-02')).toEqual({
      month: 'Dec',
      day: '2',
      weekday: 'Wed',
      longWeekday: 'Wednesday',
      longMonth: 'December',
      year: '2026',
      full: 'Wednesday, 2 December 2026',
      short: 'Wed 2 Dec',
    });
  });

  test('every short month has three letters', () => {
    const months = Array.from({ length: 12 }, (_, i) => dateWords(`2026-${String(i + 1).padStart(2, '0')}-15`).month);
    expect(months.join(' ')).toBe('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec');
  });

  test('days are counted across months, years and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(addDays('2026-01-01', 366)).toBe('2027-01-02');
  });

  test('the week begins on Sunday', () => {
    expect(['2026-11-29', '2026-12-02', '2026-12-05'].map(weekdayOf)).toEqual([0, 3, 6]);
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

const anyMonth = fc
  .record({ year: fc.integer({ min: 1970, max: 9999 }), month: fc.integer({ min: 1, max: 12 }) })
  .map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}`);

describe('months', () => {
  test('follow one another across the end of a year', () => {
    expect(monthOf('2026-12-31')).toBe('2026-12');
    expect(addMonths('2026-12', 1)).toBe('2027-01');
    expect(addMonths('2027-01', -1)).toBe('2026-12');
    expect(addMonths('2026-12', 0)).toBe('2026-12');
    expect(addMonths('2026-07', 36)).toBe('2029-07');
    expect(addMonths('2026-01', -13)).toBe('2024-12');
  });

  test('are told in words', () => {
    expect(monthWords('2026-12')).toBe('December 2026');
    expect(monthWords('2027-09')).toBe('September 2027');
  });

  test('are a year and one of its twelve months, and nothing beside them', () => {
    for (const month of ['1970-01', '2026-12', '9999-12']) expect(isMonth(month), month).toBe(true);
    const others = ['1969-12', '2026-12-01', '2026/12', '12-2026', '２０２６-12', '2026-12\n'];
    for (const none of ['', '2026-00', '2026-13', '2026-1', ...others]) expect(isMonth(none), none).toBe(false);
  });
});

describe('the weeks of a month', () => {
  test('begin on Sunday, empty before the first day and after the last', () => {
    const weeks = monthWeeks('2026-12');
    const days = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, place) => `2026-12-${String(from + place).padStart(2, '0')}`);
    expect(weeks).toEqual([
      [null, null, ...days(1, 5)],
      days(6, 12),
      days(13, 19),
      days(20, 26),
      [...days(27, 31), null, null],
    ]);
  });

  test('are exactly four where a February begins on Sunday', () => {
    const weeks = monthWeeks('2026-02');
    expect(weeks).toHaveLength(4);
    expect(weeks.flat()).not.toContain(null);
  });

  test('are six where a long month begins late in the week', () => {
    const weeks = monthWeeks('2026-08');
    expect(weeks).toHaveLength(6);
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-08-01']);
    expect(weeks[5]).toEqual(['2026-08-30', '2026-08-31', null, null, null, null, null]);
  });

  test('know the leap day', () => {
    expect(monthWeeks('2028-02').flat()).toContain('2028-02-29');
    expect(monthWeeks('2027-02').flat()).not.toContain('2027-02-29');
    expect(monthWeeks('2100-02').flat()).not.toContain('2100-02-29');
  });

  test('hold every day of the month once, in order, under its weekday', () => {
    fc.assert(
      fc.property(anyMonth, (month) => {
        const weeks = monthWeeks(month);
        const days = weeks.flat().filter((date) => date !== null);
        expect(days[0]).toBe(`${month}-01`);
        days.forEach((date, i) => {
          expect(date).toBe(addDays(`${month}-01`, i));
          expect(monthOf(date)).toBe(month);
        });
        expect(monthOf(addDays(`${month}-01`, days.length))).not.toBe(month);
        for (const week of weeks) {
          expect(week).toHaveLength(7);
          expect(week.some((date) => date !== null)).toBe(true);
          week.forEach((date, weekday) => {
            if (date) expect(weekdayOf(date)).toBe(weekday);
          });
        }
      }),
    );
  });
});
