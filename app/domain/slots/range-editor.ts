import { limits } from '../input/limits';
import { blankRange, type DayRange, withBreak } from '../time/ranges';

// A publication's form carries all its ranges, so each button is a plain submit and nothing typed is lost.

/** At least one range, which may be blank. Never throws. */
export function typedRanges(typed: Record<string, string[]>): DayRange[] {
  const [starts, ends] = [typed.start ?? [], typed.end ?? []];
  const many = Math.min(Math.max(starts.length, ends.length, 1), limits.ranges + 1);
  return Array.from({ length: many }, (_, at) => ({ start: starts[at]?.trim() ?? '', end: ends[at]?.trim() ?? '' }));
}

/** @param press `add` (a blank range), `break` (splits the longest), `remove:1` (the second); else nothing changes */
export function editedRanges(ranges: DayRange[], press: string): DayRange[] {
  const [button, at] = press.split(':');
  if (button === 'break') return withBreak(ranges);
  if (button === 'remove') {
    const rest = ranges.filter((_, place) => String(place) !== at);
    return rest.length > 0 ? rest : [blankRange];
  }
  return button === 'add' && ranges.length < limits.ranges ? [...ranges, blankRange] : ranges;
}
