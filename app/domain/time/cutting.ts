import { day, type Instant, type LocalDate, minute } from './clock';
import { type DayRange, minutesOf } from './ranges';
import { cutDay, cutStretch, endOfDay, type Span, startOfDay } from './zones';

/** How the ranges of a day are cut, in minutes. */
export type Cut = { len: number; gap: number };

/** The slots of a date that begins at this instant and has 24 hours, in the order of its ranges. */
export const cutPlainDay = (ranges: DayRange[], startsAt: Instant, { len, gap }: Cut): Span[] =>
  ranges.flatMap(({ start, end }) => {
    const until = end === '00:00' ? day : minutesOf(end) * minute;
    const stretch = { startsAt: startsAt + minutesOf(start) * minute, endsAt: startsAt + until };
    return cutStretch(stretch, len, gap);
  });

/**
 * The slots of a date on which the clocks change, by start. Where that brings two ranges onto the same time, the earlier
 * keeps it.
 */
export function cutDayOfChange(ranges: DayRange[], date: LocalDate, zone: string, { len, gap }: Cut): Span[] {
  const slots: Span[] = [];
  for (const range of ranges) {
    const cut = cutDay({ date, ...range, zone, minutes: len, gap });
    const isFree = (slot: Span) => !slots.some((other) => slot.startsAt < other.endsAt && other.startsAt < slot.endsAt);
    slots.push(...cut.filter(isFree));
  }
  return slots.sort((one, other) => one.startsAt - other.startsAt);
}

/** The slots of a date in `zone`, by start. `ranges` are in order and do not overlap. RangeError as `cutDay`. */
export function cutRanges(ranges: DayRange[], date: LocalDate, zone: string, cut: Cut): Span[] {
  const startsAt = startOfDay(date, zone);
  const isPlain = endOfDay(date, zone) - startsAt === day;
  return isPlain ? cutPlainDay(ranges, startsAt, cut) : cutDayOfChange(ranges, date, zone, cut);
}
