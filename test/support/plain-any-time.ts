import { type LocalDate, localDateOf, localTimeOf, minute, weekdayOf } from '../../app/domain/time/clock';
import { type Book, type Host, isBusy, type Reading, type Slot, type Span } from './plain-waitlist';

/* What may be booked at any time or brought along by an import, and what becomes of the times there, in loops and words. */

/** Nothing else may begin before `takenUntil`. */
export type Stretch = Span & { takenUntil: number; date: LocalDate };

export type AnyTime = {
  date: LocalDate;
  start: string; // on the provider's clock
  startsAt: number;
  minutes: number | null;
  service: string | null;
  isOver: boolean; // though it be outside of hours or over something else
};

export const meets = (one: Span, other: Span) => one.startsAt < other.endsAt && other.startsAt < one.endsAt;

const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** The hours of a date include this minute after midnight. */
function isWithinHours({ hours }: Host, date: LocalDate, at: number): boolean {
  if (!hours) return true;
  const other = hours.except.findLast((one) => date >= one.date && date <= (one.to ?? one.date));
  const ranges = other ? other.hours : hours.hours.filter(({ day }) => day === weekdayOf(date));
  return ranges.some(({ start, end }) => minuteOf(start) <= at && at < (minuteOf(end) || 24 * 60));
}

/** Where clocks change meanwhile, a time is read as it was written or as clocks show it. */
function isOutside(host: Host, { date, start, startsAt }: AnyTime, length: number, reading: Reading): boolean {
  const minutes = Array.from({ length }, (_, passed) => passed);
  const isAsWritten = minutes.every((passed) => isWithinHours(host, date, minuteOf(start) + passed));
  const isAsShown = minutes.every((passed) => {
    const at = startsAt + passed * minute;
    return isWithinHours(host, localDateOf(at, host.zone), minuteOf(localTimeOf(at, host.zone)));
  });
  return reading === 'must' ? !isAsWritten || !isAsShown : !isAsWritten && !isAsShown;
}

/** Somebody has this time of the provider's, or it is held. */
export function isTaken({ slots, bookings }: Book, host: Host, { startsAt, takenUntil }: Stretch): boolean {
  const all = { startsAt, endsAt: takenUntil };
  const isIn = slots.some((one) => one.provider === host.id && (one.state === 1 || one.taken > 0) && meets(one, all));
  return (
    isIn ||
    bookings.some((one) => one.provider === host.id && meets({ startsAt: one.startsAt, endsAt: one.takenUntil }, all))
  );
}

export type WhyNotThen = 'service' | 'class' | 'length' | 'over' | 'taken' | 'outside' | 'busy';

/** The time that is asked for. */
export function stretchOf({ services }: Host, { startsAt, minutes, service, date }: AnyTime): Stretch {
  const named = services.find(({ id }) => id === service);
  const endsAt = startsAt + (named?.minutes ?? minutes ?? 0) * minute;
  return { startsAt, endsAt, takenUntil: endsAt + (named?.gap ?? 0) * minute, date };
}

/** Why a provider may not book this time for somebody; null if they may. */
export function whyNotThen(book: Book, host: Host, wanted: AnyTime, now: number, reading: Reading): WhyNotThen | null {
  const service = host.services.find(({ id }) => id === wanted.service);
  if (wanted.service !== null) {
    if (!service) return 'service';
    if (service.seats > 1) return 'class';
    if (wanted.minutes !== null && wanted.minutes !== service.minutes) return 'length';
  }
  const stretch = stretchOf(host, wanted);
  if (stretch.endsAt <= now) return 'over';
  if (isTaken(book, host, stretch)) return 'taken';
  if (wanted.isOver) return null;
  if (isOutside(host, wanted, (stretch.endsAt - stretch.startsAt) / minute, reading)) return 'outside';
  // Another calendar is read from the moment on at which it is read.
  const events = host.events.filter(({ endsAt }) => reading === 'must' || endsAt > now);
  return isBusy({ ...host, events, partiesBlock: true }, stretch) ? 'busy' : null;
}

