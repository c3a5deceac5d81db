import { limits } from '../input/limits';
import { blankRange, type DayRange, withBreak } from '../time/ranges';

/*
 * The ranges in the form of a publication. The form carries all of them, so each button is a plain submit and nothing
 * typed is lost.
 */

/** Reads the ranges of a form as they were typed: one at least, which may be blank. Never throws. */
export function typedRanges(typed: Record<string, string[]>): DayRange[] {
  const [starts, ends] = [typed.start ?? [], typed.end ?? []];
  const many = Math.min(Math.max(starts.length, ends.length, 1), limits.ranges + 1);
  return Array.from({ length: many }, (_, at) => ({ start: starts[at]?.trim() ?? '', end: ends[at]?.trim() ?? '' }));
}

/**
 * The ranges after a button. `press` is its value: `add` (a blank range), `break` (splits the longest range), `remove:1`
 * (without the second). An unknown value changes nothing.
 */
export function editedRanges(ranges: DayRange[], press: string): DayRange[] {
  const [button, at] = press.split(':');
  if (button === 'break') return withBreak(ranges);
  if (button === 'remove') {
    const rest = ranges.filter((_, place) => String(place) !== at);
    return rest.length > 0 ? rest : [blankRange];
  }
  return button === 'add' && ranges.length < limits.ranges ? [...ranges, blankRange] : ranges;
}
