import * as z from 'zod/mini';
import { DomainError, invalid } from '../errors';
import { flag } from '../input/fields';
import { fold } from '../input/fold';
import { limits } from '../input/limits';
import { type Instant, isLocalDate, type LocalDate, minute } from '../time/clock';
import { instantOf } from '../time/zones';
import { rowsOfCsv } from './csv';
import { type NewCard, newCard } from './people';

/* Reads a table of clients and their bookings from another program. */

/** The columns that we know, and the headings that name them. */
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
  ],
  email: ['email', 'e-mail', 'mail', 'email address', 'e-mail address', 'invitee email', 'client email'],
  phone: ['phone', 'phone number', 'telephone', 'tel', 'mobile', 'telefon', 'handy', 'telefone', 'cell'],
  note: ['note', 'notes', 'your note', 'comment', 'comments', 'remarks', 'notiz'],
  date: ['date', 'start date', 'appointment date', 'day', 'datum', 'data'],
  start: ['start', 'start time', 'time', 'from', 'uhrzeit', 'hora'],
  minutes: ['minutes', 'duration', 'length', 'duration (minutes)', 'length in minutes', 'dauer'],
} as const;
export type Column = keyof typeof heads;
export const columns = Object.keys(heads) as Column[];
/** The place of each column; absent if the table has none. */
export type Columns = Partial<Record<Column, number>>;

/** Guesses the columns from their headings. First and last name are two columns, and make the name together. */
export function columnsOf(head: string[]): Columns {
  const words = head.map((title) => fold(title));
  return Object.fromEntries(
    columns.flatMap((column) => {
      const place = words.findIndex((title) => (heads[column] as readonly string[]).includes(title));
      return place < 0 ? [] : [[column, place]];
    }),
  );
}

/** How to read a date such as 3/4/2027. */
export type DateOrder = 'dmy' | 'mdy';

export const importQuery = z.object({
  preview: flag,
  dates: z.optional(z.enum(['dmy', 'mdy'], 'Dates are dmy or mdy.')),
});

/** A readable row: the client, and their coming appointment. */
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

/** Rows of a table that are judged together: from the one at this place to before the other. */
export type Part = { from: number; to: number };

/** Reads a table. @throws DomainError invalid: it is cut off, too long, or without a column of names */
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

const slashed = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;

/** Finds the order of day and month; undefined if every date can be read both ways. */
function orderOf(dates: string[]): DateOrder | undefined {
  const read = dates.flatMap((text) => {
    const [, first, second] = slashed.exec(text) ?? [];
    return first && second ? [[Number(first), Number(second)] as const] : [];
  });
  if (read.some(([first]) => first > 12)) return 'dmy';
  if (read.some(([, second]) => second > 12)) return 'mdy';
  if (dates.some((text) => /^\d{1,2}\.\d{1,2}\.\d{4}$/.test(text))) return 'dmy';
  return read.every(([first, second]) => first === second) ? 'dmy' : undefined;
}

function dateOf(text: string, order: DateOrder): LocalDate | null {
  const [, first = '', second = '', year = ''] = slashed.exec(text) ?? [];
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  const date = year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text.slice(0, 10);
  return isLocalDate(date) ? date : null;
}

/** Reads 14:30, 14.30 or 2:30 pm as HH:mm; null for anything else. */
function clockOf(text: string): string | null {
  const [, hours = '', minutes = '00', half = ''] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*([ap])?\.?m?\.?$/i.exec(text) ?? [];
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return hours === '' || hour > 23 || Number(minutes) > 59 ? null : `${String(hour).padStart(2, '0')}:${minutes}`;
}

const minutesOf = (text: string): number | null => {
  const [, hours, rest] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  const count = hours ? Number(hours) * 60 + Number(rest) : Number(/^\d+/.exec(text)?.[0] ?? Number.NaN);
  return count >= limits.minutes.min && count <= limits.minutes.max ? count : null;
};

/** Drops the apostrophe that our own files put before a formula. */
const plain = (text: string) => text.replace(/^'(?=[=+\-@])/, '');

const cellOf = ({ columns }: Table, cells: string[], column: Column) => plain(cells[columns[column] ?? -1] ?? '');

/** In which order the dates of a table are; undefined where some can be two days, and nobody has said which. */
export const dateOrderOf = (table: Table): DateOrder | undefined =>
  orderOf(table.rows.filter((cells) => cellOf(table, cells, 'start')).map((cells) => cellOf(table, cells, 'date')));

type Judged = { taken: ImportRow[]; refused: RefusedRow[] };

/** Judges each row of a part of a table. @param zone of the provider, by whose clock its times are */
export function judgeRows(
  table: Table,
  { zone, order, now, part }: { zone: string; order: DateOrder | undefined; now: Instant; part: Part },
): Judged {
  const { rows, columns, head } = table;
  if (columns.name === undefined) throw invalid('columns', 'Say which column has the names.');
  const judged: Judged = { taken: [], refused: [] };
  for (const [at, cells] of rows.slice(part.from, part.to).entries()) {
    const place = part.from + at;
    const row = place + 2;
    const name = cellOf(table, cells, 'name');
    const refuse = (why: string) => judged.refused.push({ row, name, why });
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
    const [date, start, length] = [
      cellOf(table, cells, 'date'),
      cellOf(table, cells, 'start'),
      cellOf(table, cells, 'minutes'),
    ];
    if (date === '' || start === '') {
      judged.taken.push({ ...card.data, row, startsAt: null, minutes: null, date: null });
      continue;
    }
    if (order === undefined && slashed.test(date)) {
      refuse(`${date} can be two days. Say which comes first, day or month.`);
      continue;
    }
    const [day, clock, minutes] = [dateOf(date, order ?? 'dmy'), clockOf(start), minutesOf(length)];
    if (!day || !clock || minutes === null) {
      refuse(!day ? `${date} is no date.` : !clock ? `${start} is no time.` : 'The length must be 5 to 1,440 minutes.');
      continue;
    }
    const startsAt = instantOf(day, clock, zone);
    if (startsAt <= now) {
      judged.taken.push({ ...card.data, row, startsAt: null, minutes: null, date: null });
      continue;
    }
    judged.taken.push({ ...card.data, row, startsAt, minutes, date: day });
  }
  return judged;
}

export const endOf = ({ startsAt, minutes }: { startsAt: Instant; minutes: number }): Instant =>
  startsAt + minutes * minute;

export const ambiguous = () =>
  new DomainError('invalid', [
    { field: 'dates', message: 'Some dates can be two days. Say which comes first: dates=dmy or dates=mdy.' },
  ]);
