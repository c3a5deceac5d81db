import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, weekdayOf } from '../../../app/domain/time/clock';
import { addMonths, isMonth, monthOf, monthWeeks, monthWords } from '../../../app/domain/time/month';

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

  test.each(['1970-01', '2026-12', '9999-12'])('%j is a month', (text) => {
    expect(isMonth(text)).toBe(true);
  });

  test.each([
    '',
    '2026-00',
    '2026-13',
    '2026-1',
    '1969-12',
    '2026-12-01',
    '2026/12',
    '12-2026',
    '２０２６-12',
    '2026-12\n',
  ])('%j is no month', (text) => {
    expect(isMonth(text)).toBe(false);
  });
});

describe('the weeks of a month', () => {
  test('begin on Sunday, empty before the first day and after the last', () => {
    expect(monthWeeks('2026-12')).toEqual([
      [null, null, '2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05'],
      ['2026-12-06', '2026-12-07', '2026-12-08', '2026-12-09', '2026-12-10', '2026-12-11', '2026-12-12'],
      ['2026-12-13', '2026-12-14', '2026-12-15', '2026-12-16', '2026-12-17', '2026-12-18', '2026-12-19'],
      ['2026-12-20', '2026-12-21', '2026-12-22', '2026-12-23', '2026-12-24', '2026-12-25', '2026-12-26'],
      ['2026-12-27', '2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', null, null],
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
