import { day, type Instant, type LocalDate, minute } from './clock';
import { type DayRange, minutesOf } from './ranges';
import { cutDay, cutStretch, endOfDay, type Span, startOfDay } from './zones';

/** The length of slots and the gap between them, in minutes. */
export type Cut = { len: number; gap: number };

/** A range for a service, with the service's length and gap. */
export type OwnRange = DayRange & { serviceId?: string; cut?: Cut };
type OwnSpan = Span & { serviceId?: string };

const withService = (spans: Span[], serviceId: string | undefined): OwnSpan[] =>
  serviceId === undefined ? spans : spans.map((span) => ({ ...span, serviceId }));

export const cutPlainDay = (ranges: OwnRange[], startsAt: Instant, usual: Cut): OwnSpan[] =>
  ranges.flatMap(({ start, end, serviceId, cut: { len, gap } = usual }) => {
    const until = end === '00:00' ? day : minutesOf(end) * minute;
    const stretch = { startsAt: startsAt + minutesOf(start) * minute, endsAt: startsAt + until };
    return withService(cutStretch(stretch, len, gap), serviceId);
  });

/**
 * Cuts the ranges into slots, by start. If a change of clocks moves two ranges onto the same time, the earlier range
 * keeps it.
 */
export function cutDayOfChange(ranges: OwnRange[], date: LocalDate, zone: string, usual: Cut): OwnSpan[] {
  const slots: OwnSpan[] = [];
  for (const { start, end, serviceId, cut: { len, gap } = usual } of ranges) {
    const cut = withService(cutDay({ date, start, end, zone, minutes: len, gap }), serviceId);
    const isFree = (slot: Span) => !slots.some((other) => slot.startsAt < other.endsAt && other.startsAt < slot.endsAt);
    slots.push(...cut.filter(isFree));
  }
  return slots.sort((one, other) => one.startsAt - other.startsAt);
}

/** Cuts the ranges into slots, by start. @param ranges in order, without overlaps @throws RangeError as `cutDay` */
export function cutRanges(ranges: DayRange[], date: LocalDate, zone: string, cut: Cut): Span[] {
  const startsAt = startOfDay(date, zone);
  const isPlain = endOfDay(date, zone) - startsAt === day;
  return isPlain ? cutPlainDay(ranges, startsAt, cut) : cutDayOfChange(ranges, date, zone, cut);
}
