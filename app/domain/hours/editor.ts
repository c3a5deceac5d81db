import type { Fault } from '../errors';
import { limits } from '../input/limits';
import { isLocalDate, type LocalDate, weekdays, wireDate } from '../time/clock';
import { areOverlapping, blankRange, isTime, withBreak } from '../time/ranges';
import { isRangeOrdered } from '../time/zones';
import type { Hours, HoursRange } from './hours';

/*
 * The state of the form for hours. The form carries all of it, so each button is a plain submit, the response is the next
 * state, and nothing typed is lost.
 */

/** A weekday: whether it is open, and its ranges as they were typed. */
export type WeekDay = { isOpen: boolean; ranges: HoursRange[] };
/** A date or stretch of dates with other hours; blank times mean closed. */
export type DayOff = { date: string; to: string; start: string; end: string; serviceId?: string };
/** `week` begins with Sunday. */
export type HoursState = { week: WeekDay[]; off: DayOff[] };

const usual: HoursRange = { start: '09:00', end: '17:00' };
const blankOff: DayOff = { date: '', to: '', start: '', end: '' };
/** How many blank lines for days off there are at least. */
const spare = 3;

const isBlankOff = ({ date, to, start, end }: DayOff) => !date && !to && !start && !end;
const withSpare = (off: DayOff[]) => {
  const filled = off.filter((one) => !isBlankOff(one));
  return [...filled, ...Array<DayOff>(spare).fill(blankOff)];
};

/** The state of stored hours, or of a usual week. */
export function stateOf(hours: Pick<Hours, 'hours' | 'except' | 'serviceId'> | null, today: LocalDate): HoursState {
  // The form has a service for each range and none for all.
  const own = ({ start, end, serviceId = hours?.serviceId }: HoursRange): HoursRange => ({ start, end, serviceId });
  const week = weekdays.map((_, day): WeekDay => {
    if (!hours) return { isOpen: day > 0 && day < 6, ranges: [usual] };
    const ranges = hours.hours.filter((one) => one.day === day).map(own);
    return { isOpen: ranges.length > 0, ranges: ranges.length > 0 ? ranges : [usual] };
  });
  const coming = (hours?.except ?? []).filter(({ date, to }) => (to ?? date) >= today);
  const off = coming.flatMap(({ date, to, hours }) =>
    (hours.length > 0 ? hours.map(own) : [blankRange]).map((range) => ({ date, to: to ?? '', ...range })),
  );
  return { week, off: withSpare(off) };
}

const zip = (typed: Record<string, string[]>, names: string[]) => {
  const lists = names.map((name) => typed[name] ?? []);
  const most = Math.min(Math.max(...lists.map(({ length }) => length)), limits.hours.except * 2);
  return Array.from({ length: most }, (_, place) => lists.map((list) => list[place]?.trim() ?? ''));
};

/** Reads the state from a form. Never throws. */
export function typedState(typed: Record<string, string[]>): HoursState {
  const open = new Set(typed.open ?? []);
  const week = weekdays.map((_, day): WeekDay => {
    const ranges = zip(typed, [`start-${day}`, `end-${day}`, `service-${day}`]).map(
      ([start = '', end = '', serviceId]): HoursRange => ({ start, end, serviceId: serviceId || undefined }),
    );
    return { isOpen: open.has(String(day)), ranges: ranges.length > 0 ? ranges : [blankRange] };
  });
  const off = zip(typed, ['off-date', 'off-to', 'off-start', 'off-end', 'off-service']).map(
    ([date = '', to = '', start = '', end = '', serviceId]): DayOff => ({
      date,
      to,
      start,
      end,
      serviceId: serviceId || undefined,
    }),
  );
  return { week, off: withSpare(off) };
}

const changed = ({ week, off }: HoursState, change: (day: WeekDay, place: number) => WeekDay): HoursState => ({
  week: week.map(change),
  off,
});

/**
 * The state after a button. `press` is the button's value: `break:all`, `break:2` (a break on a day, from Sunday, 0),
 * `remove:2:1` (its second range), `copy:2` (its hours onto all other open days), `more` (more lines for days off). An
 * unknown value changes nothing.
 */
export function edited(state: HoursState, press: string): HoursState {
  const [button, day, at] = press.split(':');
  const isThis = (place: number) => String(place) === day;
  switch (button) {
    case 'break':
      return changed(state, (one, place) =>
        isThis(place) || (day === 'all' && one.isOpen) ? { isOpen: true, ranges: withBreak(one.ranges) } : one,
      );
    case 'remove':
      return changed(state, (one, place) => {
        if (!isThis(place)) return one;
        const ranges = one.ranges.filter((_, index) => String(index) !== at);
        return ranges.length > 0 ? { ...one, ranges } : { isOpen: false, ranges: [usual] };
      });
    case 'copy': {
      const source = state.week[Number(day)];
      return source ? changed(state, (one) => (one.isOpen ? { ...one, ranges: source.ranges } : one)) : state;
    }
    case 'more':
      return { ...state, off: [...state.off, ...Array<DayOff>(spare).fill(blankOff)] };
    default:
      return state;
  }
}

/** The faults of a day's ranges, in words that name the day. */
function rangeFaults(field: string, day: string, ranges: HoursRange[]): Fault[] {
  const filled = ranges.filter(({ start, end }) => start || end);
  if (filled.some(({ start, end }) => !isTime(start) || !isTime(end))) {
    return [{ field, message: `${day} needs a beginning and an end, such as 09:00 and 17:00.` }];
  }
  if (filled.some(({ start, end }) => !isRangeOrdered(start, end))) {
    return [{ field, message: `On ${day} the end must be after the beginning.` }];
  }
  return areOverlapping(filled) ? [{ field, message: `On ${day} the hours overlap.` }] : [];
}

/** The lines of one date or stretch are one exception. */
const grouped = (off: DayOff[]) =>
  Object.values(
    off.reduce<Record<string, DayOff[]>>((groups, one) => {
      if (isBlankOff(one)) return groups;
      const key = `${one.date} ${one.to}`;
      return Object.assign(groups, { [key]: [...(groups[key] ?? []), one] });
    }, {}),
  );

/** The faults of the days, each with its field: `day-2`, or `off`. */
export function stateFaults({ week, off }: HoursState): Fault[] {
  const ofDays = week.flatMap(({ isOpen, ranges }, day) =>
    isOpen ? rangeFaults(`day-${day}`, weekdays[day] as string, ranges) : [],
  );
  const ofDates = grouped(off).flatMap((lines): Fault[] => {
    const { date, to } = lines[0] as DayOff;
    if (!isLocalDate(date)) return [{ field: 'off', message: 'Each line of days off needs its date.' }];
    if (to && (!isLocalDate(to) || to < date)) {
      return [{ field: 'off', message: 'The last of the days off must not be before the first.' }];
    }
    return rangeFaults('off', wireDate(date), lines);
  });
  return [...ofDays, ...ofDates];
}

/** The hours and exceptions of the state, as the schema of hours takes them. */
export function inputOf({ week, off }: HoursState) {
  const filled = (ranges: HoursRange[]) => ranges.filter(({ start, end }) => start || end);
  const hours = week.flatMap(({ isOpen, ranges }, day) =>
    isOpen ? filled(ranges).map((range) => ({ day, ...range })) : [],
  );
  const except = grouped(off).map((lines) => {
    const { date, to } = lines[0] as DayOff;
    const ranges = filled(lines).map(({ start, end, serviceId }) => ({ start, end, serviceId }));
    return { date: wireDate(date), to: to ? wireDate(to) : null, hours: ranges };
  });
  return { hours, except };
}
