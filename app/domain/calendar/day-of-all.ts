import { isClosedOn, type Plan } from '../hours/planned-slots';
import type { Instant } from '../time/clock';
import { bookedLines } from './today';

type Span = { startsAt: Instant; endsAt: Instant };

export type BookingOfDay = Span & {
  id: string;
  /** Null in a class, and where it is held. */
  name: string | null;
  service: string | null;
  people: number;
  classId: string | null;
  /** The seats of the class; null for a single appointment. */
  seats: number | null;
  /** It is held for somebody who waits. */
  isHeld: boolean;
};
export type OpenTime = Span & {
  id: string;
  seats: number;
  service: string | null;
  /** Its provider has something else then. */
  isBusy: boolean;
};

export type DayLine = Span & { isPast: boolean } & (
    | { kind: 'booked'; id: string; name: string | null; service: string | null; people: number }
    | { kind: 'class'; id: string; service: string | null; people: number; seats: number }
    | { kind: 'free'; id: string }
    | { kind: 'held' | 'busy' }
  );

/** A day in the book of a colleague. */
export type BookOfDay = {
  username: string;
  displayName: string;
  isOwn: boolean;
  /** By start. */
  lines: DayLine[];
  /** Why there are none. */
  empty: 'closed' | 'unpublished' | null;
  isCut: boolean;
};

type Read = { booked: BookingOfDay[]; open: OpenTime[] };

/** The lines of a day by start. Free time is left out once it has begun. */
export function linesOfDay({ booked, open }: Read, now: Instant): DayLine[] {
  const seats = new Map(booked.map(({ classId, seats }) => [classId, seats ?? 1]));
  const isPast = ({ endsAt }: Span) => endsAt <= now;
  const appointments = bookedLines(booked.filter(({ isHeld }) => !isHeld)).map((entry): DayLine => {
    const { startsAt, endsAt } = entry;
    const span = { startsAt, endsAt, isPast: isPast(entry) };
    if (entry.kind === 'class')
      return {
        ...span,
        kind: 'class',
        id: entry.id,
        service: entry.name,
        people: entry.people,
        seats: seats.get(entry.id) ?? 1,
      };
    const { id, name, service, people } = entry.line;
    return { ...span, kind: 'booked', id, name, service, people };
  });
  const shown = new Set(booked.map(({ classId }) => classId));
  const held = booked.filter(({ isHeld, classId }) => isHeld && classId === null);
  const free = open
    .filter(({ id, startsAt }) => startsAt > now && !shown.has(id))
    .map(({ id, startsAt, endsAt, seats, service, isBusy }): DayLine => {
      const span = { startsAt, endsAt, isPast: false };
      if (isBusy) return { ...span, kind: 'busy' };
      return seats > 1 ? { ...span, kind: 'class', id, service, people: 0, seats } : { ...span, kind: 'free', id };
    });
  return [
    ...appointments,
    ...held.map(
      (hold): DayLine => ({
        startsAt: hold.startsAt,
        endsAt: hold.endsAt,
        isPast: isPast(hold),
        kind: 'held',
      }),
    ),
    ...free,
  ].sort((one, other) => one.startsAt - other.startsAt || one.endsAt - other.endsAt);
}

/** Why a day has no lines; null if something was published or booked on it. */
export function emptyBecause({ booked, open, plan }: Read & { plan: Plan | null }, date: string): BookOfDay['empty'] {
  if (booked.length > 0 || open.length > 0) return null;
  return plan && isClosedOn(plan, date) ? 'closed' : 'unpublished';
}

/** `rows`: over how many rows of the table it reaches. */
type Cell = { lines: DayLine[]; rows: number };
/** A start of something, and what each book has then; null where something that began before goes on. */
type RowOfDay = { startsAt: Instant; isPast: boolean; cells: (Cell | null)[] };

/** The day as a table: a row for each start in any of the books, a column for each book. */
export function tableOf(books: Pick<BookOfDay, 'lines'>[], now: Instant): RowOfDay[] {
  const starts = [...new Set(books.flatMap(({ lines }) => lines.map(({ startsAt }) => startsAt)))].sort(
    (a, b) => a - b,
  );
  const columns = books.map(({ lines }) => columnOf(lines, starts));
  return starts.map((startsAt, row) => {
    const cells = columns.map((column) => column[row] ?? null);
    const isPast = cells.every((cell) => !cell || cell.lines.every((line) => line.isPast)) && startsAt < now;
    return { startsAt, isPast, cells };
  });
}

function columnOf(lines: DayLine[], starts: Instant[]): (Cell | null)[] {
  const column: (Cell | null)[] = [];
  let going: { cell: Cell; endsAt: Instant } | undefined;
  for (const startsAt of starts) {
    const begun = lines.filter((line) => line.startsAt === startsAt);
    if (begun.length === 0 && going && going.endsAt > startsAt) {
      going.cell.rows += 1;
      column.push(null);
      continue;
    }
    const cell = { lines: begun, rows: 1 };
    going = begun.length > 0 ? { cell, endsAt: Math.max(...begun.map(({ endsAt }) => endsAt)) } : undefined;
    column.push(cell);
  }
  return column;
}

/** Something that changed in a book of the shop. */
export type Change = {
  kind: 'booked' | 'moved' | 'canceled';
  id: string;
  /** When it changed. */
  at: Instant;
  startsAt: Instant;
  /** When it was before; null unless it was moved. */
  before: Instant | null;
  /** The colleague whose it was before, by name; null for the same one, or one who has left. */
  from: string | null;
  client: string;
  service: string | null;
  /** Who of the shop did it; null for its client. */
  by: string | null;
  /** The colleague in whose book it is. */
  username: string;
  displayName: string;
  isOwn: boolean;
};

/** How many changes are listed, unless all are asked for. */
export const mostChanges = 6;
