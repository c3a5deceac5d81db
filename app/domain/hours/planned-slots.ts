import { limits } from '../input/limits';
import { addDays, day, type Instant, type LocalDate, weekdayOf } from '../time/clock';
import { cutDayOfChange, cutPlainDay, type OwnRange } from '../time/cutting';
import { endOfDay, instantOf, type Span, startOfDay } from '../time/zones';
import type { Hours, HoursRange } from './hours';

export type Plan = Pick<Hours, 'hours' | 'except' | 'len' | 'gap' | 'ahead' | 'serviceId' | 'cuts'>;

/** The date is the provider's local date. */
export type PlannedSlot = [startsAt: Instant, endsAt: Instant, date: LocalDate, serviceId?: string];

/** Open slots that hours made stay if hours plan one with the same key: `isAmong` is the same in SQL. */
export const slotKey = (startsAt: Instant, endsAt: Instant, serviceId?: string | null): string =>
  `${startsAt}-${endsAt}${serviceId ? `-${serviceId}` : ''}`;

const byStart = (one: HoursRange, other: HoursRange) => (one.start < other.start ? -1 : 1);

/** The ranges of a date in order: those of its exception, or those of its weekday. */
export function rangesOf({ hours, except }: Pick<Plan, 'hours' | 'except'>, date: LocalDate): HoursRange[] {
  const exception = except.findLast((entry) => entry.date <= date && date <= (entry.to ?? entry.date));
  const weekday = weekdayOf(date);
  return (exception?.hours ?? hours.filter((range) => range.day === weekday)).toSorted(byStart);
}

/** The ranges of a date, each with the length of its service. A range for a deleted service is left out. */
export function ownRangesOf(plan: Plan, date: LocalDate): OwnRange[] {
  const ranges = rangesOf(plan, date);
  const { cuts } = plan;
  if (!cuts) return ranges;
  return ranges.flatMap((range): OwnRange[] => {
    const serviceId = range.serviceId ?? plan.serviceId;
    if (serviceId === undefined) return [range];
    const cut = cuts[serviceId];
    return cut ? [{ ...range, serviceId, cut }] : [];
  });
}

/** Hours want nothing on this date. */
export const isClosedOn = (plan: Plan, date: LocalDate): boolean => ownRangesOf(plan, date).length === 0;

/** The open spans of a date, in order. */
export const openSpans = (plan: Pick<Plan, 'hours' | 'except'>, date: LocalDate, zone: string): Span[] =>
  rangesOf(plan, date).map(({ start, end }) => ({
    startsAt: instantOf(date, start, zone),
    endsAt: end === '00:00' ? endOfDay(date, zone) : instantOf(date, end, zone),
  }));

// The start of each date; null if the clocks change on it. Finding a start takes a hundred times longer than adding a
// day. So if a week has exactly seven times 24 hours, we assume that the clocks don't change in it.
function dayStarts(first: LocalDate, last: LocalDate, zone: string): Map<LocalDate, Instant | null> {
  const starts = new Map<LocalDate, Instant | null>();
  const halve = (from: LocalDate, days: number, startsAt: Instant, endsAt: Instant): void => {
    if (endsAt - startsAt === days * day) {
      for (let n = 0; n < days; n++) starts.set(addDays(from, n), startsAt + n * day);
    } else if (days === 1) {
      starts.set(from, null);
    } else {
      const [half, middle] = [days >> 1, addDays(from, days >> 1)];
      const middleAt = startOfDay(middle, zone);
      halve(from, half, startsAt, middleAt);
      halve(middle, days - half, middleAt, endsAt);
    }
  };
  let at = startOfDay(first, zone);
  for (let from = first; from <= last; from = addDays(from, 7)) {
    const end = startOfDay(addDays(from, 7), zone);
    halve(from, 7, at, end);
    at = end;
  }
  return starts;
}

/**
 * The hours want this time, or a part of it. A booking may have taken several slots, or only the beginning of one, so
 * its ends need not be those of a slot.
 */
export const isWanted = (
  plan: Plan,
  { startsAt, endsAt, date, timeZone }: Span & { date: LocalDate; timeZone: string },
  now: Instant,
): boolean =>
  wantedSlots(plan, timeZone, { from: date, to: date, now, most: limits.openSlots }).some(
    ([start, end]) => start < endsAt && startsAt < end,
  );

/**
 * The slots of the hours on these dates, without those that have begun. A day's last slot comes first: a trigger keeps
 * the first and last start of each day, so the slots between them need no further write. Stops after the day on which
 * there are more than `most`.
 */
export function wantedSlots(
  plan: Plan,
  zone: string,
  { from, to, now, most }: { from: LocalDate; to: LocalDate; now: Instant; most: number },
): PlannedSlot[] {
  const planned: PlannedSlot[] = [];
  for (const [date, startsAt] of dayStarts(from, to, zone)) {
    if (date > to || planned.length > most) break;
    const ranges = ownRangesOf(plan, date);
    const slots = startsAt === null ? cutDayOfChange(ranges, date, zone, plan) : cutPlainDay(ranges, startsAt, plan);
    const coming = slots.filter((slot) => slot.startsAt > now);
    for (const { startsAt, endsAt, serviceId } of [...coming.slice(-1), ...coming.slice(0, -1)]) {
      planned.push(serviceId === undefined ? [startsAt, endsAt, date] : [startsAt, endsAt, date, serviceId]);
    }
  }
  return planned;
}
