import { type LocalTime, localTimePattern } from './clock';

/** A range of a day; an end of '00:00' is midnight at its end. */
export type DayRange = { start: LocalTime; end: LocalTime };

export const blankRange: DayRange = { start: '', end: '' };

/** The end as a text to compare: midnight at the end of the day is the latest. */
const endOf = ({ end }: DayRange) => (end === '00:00' ? '24:00' : end);

/** True if two ranges overlap; ranges that touch don't. */
export function areOverlapping(ranges: DayRange[]): boolean {
  const inOrder = ranges.toSorted((range, other) => (range.start < other.start ? -1 : 1));
  return inOrder.some((range, place) => place > 0 && endOf(inOrder[place - 1] as DayRange) > range.start);
}

export const isTime = (text: string): boolean => localTimePattern.test(text);

export const minutesOf = (time: LocalTime): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The time of day so many minutes from midnight. */
export const timeOfMinutes = (minutes: number): LocalTime =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

const lengthOf = ({ start, end }: DayRange) =>
  isTime(start) && isTime(end) ? (end === '00:00' ? 1440 : minutesOf(end)) - minutesOf(start) : 0;

/** Splits the longest range by an hour at noon or in its middle. If no range has two hours, it adds a blank one. */
export function withBreak<Range extends DayRange>(ranges: Range[]): (Range | DayRange)[] {
  const longest = ranges.toSorted((range, other) => lengthOf(other) - lengthOf(range))[0];
  if (!longest || lengthOf(longest) < 120) return [...ranges, blankRange];
  const [from, length] = [minutesOf(longest.start), lengthOf(longest)];
  const isNoon = from < 720 && from + length > 780;
  const pause = isNoon ? 720 : from + Math.floor((length - 60) / 60) * 30;
  const parts = [
    { ...longest, end: timeOfMinutes(pause) },
    { ...longest, start: timeOfMinutes(pause + 60) },
  ];
  return ranges.flatMap((range) => (range === longest ? parts : [range]));
}
