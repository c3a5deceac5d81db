import { Temporal } from 'temporal-polyfill';
import { memo } from '../memo';
import {
  addDays,
  type Instant,
  isLocalDate,
  type LocalDate,
  type LocalTime,
  localDateOf,
  minute,
  parseWireDate,
  zoneNames,
} from './clock';

/** `startsAt` is included, `endsAt` is not. */
export type Span = { startsAt: Instant; endsAt: Instant };

export function todayIn(zone: string, now: Instant): LocalDate {
  return localDateOf(now, zone);
}

/** The date in an address, as a link writes it or as a date field sends it; else today. */
export const dateOrToday = (text: string | null, zone: string, now: Instant): LocalDate =>
  text !== null && isLocalDate(text) ? text : (parseWireDate(text ?? '') ?? todayIn(zone, now));

/**
 * The instant of a local time. If the clocks skip the time, it moves on by the gap; if they show it twice, it is the
 * earlier. Temporal calls this rule 'compatible'.
 * @throws RangeError
 */
export function instantOf(date: LocalDate, time: LocalTime, zone: string): Instant {
  return Temporal.ZonedDateTime.from(`${date}T${time}[${zone}]`, { disambiguation: 'compatible' }).epochMilliseconds;
}

// Remembered, because to find the start of a day takes a hundred times longer than all else about it.
const startBy = memo<Instant>(5000);

/** The first instant of the day: 01:00 if clocks spring forward at midnight. RangeError as `instantOf`. */
export const startOfDay = (date: LocalDate, zone: string): Instant =>
  startBy(`${zone} ${date}`, () => Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds);

export function endOfDay(date: LocalDate, zone: string): Instant {
  return startOfDay(addDays(date, 1), zone);
}

/** The instants between which some days lie. */
export const edgesOfDays = (from: LocalDate, to: LocalDate, zone: string): { from: Instant; until: Instant } => ({
  from: startOfDay(from, zone),
  until: endOfDay(to, zone),
});

export const edgesOfDay = (date: LocalDate, zone: string) => edgesOfDays(date, date, zone);

/** True if a day's range ends after its start; '00:00' is midnight after that day. */
export function isRangeOrdered(start: LocalTime, end: LocalTime): boolean {
  return end === '00:00' || end > start;
}

/**
 * Cuts a range of a day into slots of `minutes` of real time, with `gap` minutes between them. A rest shorter than a
 * slot is left over. The end '00:00' is midnight. No slot runs into the next day, even in America/Nuuk, where clocks
 * change at midnight. If clocks show a time twice, the earlier one counts: a range until 01:30 ends at the first.
 * @throws RangeError
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

export function cutStretch({ startsAt, endsAt }: Span, minutes: number, gap = 0): Span[] {
  const [length, step] = [minutes * minute, (minutes + gap) * minute];
  const count = Math.max(0, Math.floor((endsAt - startsAt + gap * minute) / step));
  return Array.from({ length: count }, (_, i) => ({
    startsAt: startsAt + i * step,
    endsAt: startsAt + i * step + length,
  }));
}

/**
 * The start and end of an event. If the end is not after the start, it is on the next day.
 * @throws RangeError as `instantOf`
 */
export function eventInstants(event: { date: LocalDate; start: LocalTime; end: LocalTime; zone: string }): Span {
  const { date, start, end, zone } = event;
  const startsAt = instantOf(date, start, zone);
  const lastDay = end > start ? date : addDays(date, 1);
  const endsAt = instantOf(lastDay, end, zone);
  if (endsAt > startsAt) return { startsAt, endsAt };
  // The clocks skip the start, so it moved on, past the end.
  return { startsAt, endsAt: instantOf(addDays(lastDay, 1), end, zone) };
}

/** The usual spelling of a zone that was typed in upper or lower case. @throws RangeError for an unknown zone */
export function zoneSpelling(zone: string): string {
  return new Temporal.ZonedDateTime(0n, zone).timeZoneId;
}

const common =
  'UTC Pacific/Honolulu America/Anchorage America/Los_Angeles America/Denver America/Phoenix America/Chicago ' +
  'America/Mexico_City America/New_York America/Toronto America/Bogota America/Halifax America/St_Johns ' +
  'America/Sao_Paulo America/Buenos_Aires Atlantic/Azores Africa/Casablanca Africa/Lagos Europe/London ' +
  'Europe/Dublin Europe/Lisbon Europe/Madrid Europe/Paris Europe/Amsterdam Europe/Berlin Europe/Zurich Europe/Rome ' +
  'Europe/Oslo Europe/Warsaw Europe/Athens Europe/Kyiv Europe/Istanbul Africa/Cairo Africa/Johannesburg Africa/Nairobi ' +
  'Asia/Dubai Asia/Tehran Asia/Karachi Asia/Kolkata Asia/Colombo Asia/Kathmandu Asia/Dhaka Asia/Bangkok Asia/Jakarta ' +
  'Asia/Singapore Asia/Hong_Kong Asia/Shanghai Asia/Manila Asia/Tokyo Asia/Seoul Australia/Perth Australia/Adelaide ' +
  'Australia/Brisbane Australia/Sydney Pacific/Auckland';

/** A short list of zones by name, with `own` among them. */
export function commonZones(own: string | null): string[] {
  return [...new Set([...common.split(' '), ...(own ? [own] : [])])].sort();
}

/** All zones by name, with `own` among them even if the runtime lists it under another name. */
export function listZones(own: string | null): string[] {
  return [...new Set([...zoneNames(), ...(own ? [own] : [])])].sort();
}
