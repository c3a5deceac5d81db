import { addDays, type Instant, type LocalDate, localTimeOf, minute } from '../time/clock';
import type { WantedSlot } from './wanted';

/** What a stretch of a day is: booked; open and staying; new; about to be withdrawn. */
export type Kind = 'booked' | 'open' | 'new' | 'leaving';

/** A slot as it stands in the book. */
export type Standing = {
  startsAt: Instant;
  endsAt: Instant;
  date: LocalDate;
  state: 'booked' | 'open' | 'made' | 'blocked';
};

/** A day of the picture: its bars, in minutes of the day, and what a reader hears instead. */
export type PictureDay = { date: LocalDate; bars: { from: number; length: number; kind: Kind }[]; words: string };

/** How many days the picture shows. */
export const pictured = 14;

const minutesOf = (at: Instant, zone: string) => {
  const time = localTimeOf(at, zone);
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
};

const times = (count: number, words: string) => (count === 0 ? [] : [`${count} ${words}`]);

/**
 * The two weeks from `today` as they will be once the hours are saved: what is wanted, and what stands in the book. Times
 * of the day are those of `zone`.
 */
export function picture(wanted: WantedSlot[], standing: Standing[], zone: string, today: LocalDate): PictureDay[] {
  const keyOf = (startsAt: Instant, endsAt: Instant) => `${startsAt}-${endsAt}`;
  const asked = new Set(wanted.map(([startsAt, endsAt]) => keyOf(startsAt, endsAt)));
  const isStaying = (one: Standing) => one.state !== 'made' || asked.has(keyOf(one.startsAt, one.endsAt));
  const staying = standing.filter(isStaying);
  return Array.from({ length: pictured }, (_, ahead) => {
    const date = addDays(today, ahead);
    const here = staying.filter((one) => Math.abs(Date.parse(one.date) - Date.parse(date)) <= 24 * 60 * minute);
    const isFree = ([startsAt, endsAt]: WantedSlot) =>
      !here.some((other) => startsAt < other.endsAt && other.startsAt < endsAt);
    const bar = (startsAt: Instant, endsAt: Instant, kind: Kind) => ({
      from: minutesOf(startsAt, zone),
      length: (endsAt - startsAt) / minute,
      kind,
    });
    const ofDay = standing.filter((one) => one.date === date && one.state !== 'blocked');
    const bars = [
      ...ofDay.map((one) =>
        bar(one.startsAt, one.endsAt, one.state === 'booked' ? 'booked' : isStaying(one) ? 'open' : 'leaving'),
      ),
      ...wanted.filter((one) => one[2] === date && isFree(one)).map(([from, to]) => bar(from, to, 'new')),
    ].sort((one, other) => one.from - other.from);
    const count = (kind: Kind) => bars.filter((one) => one.kind === kind).length;
    const words = [
      ...times(count('new'), 'new'),
      ...times(count('open'), 'open'),
      ...times(count('booked'), 'booked'),
      ...times(count('leaving'), 'withdrawn'),
    ].join(', ');
    return { date, bars, words: words || 'closed' };
  });
}
