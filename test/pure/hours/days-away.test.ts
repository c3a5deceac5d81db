import { describe, expect, test } from 'vitest';
import { daysAway, stateOf, withDaysOff } from '../../../app/domain/hours/editor';
import type { LocalDate } from '../../../app/domain/time/clock';

/* The days off that one press closes. */

const friday = '2026-11-27' as LocalDate;
const [sunday, monday] = [0, 1];

describe('a press that closes days', () => {
  test('closes today', () => {
    expect(daysAway('today', friday, monday)).toMatchObject({ date: '2026-11-27', to: '' });
  });

  test.each([
    ['a Monday', monday, '2026-11-30', '2026-12-06'],
    ['a Sunday', sunday, '2026-11-29', '2026-12-05'],
  ])('closes the next week of a reader whose weeks begin on %s', (_, weekStart, date, to) => {
    expect(daysAway('week', friday, weekStart)).toMatchObject({ date, to });
  });

  test('closes a whole week on the first day of this one', () => {
    expect(daysAway('week', '2026-11-30' as LocalDate, monday)).toMatchObject({ date: '2026-12-07', to: '2026-12-13' });
  });

  test('closes a day to come', () => {
    expect(daysAway('12-09-2026', friday, monday)).toMatchObject({ date: '2026-12-09', to: '' });
  });

  test.each([
    ['other words', 'always'],
    ['a day that is over', '11-26-2026'],
  ])('closes nothing by %s', (_, when) => {
    expect(daysAway(when, friday, monday)).toBeNull();
  });
});

describe('days off that a press writes', () => {
  const days = { date: '2026-12-07', to: '2026-12-13', start: '', end: '' };

  test('go into the first blank line', () => {
    const state = withDaysOff(stateOf(null, friday), { ...days, to: '' });

    const { off } = withDaysOff(state, days);

    expect(off.map(({ date, to }) => [date, to]).slice(0, 3)).toEqual([
      ['2026-12-07', ''],
      ['2026-12-07', '2026-12-13'],
      ['', ''],
    ]);
  });

  test('stand there once', () => {
    const state = withDaysOff(stateOf(null, friday), days);

    expect(withDaysOff(state, days)).toEqual(state);
  });
});
