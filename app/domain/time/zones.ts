import { Temporal } from 'temporal-polyfill';
import { addDays, type Instant, type LocalDate, type LocalTime, localDateOf, minute, zoneNames } from './clock';

/** A stretch of time, `startsAt` included and `endsAt` not. */
export type Span = { startsAt: Instant; endsAt: Instant };

/** The date it is at `now` in `zone`. RangeError for an unknown zone. */
export function todayIn(zone: string, now: Instant): LocalDate {
  return localDateOf(now, zone);
}

/**
 * The instant at which the clocks of `zone` show that date and time. Read as Temporal's 'compatible' (contract, section
 * 2): a time inside a gap moves on by the length of the gap, a time shown twice is the earlier one. RangeError where
 * date, time or zone is none.
 */
export function instantOf(date: LocalDate, time: LocalTime, zone: string): Instant {
  return Temporal.ZonedDateTime.from(`${date}T${time}[${zone}]`, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** The first instant of the day: 01:00 on the clock where it springs forward at midnight. RangeError as `instantOf`. */
export function startOfDay(date: LocalDate, zone: string): Instant {
  return Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
}

/** The first instant no longer of the day, which is the start of the next one. RangeError as `instantOf`. */
export function endOfDay(date: LocalDate, zone: string): Instant {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
}

/** Whether a day's range is one: its end comes after its start, where an end of '00:00' is midnight after that day. */
export function isRangeOrdered(start: LocalTime, end: LocalTime): boolean {
  return end === '00:00' || end > start;
}

/**
 * The day's range [start, end) cut in real elapsed time into slots of `minutes` (a whole number from 1), in order and
 * without holes. So a day that springs forward gives fewer slots and one that falls back more; a rest shorter than a
 * slot gives none, and neither does a range out of order. An end of '00:00' is midnight at the end of the day (contract,
 * section 2). No slot leaves the day, even where a gap would carry the end past midnight (America/Nuuk). A start or end
 * shown twice is the earlier one: a range that ends at 01:30 never keeps its provider until the second 01:30.
 * RangeError as `instantOf`.
 */
export function cutDay(range: {
  date: LocalDate;
  start: LocalTime;
  end: LocalTime;
  zone: string;
  minutes: number;
}): Span[] {
  const { date, start, end, zone } = range;
  const length = range.minutes * minute;
  const from = instantOf(date, start, zone);
  const asked = end === '00:00' ? endOfDay(date, zone) : instantOf(date, end, zone);
  const until = localDateOf(asked, zone) === date ? asked : endOfDay(date, zone);
  const count = Math.max(0, Math.floor((until - from) / length));
  return Array.from({ length: count }, (_, i) => ({ startsAt: from + i * length, endsAt: from + (i + 1) * length }));
}

/**
 * When an event begins and ends. An end that is not after the start is the next day's, because a party may pass midnight
 * (contract, section 6). It always ends after it begins. RangeError as `instantOf`.
 */
export function eventInstants(event: { date: LocalDate; start: LocalTime; end: LocalTime; zone: string }): Span {
  const { date, start, end, zone } = event;
  const startsAt = instantOf(date, start, zone);
  const lastDay = end > start ? date : addDays(date, 1);
  const endsAt = instantOf(lastDay, end, zone);
  if (endsAt > startsAt) return { startsAt, endsAt };
  // The start lay in a gap and was carried past the end.
  return { startsAt, endsAt: instantOf(addDays(lastDay, 1), end, zone) };
}

/** A zone's name in its own spelling, for one that was typed in another case. RangeError for an unknown zone. */
export function zoneSpelling(zone: string): string {
  return new Temporal.ZonedDateTime(0n, zone).timeZoneId;
}

/** The zones to choose from, by name, with `own` among them even where the runtime lists it by another name. */
export function listZones(own: string | null): string[] {
  return [...new Set([...zoneNames(), ...(own ? [own] : [])])].sort();
}
