import fc from 'fast-check';
import type { HoursRange } from '../../app/domain/hours/hours';
import type { Plan } from '../../app/domain/hours/planned-slots';
import { addDays, type LocalDate, localDateOf, localTimeOf, weekdayOf } from '../../app/domain/time/clock';

/*
 * The slots of weekly hours, worked out slowly from the clocks of a time zone alone: without Temporal or a table of days, one slot
 * after the other. And random hours.
 */

const [minute, hour] = [60_000, 3_600_000];
const day = 24 * hour;

const wall = (at: number, zone: string) => Date.parse(`${localDateOf(at, zone)}T${localTimeOf(at, zone)}Z`);
/** How far a zone's clocks are from UTC. */
const offset = (at: number, zone: string) => wall(at, zone) - Math.floor(at / minute) * minute;

/** The first instant at which the clock shows this. A time that clocks skip moves on by the length of the gap. */
export function readClock(date: LocalDate, time: string, zone: string): number {
  const sought = Date.parse(`${date}T${time}Z`);
  const candidates = [sought - offset(sought - day, zone), sought - offset(sought + day, zone)];
  const shown = candidates.filter((at) => wall(at, zone) === sought);
  return shown.length > 0 ? Math.min(...shown) : sought - offset(sought - day, zone);
}

/** The first minute after the date: the clocks are asked minute by minute around midnight. */
function dayEnd(date: LocalDate, zone: string): number {
  let at = readClock(addDays(date, 1), '00:00', zone) - 3 * hour;
  while (localDateOf(at, zone) <= date) at += 15 * minute;
  return at;
}

type Slot = { from: number; to: number; date: LocalDate; serviceId?: string };

/** Every slot of one date, in order. A range for a service has the service's length and gap. */
function slotsOn(plan: Plan, date: LocalDate, zone: string): Slot[] {
  let ranges: HoursRange[] = plan.hours.filter((one) => one.day === weekdayOf(date));
  for (const one of plan.except) if (date >= one.date && date <= (one.to ?? one.date)) ranges = one.hours;
  const slots: Slot[] = [];
  for (const range of [...ranges].sort((one, other) => one.start.localeCompare(other.start))) {
    const { start, end, serviceId = plan.serviceId } = range;
    const { len, gap } = plan.cuts?.[serviceId ?? ''] ?? plan;
    const close = dayEnd(date, zone);
    const until = end === '00:00' ? close : Math.min(readClock(date, end, zone), close);
    let from = readClock(date, start, zone);
    while (from + len * minute <= until) {
      const slot = { from, to: from + len * minute, date, ...(serviceId && { serviceId }) };
      if (!slots.some((other) => slot.from < other.to && other.from < slot.to)) slots.push(slot);
      from = slot.to + gap * minute;
    }
  }
  return slots;
}

/** The same range on each weekday. */
export const everyDay = (start: string, end: string, serviceId?: string) =>
  Array.from({ length: 7 }, (_, day) => ({ day, start, end, serviceId }));

/** The slots of hours from one date to another, as text. */
export function plainlyWanted(
  plan: Plan,
  zone: string,
  { from, to, now }: { from: LocalDate; to: LocalDate; now: number },
) {
  const slots: Slot[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) slots.push(...slotsOn(plan, date, zone));
  return slots.filter((slot) => slot.from > now).sort((one, other) => one.from - other.from);
}

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];

/** A date on which the clocks change within half a year, if there is one. */
function changeAfter(zone: string, at: number): number {
  for (let ahead = at; ahead < at + 200 * day; ahead += 7 * day) {
    if (offset(ahead, zone) === offset(ahead + 7 * day, zone)) continue;
    let change = ahead;
    while (offset(change, zone) === offset(change + day, zone)) change += day;
    return change;
  }
  return at;
}

/** Some day in some zone, half of the days a little before or after a change of clocks. */
export const anyDay = fc
  .record({
    zone: fc.constantFrom(...zones),
    at: fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2040, 0, 1) }),
    back: fc.option(fc.integer({ min: -1, max: 9 })),
  })
  .map(({ zone, at, back }) => ({ zone, now: back === null ? at : changeAfter(zone, at) - back * day }));

const clock = (n: number) => `${String(Math.floor(n / 60) % 24).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`;
/** Ranges of one day that do not overlap: every second one between random times. */
const ranges = fc
  .uniqueArray(
    fc.oneof(fc.integer({ min: 0, max: 1440 }), fc.constantFrom(0, 60, 90, 120, 150, 180, 1320, 1380, 1410, 1440)),
    { maxLength: 6 },
  )
  .map((times) => {
    const inOrder = times.sort((one, other) => one - other);
    return Array.from({ length: inOrder.length >> 1 }, (_, place) => ({
      start: clock(inOrder[2 * place] as number),
      end: clock(inOrder[2 * place + 1] as number),
    }));
  });

/** Hours for a fortnight or so around a date. */
export const anyPlan = (date: LocalDate) =>
  fc.record({
    hours: fc
      .array(ranges, { minLength: 7, maxLength: 7 })
      .map((week) => week.flatMap((ranges, day) => ranges.map((range) => ({ day, ...range })))),
    except: fc.array(
      fc
        .record({ from: fc.integer({ min: -3, max: 12 }), days: fc.option(fc.nat(4)), hours: ranges })
        .map(({ from, days, hours }) => ({
          date: addDays(date, from),
          to: days === null ? null : addDays(date, from + days),
          hours,
        })),
      { maxLength: 4 },
    ),
    len: fc.oneof(fc.integer({ min: 5, max: 180 }), fc.constantFrom(15, 30, 60, 1440)),
    gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 240 })),
    ahead: fc.integer({ min: 1, max: 12 }),
  });
