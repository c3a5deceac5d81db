import {
  dateWords,
  day,
  hour,
  type Instant,
  isSameAt,
  knownZone,
  lengthWords,
  localDateOf,
  localTimeOf,
  minute,
  zoneWords,
} from './clock';

export type Times = { startsAt: Instant; endsAt: Instant; timeZone: string };

/** 'Wednesday, 2 December 2026, 10:00 to 10:30, Lisbon time'. */
export function whenWords({ startsAt, endsAt, timeZone }: Times): string {
  const { full } = dateWords(localDateOf(startsAt, timeZone));
  return `${full}, ${localTimeOf(startsAt, timeZone)} to ${localTimeOf(endsAt, timeZone)}, ${zoneWords(timeZone)}`;
}

/** The same on the reader's clock; null if it shows the same times, or is not known. */
export function whenWordsFor({ startsAt, endsAt, timeZone }: Times, accountZone: string): string | null {
  const readerZone = knownZone(accountZone);
  if (!readerZone) return null;
  const isSame = isSameAt(startsAt, timeZone, readerZone) && isSameAt(endsAt, timeZone, readerZone);
  return isSame ? null : whenWords({ startsAt, endsAt, timeZone: readerZone });
}

/** 'Wed 2 Dec, 10:00'. */
export const shortWhenWords = (at: Instant, zone: string): string =>
  `${dateWords(localDateOf(at, zone)).short}, ${localTimeOf(at, zone)}`;

/** 'Wed 2 Dec, 10:00, Lisbon time'. */
export const momentWords = (at: Instant, zone: string): string => `${shortWhenWords(at, zone)}, ${zoneWords(zone)}`;

/** '12 minutes ago'; the date after a day. */
export function agoWords(at: Instant, now: Instant, zone: string): string {
  const age = now - at;
  if (age < minute) return 'Just now';
  if (age < hour) return `${lengthWords(Math.floor(age / minute))} ago`;
  if (age < day) return `${lengthWords(Math.floor(age / hour) * 60)} ago`;
  return dateWords(localDateOf(at, zone)).short;
}
