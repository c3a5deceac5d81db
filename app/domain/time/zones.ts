import { Temporal } from 'temporal-polyfill';
import { addDays, type Instant, type LocalDate, type LocalTime, localDateOf, minute, zoneNames } from './clock';

/** `startsAt` is included, `endsAt` is not. */
export type Span = { startsAt: Instant; endsAt: Instant };

/** RangeError for an unknown zone. */
export function todayIn(zone: string, now: Instant): LocalDate {
  return localDateOf(now, zone);
}

/**
 * The instant of a local date and time, by Temporal's 'compatible' rule (contract, section 2): a time that
 * the clocks skip moves on by the length of the gap, a time that they show twice is the earlier one. RangeError for a bad
 * date, time or zone.
 */
export function instantOf(date: LocalDate, time: LocalTime, zone: string): Instant {
  return Temporal.ZonedDateTime.from(`${date}T${time}[${zone}]`, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** The starts of days, by zone and date, because finding one takes a hundred times longer than all else about a day. */
const dayStarts = new Map<string, Instant>();
const mostDayStarts = 5000;

/** The first instant of the day: 01:00 if clocks spring forward at midnight. RangeError as `instantOf`. */
export function startOfDay(date: LocalDate, zone: string): Instant {
  const key = `${zone} ${date}`;
  const known = dayStarts.get(key);
  if (known !== undefined) return known;
  const at = Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
  if (dayStarts.size >= mostDayStarts) dayStarts.clear();
  dayStarts.set(key, at);
  return at;
}

/** The first instant of the next day. RangeError as `instantOf`. */
export function endOfDay(date: LocalDate, zone: string): Instant {
  return startOfDay(addDays(date, 1), zone);
}

/** True if a day's range ends after its start; '00:00' is midnight after that day. */
export function isRangeOrdered(start: LocalTime, end: LocalTime): boolean {
  return end === '00:00' || end > start;
}

/**
 * Cuts the day's range [start, end) into slots of `minutes` (a whole number from 1) of real time, with `gap` minutes in
 * between. A day that springs forward has fewer slots, one that falls back more. A rest shorter than a slot
 * gives none; so does a range out of order. An end of '00:00' is midnight at the end of the day (contract, section 2).
 * No slot leaves the day, even if a gap would carry the end past midnight (America/Nuuk). A start or end that clocks
 * show twice is the earlier one: a range that ends at 01:30 never keeps its provider until the second 01:30. RangeError
 * as `instantOf`.
 */
export function cutDay(range: {
  date: LocalDate;
  start: LocalTime;
  end: LocalTime;
  zone: string;
  minutes: number;
  gap?: number;
}): Span[] {
  const { date, start, end, zone } = range;
  const from = instantOf(date, start, zone);
  const nominalEnd = end === '00:00' ? endOfDay(date, zone) : instantOf(date, end, zone);
  const until = localDateOf(nominalEnd, zone) === date ? nominalEnd : endOfDay(date, zone);
  return cutStretch({ startsAt: from, endsAt: until }, range.minutes, range.gap);
}

/** Cuts a span of time as `cutDay` does. */
export function cutStretch({ startsAt, endsAt }: Span, minutes: number, gap = 0): Span[] {
  const [length, step] = [minutes * minute, (minutes + gap) * minute];
  const count = Math.max(0, Math.floor((endsAt - startsAt + gap * minute) / step));
  return Array.from({ length: count }, (_, i) => ({
    startsAt: startsAt + i * step,
    endsAt: startsAt + i * step + length,
  }));
}

/**
 * The span of an event. An end that is not after the start is on the next day, because a party may pass midnight
 * (contract, section 6). RangeError as `instantOf`.
 */
export function eventInstants(event: { date: LocalDate; start: LocalTime; end: LocalTime; zone: string }): Span {
  const { date, start, end, zone } = event;
  const startsAt = instantOf(date, start, zone);
  const lastDay = end > start ? date : addDays(date, 1);
  const endsAt = instantOf(lastDay, end, zone);
  if (endsAt > startsAt) return { startsAt, endsAt };
  // A gap moved the start past the end.
  return { startsAt, endsAt: instantOf(addDays(lastDay, 1), end, zone) };
}

/** The usual spelling of a zone that was typed in any case. RangeError for an unknown zone. */
export function zoneSpelling(zone: string): string {
  return new Temporal.ZonedDateTime(0n, zone).timeZoneId;
}

/** A zone for most clocks of the world, and the best known ones. */
const common =
  'UTC Pacific/Honolulu America/Anchorage America/Los_Angeles America/Denver America/Phoenix America/Chicago ' +
  'America/Mexico_City America/New_York America/Toronto America/Bogota America/Halifax America/St_Johns ' +
  'America/Sao_Paulo America/Buenos_Aires Atlantic/Azores Africa/Casablanca Africa/Lagos Europe/London ' +
  'Europe/Dublin Europe/Lisbon Europe/Madrid Europe/Paris Europe/Amsterdam Europe/Berlin Europe/Zurich Europe/Rome ' +
  'Europe/Oslo Europe/Warsaw Europe/Athens Europe/Kyiv Europe/Istanbul Africa/Cairo Africa/Johannesburg Africa/Nairobi ' +
  'Asia/Dubai Asia/Tehran Asia/Karachi Asia/Kolkata Asia/Colombo Asia/Kathmandu Asia/Dhaka Asia/Bangkok Asia/Jakarta ' +
  'Asia/Singapore Asia/Hong_Kong Asia/Shanghai Asia/Manila Asia/Tokyo Asia/Seoul Australia/Perth Australia/Adelaide ' +
  'Australia/Brisbane Australia/Sydney Pacific/Auckland';

/** The short list of zones, by name, with `own` among them. */
export function commonZones(own: string | null): string[] {
  return [...new Set([...common.split(' '), ...(own ? [own] : [])])].sort();
}

/** Every zone, by name, with `own` among them even if the runtime lists it under another name. */
export function listZones(own: string | null): string[] {
  return [...new Set([...zoneNames(), ...(own ? [own] : [])])].sort();
}
