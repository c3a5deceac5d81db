import { msg, plural } from '@lingui/core/macro';
import { addDays, type Instant, type LocalDate, localTimeOf, minute } from '../time/clock';
import { todayIn } from '../time/zones';
import type { Words } from '../words/words';
import type { HoursRange } from './hours';
import { type Plan, type PlannedSlot, rangesOf, slotKey } from './planned-slots';

/** `open` slots stay; `leaving` slots will be deleted. */
export type Kind = 'booked' | 'open' | 'new' | 'leaving';

/** A slot that the provider has, whoever made it; `blocked` is one that they withdrew or canceled. */
export type ExistingSlot = {
  startsAt: Instant;
  endsAt: Instant;
  /** When the gap after a booking that starts with it is over; null if nothing is booked. */
  takenUntil: Instant | null;
  serviceId: string | null;
  date: LocalDate;
  state: 'booked' | 'open' | 'made' | 'blocked';
};

/** A day with its bars, in minutes of the day. */
export type PictureDay = {
  date: LocalDate;
  bars: { from: number; length: number; kind: Kind }[];
  words: Words[];
};

/** Seven days. Only the first weeks have bars. */
export type PictureWeek = {
  from: LocalDate;
  to: LocalDate;
  words: Words[];
  isSame: boolean; // nothing changes
  isDrawn: boolean;
  days: PictureDay[];
};

const drawnWeeks = 2;

const minutesOf = (at: Instant, zone: string) => {
  const time = localTimeOf(at, zone);
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
};

// In the order in which they are read.
const countWords: Record<Kind, (count: number) => Words> = {
  new: (count) => msg({ message: plural({ count }, { one: '# new', other: '# new' }), context: 'times' }),
  open: (count) => msg({ message: plural({ count }, { one: '# free', other: '# free' }), context: 'times' }),
  booked: (count) => msg({ message: plural({ count }, { one: '# booked', other: '# booked' }), context: 'times' }),
  leaving: (count) => msg({ message: plural({ count }, { one: '# removed', other: '# removed' }), context: 'times' }),
};

/** '3 new', '12 free'; none if there are no slots. */
const wordsFor = (kinds: Kind[]): Words[] =>
  (Object.keys(countWords) as Kind[]).flatMap((kind) => {
    const count = kinds.filter((one) => one === kind).length;
    return count > 0 ? [countWords[kind](count)] : [];
  });

const byDate = <Row>(rows: Row[], dateOf: (row: Row) => LocalDate) => {
  const days = new Map<LocalDate, Row[]>();
  for (const row of rows) {
    const day = days.get(dateOf(row));
    if (day) day.push(row);
    else days.set(dateOf(row), [row]);
  }
  return (date: LocalDate) => days.get(date) ?? [];
};

/**
 * Draws the weeks from today to the end of the hours as they will be once the hours are saved. Times are those of
 * `zone`.
 */
export function picture(
  planned: PlannedSlot[],
  existing: ExistingSlot[],
  { hours, zone, now }: { hours: Pick<Plan, 'hours' | 'except' | 'ahead'>; zone: string; now: Instant },
): PictureWeek[] {
  const [today, { ahead }] = [todayIn(zone, now), hours];
  const hasBegun = ({ start }: HoursRange) => start <= localTimeOf(now, zone);
  const wantedKeys = new Set(planned.map(([startsAt, endsAt, , serviceId]) => slotKey(startsAt, endsAt, serviceId)));
  const isStaying = ({ state, startsAt, endsAt, serviceId }: ExistingSlot) =>
    state !== 'made' || wantedKeys.has(slotKey(startsAt, endsAt, serviceId));
  const [existingOn, wantedOn] = [byDate(existing, ({ date }) => date), byDate(planned, ([, , date]) => date)];
  const wordsForNone = (date: LocalDate): Words => {
    const ranges = rangesOf(hours, date);
    if (ranges.length === 0) return msg({ message: 'closed', context: 'a day' });
    return date === today && ranges.some(hasBegun) && wantedOn(date).length === 0
      ? msg({ message: 'over', context: 'a day' })
      : msg`no times`;
  };
  const dayOf = (date: LocalDate) => {
    const existingAround = [addDays(date, -1), date, addDays(date, 1)].flatMap(existingOn).filter(isStaying);
    const isFree = ([startsAt, endsAt]: PlannedSlot) =>
      !existingAround.some(
        (other) => startsAt < Math.max(other.endsAt, other.takenUntil ?? 0) && other.startsAt < endsAt,
      );
    const kindOf = (slot: ExistingSlot): Kind =>
      slot.state === 'booked' ? 'booked' : isStaying(slot) ? 'open' : 'leaving';
    const bar = (startsAt: Instant, endsAt: Instant, kind: Kind) => ({ startsAt, endsAt, kind });
    return [
      ...existingOn(date)
        .filter(({ state }) => state !== 'blocked')
        .map((slot) => bar(slot.startsAt, slot.endsAt, kindOf(slot))),
      ...wantedOn(date)
        .filter(isFree)
        .map(([from, to]) => bar(from, to, 'new')),
    ];
  };
  const weeks = Array.from({ length: Math.ceil((ahead + 1) / 7) }, (_, week) => week);
  return weeks.map((week) => {
    const isDrawn = week < drawnWeeks;
    const length = isDrawn ? 7 : Math.min(7, ahead + 1 - week * 7);
    const days = Array.from({ length }, (_, place) => addDays(today, week * 7 + place)).map((date) => {
      const slots = dayOf(date);
      const words = wordsFor(slots.map(({ kind }) => kind));
      return { date, slots, words: words.length > 0 ? words : [wordsForNone(date)] };
    });
    const kinds = days.flatMap(({ slots }) => slots.map(({ kind }) => kind));
    const isSame = !kinds.some((kind) => kind === 'new' || kind === 'leaving');
    return {
      from: addDays(today, week * 7),
      to: addDays(today, week * 7 + length - 1),
      words: isSame ? [msg`nothing changes`] : wordsFor(kinds),
      isSame,
      isDrawn,
      days: days.map(({ date, slots, words }) => ({
        date,
        words,
        bars: isDrawn
          ? slots
              .sort((one, other) => one.startsAt - other.startsAt)
              .map(({ startsAt, endsAt, kind }) => ({
                from: minutesOf(startsAt, zone),
                length: (endsAt - startsAt) / minute,
                kind,
              }))
          : [],
      })),
    };
  });
}
