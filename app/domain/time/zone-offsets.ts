import { day, type Instant, localDateOf, localTimeOf, minute } from './clock';

/** From an instant on, clocks are so many minutes ahead of UTC. */
type ClockChange = [from: Instant, minutes: number];

const week = 7 * day;

const offsetAt = (at: Instant, zone: string): number =>
  (Date.parse(`${localDateOf(at, zone)}T${localTimeOf(at, zone)}Z`) - Math.floor(at / minute) * minute) / minute;

/** For SQL, which knows no zones. A change of clocks and its return within a week are not seen: no zone has such. */
export function clockOf(zone: string, from: Instant, until: Instant): ClockChange[] {
  const changes: ClockChange[] = [[0, offsetAt(from, zone)]];
  for (let at = from; at < until; at += week) {
    const next = at + week;
    const after = offsetAt(next, zone);
    if (after === changes.at(-1)?.[1]) continue;
    let [before, later] = [Math.floor(at / minute), Math.ceil(next / minute)];
    while (later - before > 1) {
      const middle = Math.floor((before + later) / 2);
      if (offsetAt(middle * minute, zone) === after) later = middle;
      else before = middle;
    }
    changes.push([later * minute, after]);
  }
  return changes;
}
