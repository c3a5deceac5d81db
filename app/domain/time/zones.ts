import { Temporal } from 'temporal-polyfill';
import { addDays, type Instant, type LocalDate, type LocalTime, localDateOf, minute, zoneNames } from './clock';

/** A stretch of time, `startsAt` included and `endsAt` not. */
export type Span = { startsAt: Instant; endsAt: Instant };

/** The date in `zone` at `now`. RangeError for an unknown zone. */
export function todayIn(zone: string, now: Instant): LocalDate {
  return localDateOf(now, zone);
}

/**
 * The instant of a local date and time in `zone`, by Temporal's 'compatible' rule (contract, section 2): a time that
 * the clocks skip moves on by the length of the gap, a time that they show twice is the earlier one. RangeError where
 * date, time or zone is none.
 */
export function instantOf(date: LocalDate, time: LocalTime, zone: string): Instant {
  return Temporal.ZonedDateTime.from(`${date}T${time}[${zone}]`, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** When days begin, by zone and date: to find it takes a hundred times longer than all else about a day. */
const begun = new Map<string, Instant>();
const mostBegun = 5000;

/** The first instant of the day. That is 01:00 where clocks spring forward at midnight. RangeError as `instantOf`. */
export function startOfDay(date: LocalDate, zone: string): Instant {
  const key = `${zone} ${date}`;
  const known = begun.get(key);
  if (known !== undefined) return known;
  const at = Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
  if (begun.size >= mostBegun) begun.clear();
  begun.set(key, at);
  return at;
}

/** The first instant of the next day. RangeError as `instantOf`. */
export function endOfDay(date: LocalDate, zone: string): Instant {
  return startOfDay(addDays(date, 1), zone);
}

/** True where the end of a day's range is after its start; an end of '00:00' is midnight after that day. */
export function isRangeOrdered(start: LocalTime, end: LocalTime): boolean {
  return end === '00:00' || end > start;
}

/**
 * Cuts the day's range [start, end) into slots of `minutes` (a whole number from 1) of real time, in order, with `gap`
 * minutes (none where absent) between one and the next. So a day that springs forward has fewer slots, and one that falls back has more. A rest shorter than a slot
 * gives none; so does a range out of order. An end of '00:00' is midnight at the end of the day (contract, section 2).
 * No slot leaves the day, even where a gap would carry the end past midnight (America/Nuuk). A start or end that clocks
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
  const asked = end === '00:00' ? endOfDay(date, zone) : instantOf(date, end, zone);
  const until = localDateOf(asked, zone) === date ? asked : endOfDay(date, zone);
  return cutStretch({ startsAt: from, endsAt: until }, range.minutes, range.gap);
}

/** Cuts a stretch of time as `cutDay` does the range of a day. */
export function cutStretch({ startsAt, endsAt }: Span, minutes: number, gap = 0): Span[] {
  const [length, step] = [minutes * minute, (minutes + gap) * minute];
  const count = Math.max(0, Math.floor((endsAt - startsAt + gap * minute) / step));
  return Array.from({ length: count }, (_, i) => ({
    startsAt: startsAt + i * step,
    endsAt: startsAt + i * step + length,
  }));
}

/**
 * The instants of an event. An end that is not after the start is on the next day, because a party may pass midnight
 * (contract, section 6). It always ends after it begins. RangeError as `instantOf`.
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

/** The usual spelling of a zone's name, for one that someone typed in another case. RangeError for an unknown zone. */
export function zoneSpelling(zone: string): string {
  return new Temporal.ZonedDateTime(0n, zone).timeZoneId;
}

/** A zone for most clocks of the world, and the best known ones: enough for nearly everyone. */
const common =
  'UTC Pacific/Honolulu America/Anchorage America/Los_Angeles America/Denver America/Phoenix America/Chicago ' +
  'America/Mexico_City America/New_York America/Toronto America/Bogota America/Halifax America/St_Johns ' +
  'America/Sao_Paulo America/Buenos_Aires Atlantic/Azores Africa/Casablanca Africa/Lagos Europe/London ' +
  'Europe/Dublin Europe/Lisbon Europe/Madrid Europe/Paris Europe/Amsterdam Europe/Berlin Europe/Zurich Europe/Rome ' +
  'Europe/Oslo Europe/Warsaw Europe/Athens Europe/Kyiv Europe/Istanbul Africa/Cairo Africa/Johannesburg Africa/Nairobi ' +
  'Asia/Dubai Asia/Tehran Asia/Karachi Asia/Kolkata Asia/Colombo Asia/Kathmandu Asia/Dhaka Asia/Bangkok Asia/Jakarta ' +
  'Asia/Singapore Asia/Hong_Kong Asia/Shanghai Asia/Manila Asia/Tokyo Asia/Seoul Australia/Perth Australia/Adelaide ' +
  'Australia/Brisbane Australia/Sydney Pacific/Auckland';

/** The zones that a list begins with, by name, with `own` among them. `listZones` has every one. */
export function commonZones(own: string | null): string[] {
  return [...new Set([...common.split(' '), ...(own ? [own] : [])])].sort();
}

/** The zones that a list offers, by name. `own` is among them even where the runtime lists it under another name. */
export function listZones(own: string | null): string[] {
  return [...new Set([...zoneNames(), ...(own ? [own] : [])])].sort();
}
