import { msg } from '@lingui/core/macro';
import type { Words } from '../words/words';
import {
  dateWords,
  day,
  hour,
  type Instant,
  knownZone,
  lengthWords,
  localDateOf,
  minute,
  otherZone,
  type Times,
  timeWords,
  zoneWords,
} from './clock';

/** 'Wednesday, 2 December 2026, 10:00 to 10:30, Lisbon time'. */
export function whenWords({ startsAt, endsAt, timeZone }: Times): Words {
  const date = dateWords(localDateOf(startsAt, timeZone)).full;
  const [start, end, zone] = [timeWords(startsAt, timeZone), timeWords(endsAt, timeZone), zoneWords(timeZone)];
  return msg`${date}, ${start} to ${end}, ${zone}`;
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
