import * as z from 'zod/mini';
import { DomainError, invalid } from '../errors';
import { flag } from '../input/fields';
import { fold } from '../input/fold';
import { type Instant, type LocalDate, minute } from '../time/clock';
import { instantOf } from '../time/zones';
import { clockOf, type DateOrder, dateOf, isSlashed, minutesBetween, minutesOf, momentOf, orderOf } from './cells';
import { rowsOfCsv } from './csv';
import { type NewCard, newCard } from './people';

// Reads a table of clients and their bookings from another program.

const firstNames = ['first name', 'firstname', 'given name', 'invitee first name', 'vorname'];

// The headings by which we recognize each column, the likeliest first.
const heads = {
  name: [
    'name',
    'full name',
    'display name',
    'client',
    'client name',
    'customer',
    'customer name',
    'invitee name',
    'nome',
    'nom',
    ...firstNames,
  ],
  lastName: [
    'last name',
    'lastname',
    'surname',
    'family name',
    'invitee last name',
    'nachname',
    'sobrenome',
    'apelido',
  ],
  email: ['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'invitee email', 'client email'],
  phone: [
    'phone',
    'phone number',
    'telephone',
    'tel',
    'mobile',
    'telefon',
    'handy',
    'telefone',
    'cell',
    'mobile phone',
    'text reminder number',
  ],
  note: ['note', 'notes', 'your note', 'comment', 'comments', 'remarks', 'notiz'],
  date: [
    'date',
    'start date',
    'appointment date',
    'day',
    'datum',
    'data',
    'start date & time',
    'date & time',
    'date and time',
  ],
  start: ['start', 'start time', 'time', 'from', 'uhrzeit', 'hora'],
  end: ['end', 'end time', 'to', 'until', 'end date & time', 'ende', 'fim'],
  minutes: ['minutes', 'duration', 'length', 'duration (minutes)', 'length in minutes', 'dauer'],
} satisfies Record<string, string[]>;
export type Column = keyof typeof heads;
export const columns = Object.keys(heads) as Column[];
/** The number of each column; one that the table lacks is left out. */
export type Columns = Partial<Record<Column, number>>;

// A column of last names counts only if the column of names has first names.
export function columnsOf(head: string[]): Columns {
  const words = head.map((title) => fold(title.trim()));
  const places: Columns = {};
  for (const column of columns) {
    const title = heads[column].find((head) => words.includes(head));
    if (title !== undefined) places[column] = words.indexOf(title);
  }
  if (!firstNames.includes(words[places.name ?? -1] ?? '')) delete places.lastName;
  return places;
}

export const importQuery = z.object({
  preview: flag('Preview'),
  dates: z.optional(z.enum(['dmy', 'mdy'], 'Dates are dmy or mdy.')),
});

export type ImportRow = NewCard & {
  row: number;
  startsAt: Instant | null;
  minutes: number | null;
  date: LocalDate | null;
};
export type RefusedRow = { row: number; name: string; why: string };

export type Table = {
  head: string[];
  rows: string[][];
  columns: Columns;
};

const most = 2000;

/** A part of the table: `from` is included, `to` is not. */
export type Part = { from: number; to: number };

/** Reads a table. @throws DomainError invalid: it is cut off, too long, or has no column of names */
export function readTable(file: string, chosen?: Columns): Table {
  const [head, ...rows] = rowsOfCsv(file);
  if (!head) throw invalid('file', 'The file is empty.');
  if (rows.length > most) {
    const count = rows.length.toLocaleString('en');
    throw invalid('file', `The file has ${count} rows. 2,000 fit at once: please split it.`);
  }
  const columns = chosen ?? columnsOf(head);
  return { head, rows, columns };
}

// Our own files write an apostrophe before a formula.
const plain = (text: string) => text.replace(/^'(?=[=+\-@])/, '');

const cellOf = ({ columns }: Table, cells: string[], column: Column) => plain(cells[columns[column] ?? -1] ?? '');

const momentIn = (table: Table, cells: string[]) =>
  momentOf(cellOf(table, cells, 'date'), cellOf(table, cells, 'start'));

/** The order of day and month; undefined if some dates can be two days and the reader has not chosen. */
export const dateOrderOf = (table: Table): DateOrder | undefined =>
  orderOf(
    table.rows.flatMap((cells) => {
      const { date, clock } = momentIn(table, cells);
      return clock ? [date] : [];
    }),
  );

type SortedRows = { readable: ImportRow[]; refused: RefusedRow[] };

/** Reads the rows of a part. @param zone the provider's zone, in which the times are */
export function readRows(
  table: Table,
  { zone, order, now, part }: { zone: string; order: DateOrder | undefined; now: Instant; part: Part },
): SortedRows {
  const { rows, columns, head } = table;
  if (columns.name === undefined) throw invalid('columns', 'Say which column has the names.');
  const result: SortedRows = { readable: [], refused: [] };
  for (const [at, cells] of rows.slice(part.from, part.to).entries()) {
    const place = part.from + at;
    const row = place + 2;
    const name = [cellOf(table, cells, 'name'), cellOf(table, cells, 'lastName')].filter(Boolean).join(' ');
    const refuse = (reason: string) => result.refused.push({ row, name, why: reason });
    const isLast = place === rows.length - 1;
    if (isLast && cells.length < head.length) {
      refuse('The row is cut off: it has fewer cells than the head.');
      continue;
    }
    const card = z.safeParse(newCard, {
      name,
      email: cellOf(table, cells, 'email') || null,
      phone: cellOf(table, cells, 'phone') || null,
      note: cellOf(table, cells, 'note') || null,
    });
    if (!card.success) {
      refuse(card.error.issues.map(({ message }) => message).join(' '));
      continue;
    }
    const { date, clock: start } = momentIn(table, cells);
    if (date === '' || start === '') {
      result.readable.push({ ...card.data, row, startsAt: null, minutes: null, date: null });
      continue;
    }
    if (order === undefined && isSlashed(date)) {
      refuse(`${date} can be two days. Say which comes first, day or month.`);
      continue;
    }
    const [day, clock] = [dateOf(date, order ?? 'dmy'), clockOf(start)];
    if (!day || !clock) {
      refuse(!day ? `${date} is no date.` : `${start} is no time.`);
      continue;
    }
    const length = cellOf(table, cells, 'minutes');
    const end = momentOf('', cellOf(table, cells, 'end'));
    const endDay = end.date ? dateOf(end.date, order ?? 'dmy') : undefined;
    const minutes = length ? minutesOf(length) : minutesBetween([day, clock], [endDay, end.clock]);
    if (minutes === null) {
      refuse('The length must be 5 to 1,440 minutes.');
      continue;
    }
    const startsAt = instantOf(day, clock, zone);
    if (startsAt <= now) {
      result.readable.push({ ...card.data, row, startsAt: null, minutes: null, date: null });
      continue;
    }
    result.readable.push({ ...card.data, row, startsAt, minutes, date: day });
  }
  return result;
}

export const endOf = ({ startsAt, minutes }: { startsAt: Instant; minutes: number }): Instant =>
  startsAt + minutes * minute;

export const ambiguous = () =>
  new DomainError('invalid', [
    { field: 'dates', message: 'Some dates can be two days. Say which comes first: dates=dmy or dates=mdy.' },
  ]);
