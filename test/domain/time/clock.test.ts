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
    expect(isRangeOrdered('09:00', '09:01')).toBe(true);
    expect(isRangeOrdered('09:00', '09:00')).toBe(false);
    expect(isRangeOrdered('17:00', '09:00')).toBe(false);
    expect(isRangeOrdered('23:59', '00:00')).toBe(true);
    expect(isRangeOrdered('00:00', '00:00')).toBe(true);
  });

  test('a date, time or zone that is none is refused', () => {
    expect(() => instantOf('2026-02-30', '09:00', 'UTC')).toThrow(RangeError);
    expect(() => instantOf('2026-02-01', '24:30', 'UTC')).toThrow(RangeError);
    expect(() => instantOf('2026-02-01', '09:00', 'Europe/Atlantis')).toThrow(RangeError);
    expect(() => localTimeOf(0, 'Europe/Atlantis')).toThrow(RangeError);
  });

  test.each(['00:00', '09:30', '19:59', '23:59'])('%j is a time', (text) => {
    expect(text).toMatch(localTimePattern);
  });

  test.each(['', '24:00', '9:00', '09:60', '09:00:00', '09:00\n', ' 09:00', '٠٩:٠٠', '0900'])(
    '%j is no time',
    (text) => {
      expect(text).not.toMatch(localTimePattern);
    },
  );
});

describe('zones', () => {
  test.each([
    'UTC',
    'Etc/UTC',
    'GMT',
    'EST',
    'Europe/Lisbon',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'America/Argentina/Buenos_Aires',
  ])('%s is a zone, and can be reckoned in', (zone) => {
    expect(isTimeZone(zone)).toBe(true);
    expect(() => instantOf('2026-12-02', '09:00', zone)).not.toThrow();
  });

  test.each([
    ['asia/kolkata', 'Asia/Kolkata'],
    ['ASIA/CALCUTTA', 'Asia/Calcutta'],
    ['europe/kyiv', 'Europe/Kyiv'],
    ['utc', 'UTC'],
    ['europe/lisbon', 'Europe/Lisbon'],
  ])('%s is spelled %s', (typed, spelled) => {
    expect(zoneSpelling(typed)).toBe(spelled);
    expect(listZones(null)).toContain(spelled);
  });

  test.each([
    ['uS/pAcIfIc', 'US/Pacific'],
    ['est', 'EST'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    ['AMERICA/ARGENTINA/COMODRIVADAVIA', 'America/Argentina/ComodRivadavia'],
  ])('%s, which nobody is offered, is spelled %s', (typed, spelled) => {
    expect(zoneSpelling(typed)).toBe(spelled);
    expect(listZones(null)).not.toContain(spelled);
  });

  test('that a list begins with are among those that are offered', () => {
    expect(listZones(null)).toEqual(expect.arrayContaining(commonZones(null)));
    expect(commonZones('Antarctica/Troll')).toContain('Antarctica/Troll');
  });

  test('that are offered keep their spelling', () => {
    const zones = listZones(null);
    expect(zones.map((zone) => zoneSpelling(zone.toUpperCase()))).toEqual(zones);
  });

  test.each([
    '',
    ' ',
    '+02:00',
    '-05',
    '+0530',
    'Z',
    'Europe/Atlantis',
    'Europe/Lisbon ',
    'Europe/Lisbon]',
    'UTC+2',
    'PST',
    'pst',
    'IST',
    'CTT',
    '../UTC',
  ])('%j is no zone', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });

  test('a zone is called by its place', () => {
    expect(zoneWords('Europe/Lisbon')).toBe('Lisbon time');
    expect(zoneWords('America/Argentina/Buenos_Aires')).toBe('Buenos Aires time');
    expect(zoneWords('UTC')).toBe('UTC');
    expect(zoneWords('Etc/UTC')).toBe('UTC');
    expect(zoneWords('Etc/GMT+5')).toBe('Etc/GMT+5');
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

  test.each([
    '',
    '02-30-2026',
    '02-29-2026',
    '00-10-2026',
    '13-01-2026',
    '12-00-2026',
    '12-32-2026',
    '2-3-2026',
    '12-02-26',
    '12-02-02026',
    '12-02-1969',
    '12/02/2026',
    '12-02/2026',
    '2026-12-02',
    ' 12-02-2026',
    '12-02-2026 ',
    '12-02-2026\n',
    '12-02-2026T00:00',
    '١٢-٠٢-٢٠٢٦',
    '12-02-２０２６',
  ])('%j is no date of the API', (text) => {
    expect(parseWireDate(text)).toBeNull();
  });

  test.each([
    '',
    '2026-02-30',
    '2026-2-3',
    '12-02-2026',
    '1969-12-31',
    '+010000-01-01',
    '2026-12-02T00:00Z',
    '２０２６-12-02',
  ])('%j is no date', (text) => {
    expect(isLocalDate(text)).toBe(false);
  });
});

test('lengths are told in words', () => {
  expect([1, 30, 60, 61, 90, 120, 135, 1440, 0].map(lengthWords)).toEqual([
    '1 minute',
    '30 minutes',
    '1 hour',
    '1 hour 1 minute',
    '1 hour 30 minutes',
    '2 hours',
    '2 hours 15 minutes',
    '24 hours',
    '0 minutes',
  ]);
});
