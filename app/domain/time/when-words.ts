import { msg } from '@lingui/core/macro';
import type { Words } from '../words/words';
import {
  dateWords,
  day,
  hour,
  type Instant,
  isSameAt,
  knownZone,
  lengthWords,
  localDateOf,
  minute,
  timeWords,
  zoneWords,
} from './clock';

export type Times = { startsAt: Instant; endsAt: Instant; timeZone: string };

/** 'Wednesday, 2 December 2026, 10:00 to 10:30, Lisbon time'. */
export function whenWords({ startsAt, endsAt, timeZone }: Times): Words {
  const date = dateWords(localDateOf(startsAt, timeZone)).full;
  const [start, end, zone] = [timeWords(startsAt, timeZone), timeWords(endsAt, timeZone), zoneWords(timeZone)];
  return msg`${date}, ${start} to ${end}, ${zone}`;
}

/** The reader's zone; null if its clock shows the same times, or it is not known. */
export function otherZone({ startsAt, endsAt, timeZone }: Times, readerZone: string | null): string | null {
  if (!readerZone || readerZone === timeZone) return null;
  const isSame = isSameAt(startsAt, timeZone, readerZone) && isSameAt(endsAt, timeZone, readerZone);
  return isSame ? null : readerZone;
}

/** The same on the reader's clock; null if it shows the same times, or is not known. */
export function whenWordsFor(times: Times, accountZone: string): Words | null {
  const timeZone = otherZone(times, knownZone(accountZone));
  return timeZone && whenWords({ ...times, timeZone });
}

/** 'Wed 2 Dec, 10:00'. */
export function shortWhenWords(at: Instant, zone: string): Words {
  const [date, time] = [dateWords(localDateOf(at, zone)).short, timeWords(at, zone)];
  return msg`${date}, ${time}`;
}

/** 'Wed 2 Dec, 10:00, Lisbon time'. */
export function momentWords(at: Instant, zone: string): Words {
  const [when, place] = [shortWhenWords(at, zone), zoneWords(zone)];
  return msg`${when}, ${place}`;
}

/** '12 minutes ago'; the date after a day. */
export function agoWords(at: Instant, now: Instant, zone: string): Words {
  const age = now - at;
  if (age < minute) return msg`Just now`;
  if (age >= day) return dateWords(localDateOf(at, zone)).short;
  const length = lengthWords(age < hour ? Math.floor(age / minute) : Math.floor(age / hour) * 60);
  return msg`${length} ago`;
}
