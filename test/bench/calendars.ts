import { readCalendar } from '../../app/domain/busy/reading';
import { weeklySince2009, yearsOfEvents } from '../support/large-calendar';
import type { Say } from './served';
import { number, table } from './table';

/* The processor time to read other calendars. */

/** Milliseconds for the reading of a calendar of years, which is what most have. */
const most = 10;
const [warmUp, counted] = [20, 40];

/** Measures, and prints the table. @returns true if the usual calendar takes no longer than it may */
export async function measureCalendars(say: Say): Promise<boolean> {
  const now = Date.now();
  const calendars = {
    '884 kB, 2,000 events': yearsOfEvents(2000, 884_000, now),
    '2 MB, 5,000 events': yearsOfEvents(5000, 1_990_000, now),
    '500 weekly rules of 2009': weeklySince2009(500),
  };
  const rows = Object.entries(calendars).map(([what, text]) => {
    let ahead = 0;
    const read = (times: number) => {
      for (let time = 0; time < times; time++) {
        const reading = readCalendar(text, 'Europe/Lisbon', now);
        if (typeof reading === 'string') throw new Error(`It could not be read: ${reading}`);
        ahead = reading.events;
      }
    };
    read(warmUp);
    const before = process.cpuUsage();
    read(counted);
    const { user, system } = process.cpuUsage(before);
    return { what, ahead, milliseconds: (user + system) / 1000 / counted };
  });
  const cells = rows.map(({ what, ahead, milliseconds }) => [what, String(ahead), number(milliseconds)]);
  for (const line of table(['calendar', 'events ahead', 'read, CPU ms'], cells)) say(line);
  return Number(rows[0]?.milliseconds) < most;
}
