import { limits } from '../input/limits';
import { blankRange, type DayRange, withBreak } from '../time/ranges';

// The form of a publication carries all its ranges, so each button simply sends it and nothing typed is lost.

/** Reads the typed ranges: at least one, which may be blank. It never throws. */
export function typedRanges(typed: Record<string, string[]>): DayRange[] {
  const [starts, ends] = [typed.start ?? [], typed.end ?? []];
  const many = Math.min(Math.max(starts.length, ends.length, 1), limits.ranges + 1);
  return Array.from({ length: many }, (_, at) => ({ start: starts[at]?.trim() ?? '', end: ends[at]?.trim() ?? '' }));
}

/**
 * Changes the ranges as a button says.
 * @param press `add` (a blank range), `break` (splits the longest), `remove:1` (the second); any other changes nothing
 */
export function editRanges(ranges: DayRange[], press: string): DayRange[] {
  const [button, at] = press.split(':');
  if (button === 'break') return withBreak(ranges);
  if (button === 'remove') {
    const rest = ranges.filter((_, place) => String(place) !== at);
    return rest.length > 0 ? rest : [blankRange];
  }
  return button === 'add' && ranges.length < limits.ranges ? [...ranges, blankRange] : ranges;
}
