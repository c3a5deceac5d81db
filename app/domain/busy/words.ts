import { addDays, dateWords, type Instant, localDateOf, localTimeOf, zoneWords } from '../time/clock';

/** 'No events', '1 event', '12 events'. */
export const countWords = (events: number): string =>
  events === 0 ? 'No events' : events === 1 ? '1 event' : `${events} events`;

/** 'today at 09:00, Lisbon time', 'tomorrow at …', 'on Wed 2 Dec at …'. */
export function startWords(at: Instant, zone: string, now: Instant): string {
  const [date, today] = [localDateOf(at, zone), localDateOf(now, zone)];
  const onDay = date === today ? 'today' : date === addDays(today, 1) ? 'tomorrow' : `on ${dateWords(date).short}`;
  return `${onDay} at ${localTimeOf(at, zone)}, ${zoneWords(zone)}`;
}
