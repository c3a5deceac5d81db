import { limits } from '../input/limits';
import type { Service } from '../services/services';
import { fits } from '../slots/fits';
import { minute } from '../time/clock';
import { type Cut, cutPlainDay } from '../time/cutting';
import { isTime } from '../time/ranges';
import { isRangeOrdered } from '../time/zones';
import type { WeekDay } from './editor';
import type { HoursRange } from './hours';

// Free time is cut into slots, and a service takes as many of them as it needs. If they are no part of its length, each
// visit takes more time than it lasts.

export type Lasting = Pick<Service, 'id' | 'name' | 'minutes' | 'gap' | 'seats' | 'isOffered'>;

/** How often a service fits into a day of the week, and how often if times started at the needed step. */
export type Room = Pick<Lasting, 'id' | 'name' | 'minutes'> & { day: number; visits: number; possible: number };

/** The least step that we propose, in minutes: with a lesser one a day has more times to choose from than anyone reads. */
const leastStep = 10;

const commonDivisor = (one: number, other: number): number => (other === 0 ? one : commonDivisor(other, one % other));

const inFreeTime = (services: Lasting[]) => services.filter(({ seats, isOffered }) => seats === 1 && isOffered);

/** The step, in minutes, at which each service can begin where another ends; null if none is booked into free time. */
export function neededStep(services: Lasting[]): number | null {
  const lengths = inFreeTime(services).map(({ minutes, gap }) => minutes + gap);
  if (lengths.length === 0) return null;
  return Math.min(Math.max(lengths.reduce(commonDivisor), leastStep), limits.minutes.max);
}

/** How often the service fits into these ranges, one visit after the other. */
function visitsIn(ranges: HoursRange[], cut: Cut, services: Lasting[], { minutes, gap }: Lasting): number {
  const own = ranges.map((range) => {
    const service = services.find(({ id }) => id === range.serviceId);
    return service ? { ...range, cut: { len: service.minutes, gap: service.gap } } : range;
  });
  const slots = cutPlainDay(own, 0, cut).map((slot) => ({
    ...slot,
    isFreeTime: slot.serviceId === undefined,
    isWithdrawn: false,
  }));
  const stay = { length: minutes * minute, gap: gap * minute, pause: cut.gap * minute };
  let [visits, freeFrom] = [0, 0];
  slots.forEach(({ startsAt, isFreeTime }, place) => {
    if (!isFreeTime || startsAt < freeFrom || !fits(slots, place, stay)) return;
    visits += 1;
    freeFrom = startsAt + stay.length + stay.gap;
  });
  return visits;
}

/** The ranges of an open day that can be read, in order. */
const rangesOf = ({ isOpen, ranges }: WeekDay) =>
  ranges
    .filter(({ start, end }) => isOpen && isTime(start) && isTime(end) && isRangeOrdered(start, end))
    .toSorted((one, other) => (one.start < other.start ? -1 : 1));

/** How many visits the day loses. */
export const lossOf = ({ visits, possible }: Room): number => possible - visits;

/** The room for each service that is booked into free time, on the day that loses most. */
export function roomFor(services: Lasting[], week: WeekDay[], cut: Cut): Room[] {
  const step = neededStep(services);
  if (step === null) return [];
  const days = week.map(rangesOf);
  return inFreeTime(services).map((service) => {
    const rooms = days.map((ranges, day): Room => {
      const visits = visitsIn(ranges, cut, services, service);
      const possible = Math.max(visits, visitsIn(ranges, { ...cut, len: step }, services, service));
      return { id: service.id, name: service.name, minutes: service.minutes, day, visits, possible };
    });
    const [worst] = rooms.toSorted((one, other) => lossOf(other) - lossOf(one) || other.visits - one.visits);
    return worst as Room;
  });
}