/**
 * The book once this time is booked. Free times that begin in it are part of it; others that it touches go. Where none begins
 * with it, one is made that stands for it only. What was withdrawn there is part of it too, or gives way to the one that is made, as
 * all of it does to an import.
 */
export function withTaken(
  book: Book,
  host: Host,
  { startsAt, endsAt, takenUntil, date }: Stretch,
  { isImport = false } = {},
) {
  const own = book.slots.filter(({ provider }) => provider === host.id);
  const touched = own.filter((slot) => meets(slot, { startsAt, endsAt: takenUntil }));
  const isPart = (slot: Slot) =>
    slot.startsAt >= startsAt &&
    ((slot.state === 0 && slot.seats === 1 && slot.service === null) ||
      (slot.state === 2 && slot.startsAt < endsAt && !isImport));
  const parts = touched.filter(isPart);
  const gone = touched.filter((slot) => !isPart(slot) && (slot.state === 0 || slot.startsAt < endsAt));
  const next = Math.min(endsAt, ...parts.map((part) => part.startsAt));
  const made: Slot | null =
    next === startsAt
      ? null
      : {
          ...{ provider: host.id, startsAt, endsAt: next, id: '', state: 0, seats: 1, taken: 0, partOf: null },
          ...{ service: null, date, isByHours: true },
        };
  const taken = [...parts, ...(made ? [made] : [])].map(
    (slot): Slot => ({ ...slot, state: 1, taken: 1, partOf: startsAt, seats: 1, service: null }),
  );
  const others = book.slots.filter((slot) => !gone.includes(slot) && !parts.includes(slot));
  return { book: { ...book, slots: [...others, ...taken] }, made, parts };
}

export type ImportedRow = {
  who: string;
  isKnown: boolean; // the provider has a card of theirs
  own: number[]; // when they have appointments already
  at: Stretch | null;
};
export type Fate = 'new' | 'merged' | 'refused';

/** A free time is there, other than one of just this length that is for anything. */
const isOverFree = ({ slots }: Book, host: Host, at: Stretch) =>
  slots.some((slot) => {
    const isIts =
      slot.startsAt === at.startsAt && slot.endsAt === at.endsAt && slot.seats === 1 && slot.service === null;
    return slot.provider === host.id && slot.state === 0 && meets(slot, at) && !isIts;
  });

/** What an import makes of each row: the first that comes has its time. */
export function plainlyImported(found: Book, host: Host, rows: ImportedRow[], now: number) {
  let book = found;
  const made: Slot[] = [];
  const booked: (ImportedRow & { at: Stretch })[] = [];
  const refused = new Set<ImportedRow>();
  const timed = rows.flatMap((row) => (row.at && row.at.startsAt > now ? [{ ...row, at: row.at, row }] : []));
  for (const { row, ...one } of timed.toSorted((one, other) => one.at.startsAt - other.at.startsAt)) {
    const isAgain = booked.some(({ who, at }) => who === one.who && at.startsAt === one.at.startsAt);
    const isFree = !isTaken(found, host, one.at) && !isOverFree(found, host, one.at);
    if ((isAgain && isFree) || one.own.includes(one.at.startsAt)) continue;
    if (!isFree || booked.some(({ at }) => meets(at, one.at))) {
      refused.add(row);
      continue;
    }
    const after = withTaken(book, host, one.at, { isImport: true });
    book = after.book;
    if (after.made) made.push(after.made);
    booked.push(one);
  }
  const known = new Set<string>();
  const fates = rows.map((row): Fate => {
    if (refused.has(row)) return 'refused';
    const isThere = row.isKnown || known.has(row.who);
    known.add(row.who);
    return isThere ? 'merged' : 'new';
  });
  return { book, made, booked, fates };
}
