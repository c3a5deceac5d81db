import { type LocalTime, localTimePattern } from './clock';

/** A range of a day; an end of '00:00' is midnight at its end. */
export type DayRange = { start: LocalTime; end: LocalTime };

export const blankRange: DayRange = { start: '', end: '' };

/** What is compared of ranges: midnight at the end of the day comes after all else. */
const endOf = ({ end }: DayRange) => (end === '00:00' ? '24:00' : end);

/** True where two of these ranges of one day overlap. Ranges that touch do not. */
export function areOverlapping(ranges: DayRange[]): boolean {
  const inOrder = ranges.toSorted((one, other) => (one.start < other.start ? -1 : 1));
  return inOrder.some((one, place) => place > 0 && endOf(inOrder[place - 1] as DayRange) > one.start);
}

/** Whether `text` is a time of day, 'HH:mm'. */
export const isTime = (text: string): boolean => localTimePattern.test(text);

/** The minutes from midnight to a time of day. */
export const minutesOf = (time: LocalTime): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const clock = (minutes: number): LocalTime =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

const lengthOf = ({ start, end }: DayRange) =>
  isTime(start) && isTime(end) ? (end === '00:00' ? 1440 : minutesOf(end)) - minutesOf(start) : 0;

/**
 * Splits the longest of a day's ranges, which may be half-typed: an hour at noon where that lies within, else the hour in
 * its middle. Where none is as long as two hours, a blank range follows.
 */
export function withBreak(ranges: DayRange[]): DayRange[] {
  const longest = ranges.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
  if (!longest || lengthOf(longest) < 120) return [...ranges, blankRange];
  const [from, length] = [minutesOf(longest.start), lengthOf(longest)];
  const isNoon = from < 720 && from + length > 780;
  const pause = isNoon ? 720 : from + Math.floor((length - 60) / 60) * 30;
  const parts = [
    { start: longest.start, end: clock(pause) },
    { start: clock(pause + 60), end: longest.end },
  ];
  return ranges.flatMap((range) => (range === longest ? parts : [range]));
}
