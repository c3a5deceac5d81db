import type { Instant } from '../time/clock';

/** A slot as it concerns services that begin before its end. */
export type Place = { startsAt: Instant; endsAt: Instant; isFreeTime: boolean; isWithdrawn: boolean };
/** In milliseconds: a service's length and gap, and the longest pause between two slots that it takes. */
type Stay = { length: number; gap: number; pause: number };

/** True if a service fits at this slot, as isFreeThroughout decides in SQL. @param list slots by start */
export function fits(list: Place[], place: number, { length, gap, pause }: Stay): boolean {
  const start = (list[place] as Place).startsAt;
  const [end, takenUntil] = [start + length, start + length + gap];
  let reach = start - pause;
  for (let next = place; next < list.length; next++) {
    const { startsAt, endsAt, isFreeTime, isWithdrawn } = list[next] as Place;
    if (startsAt >= takenUntil) break;
    if (startsAt >= end) {
      if (!isFreeTime && !isWithdrawn) return false;
    } else {
      if (!isFreeTime || startsAt > reach + pause) return false;
      reach = endsAt;
    }
  }
  return reach >= end;
}
