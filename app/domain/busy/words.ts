import { msg, plural } from '@lingui/core/macro';
import { addDays, dateWords, type Instant, localDateOf, timeWords, zoneWords } from '../time/clock';
import type { Words } from '../words/words';

/** 'No events', '1 event', '12 events'. */
export const countWords = (events: number): Words =>
  events === 0 ? msg`No events` : msg({ message: plural({ events }, { one: '# event', other: '# events' }) });

/** 'today at 09:00, Lisbon time', 'tomorrow at …', 'on Wed 2 Dec at …'. */
export function startWords(at: Instant, zone: string, now: Instant): Words {
  const [date, today] = [localDateOf(at, zone), localDateOf(now, zone)];
  const [day, time, place] = [dateWords(date).short, timeWords(at, zone), zoneWords(zone)];
  if (date === today) return msg`today at ${time}, ${place}`;
  return date === addDays(today, 1) ? msg`tomorrow at ${time}, ${place}` : msg`on ${day} at ${time}, ${place}`;
}
