import { msg } from '@lingui/core/macro';
import type { Fault } from '../errors';
import { limits } from '../input/limits';
import {
  addDays,
  isLocalDate,
  type LocalDate,
  parseWireDate,
  weekdayOf,
  weekdays,
  weekdayWords,
  wireDate,
} from '../time/clock';
import { areOverlapping, blankRange, isTime, withBreak } from '../time/ranges';
import { isRangeOrdered } from '../time/zones';
import type { Words } from '../words/words';
import type { Hours, HoursRange } from './hours';

// The form for hours carries its whole state, so each button simply sends it, and the response shows the next state.

export type WeekDay = { isOpen: boolean; ranges: HoursRange[] };
/** A date, or dates up to `to`, with other hours; blank times mean closed. */
export type DayOff = { date: string; to: string; start: string; end: string; serviceId?: string };
/** `week` begins with Sunday. */
export type HoursState = { week: WeekDay[]; off: DayOff[] };

const usual: HoursRange = { start: '09:00', end: '17:00' };
const blankOff: DayOff = { date: '', to: '', start: '', end: '' };
/** The least number of blank lines at the end of the days off. The form shows one and folds the others away. */
export const spareOff = 3;

export const isBlankOff = ({ date, to, start, end }: DayOff) => !date && !to && !start && !end;
// Each line keeps its place, so that what is typed while the form is sent stays in its line.
const withSpare = (off: DayOff[]) => {
  const blank = off.length - 1 - off.findLastIndex((line) => !isBlankOff(line));
  return [...off, ...Array<DayOff>(Math.max(0, spareOff - blank)).fill(blankOff)];
};

export function stateOf(hours: Pick<Hours, 'hours' | 'except' | 'serviceId'> | null, today: LocalDate): HoursState {
  // In the form each range has its own service, and there is none for all.
  const own = ({ start, end, serviceId = hours?.serviceId }: HoursRange): HoursRange => ({ start, end, serviceId });
  const week = weekdays.map((_, day): WeekDay => {
    if (!hours) return { isOpen: day > 0 && day < 6, ranges: [usual] };
    const ranges = hours.hours.filter((range) => range.day === day).map(own);
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

/** Reads the state from what was typed. It never throws. */
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

/**
 * The days off that one press closes: `today`, `week`, the week after this one, or a date to come as an address has it; null for
 * other words.
 * @param weekStart on which day the reader's weeks begin, 0 (Sunday) to 6
 */
export function daysAway(when: string, today: LocalDate, weekStart: number): DayOff | null {
  if (when === 'today') return { ...blankOff, date: today };
  const date = parseWireDate(when);
  if (date && date >= today) return { ...blankOff, date };
  if (when !== 'week') return null;
  const first = addDays(today, 7 - ((weekdayOf(today) - weekStart + 7) % 7));
  return { ...blankOff, date: first, to: addDays(first, 6) };
}

/** Whether the date is one of these days off. */
export const isIn = ({ date, to }: DayOff, day: LocalDate) => day >= date && day <= (to || date);

/** The state with these days off in its first blank line. */
export function withDaysOff({ week, off }: HoursState, days: DayOff): HoursState {
  if (off.some(({ date, to }) => date === days.date && to === days.to)) return { week, off };
  const blank = off.findIndex(isBlankOff);
  return { week, off: withSpare(off.with(blank < 0 ? off.length - 1 : blank, days)) };
}

const changed = ({ week, off }: HoursState, change: (day: WeekDay, place: number) => WeekDay): HoursState => ({
  week: week.map(change),
  off,
});

/**
 * The state after a button: `break:all`, `break:2` (adds a break on Tuesday; Sunday is 0), `remove:2:1` (removes its
 * second range), `copy:2` (copies its hours to all other open days), `more` (adds lines for days off). Unknown values
 * change nothing.
 */
export function edited(state: HoursState, press: string): HoursState {
  const [button, day, at] = press.split(':');
  const isThis = (place: number) => String(place) === day;
  switch (button) {
    case 'break':
      return changed(state, (weekday, place) =>
        isThis(place) || (day === 'all' && weekday.isOpen)
          ? { isOpen: true, ranges: withBreak(weekday.ranges) }
          : weekday,
      );
    case 'remove':
      return changed(state, (weekday, place) => {
        if (!isThis(place)) return weekday;
        const ranges = weekday.ranges.filter((_, index) => String(index) !== at);
        return ranges.length > 0 ? { ...weekday, ranges } : { isOpen: false, ranges: [usual] };
      });
    case 'copy': {
      const source = state.week[Number(day)];
      return source ? changed(state, (day) => (day.isOpen ? { ...day, ranges: source.ranges } : day)) : state;
    }
    case 'more':
      return { ...state, off: [...state.off, ...Array<DayOff>(spareOff).fill(blankOff)] };
    default:
      return state;
  }
}

function rangeFaults(field: string, day: Words, ranges: HoursRange[]): Fault[] {
  const filled = ranges.filter(({ start, end }) => start || end);
  if (filled.some(({ start, end }) => !isTime(start) || !isTime(end))) {
    const [start, end] = [{ clock: usual.start }, { clock: usual.end }];
    return [{ field, message: msg`${day} needs a beginning and an end, such as ${{ start }} and ${{ end }}.` }];
  }
  if (filled.some(({ start, end }) => !isRangeOrdered(start, end))) {
    return [{ field, message: msg`On ${day} the end must be after the beginning.` }];
  }
  return areOverlapping(filled) ? [{ field, message: msg`On ${day} the hours overlap.` }] : [];
}

/** Joins the lines of one date or stretch into one exception. */
const grouped = (off: DayOff[]) =>
  Object.values(
    off.reduce<Record<string, DayOff[]>>((groups, dayOff) => {
      if (isBlankOff(dayOff)) return groups;
      const key = `${dayOff.date} ${dayOff.to}`;
      return Object.assign(groups, { [key]: [...(groups[key] ?? []), dayOff] });
    }, {}),
  );

export function stateFaults({ week, off }: HoursState): Fault[] {
  const ofDays = week.flatMap(({ isOpen, ranges }, day) =>
    isOpen ? rangeFaults(`day-${day}`, weekdayWords(day), ranges) : [],
  );
  const ofDates = grouped(off).flatMap((lines): Fault[] => {
    const { date, to } = lines[0] as DayOff;
    if (!isLocalDate(date)) return [{ field: 'off', message: msg`Each line of days off needs its date.` }];
    if (to && (!isLocalDate(to) || to < date)) {
      return [{ field: 'off', message: msg`The last of the days off must not be before the first.` }];
    }
    return rangeFaults('off', wireDate(date), lines);
  });
  return [...ofDays, ...ofDates];
}

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
