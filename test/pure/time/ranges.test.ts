import { describe, expect, test } from 'vitest';
import { type DayRange, withBreak } from '../../../app/domain/time/ranges';

const dayOf = (...ranges: string[]): DayRange[] =>
  ranges.map((range) => {
    const [start = '', end = ''] = range.split('-');
    return { start, end };
  });

describe('a break', () => {
  test.each([
    ['is at noon in a day', ['09:00-17:00'], ['09:00-12:00', '13:00-17:00']],
    ['is in the middle of a morning', ['08:00-12:00'], ['08:00-09:30', '10:30-12:00']],
    ['is in an evening until midnight', ['20:00-00:00'], ['20:00-21:30', '22:30-00:00']],
    ['is in the longest range', ['08:00-10:00', '14:00-18:00'], ['08:00-10:00', '14:00-15:30', '16:30-18:00']],
    ['is in a range of two hours', ['14:00-16:00'], ['14:00-14:30', '15:30-16:00']],
    ['is a range to be typed where none has two hours', ['14:00-15:59'], ['14:00-15:59', '-']],
    ['is a range to be typed where a time is none', ['9-17'], ['9-17', '-']],
    ['is a range to be typed in a day without ranges', [], ['-']],
  ])('%s', (_, before, after) => {
    expect(withBreak(dayOf(...before))).toEqual(dayOf(...after));
  });
});
