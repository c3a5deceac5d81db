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
  /** True if some date can be read both ways, and nobody has said which. */
  isAmbiguous: boolean;
};

const most = 2000;

/** Reads a table. @throws DomainError invalid: it is cut off, too long, or without a column of names */
export function readTable(file: string, chosen?: Columns): Table {
  const [head, ...rows] = rowsOfCsv(file);
  if (!head) throw invalid('file', 'The file is empty.');
  if (rows.length > most) {
    const count = rows.length.toLocaleString('en');
    throw invalid('file', `The file has ${count} rows. 2,000 fit at once: please split it.`);
  }
  const columns = chosen ?? columnsOf(head);
  return { head, rows, columns, isAmbiguous: false };
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

type Judged = { taken: ImportRow[]; refused: RefusedRow[]; isAmbiguous: boolean };

/** Checks each row. @param zone the provider's, whose clock the times follow */
export function judgeRows(
  { rows, columns, head }: Table,
  zone: string,
  wanted: DateOrder | undefined,
  now: Instant,
): Judged {
  if (columns.name === undefined) throw invalid('columns', 'Say which column has the names.');
  const cellOf = (cells: string[], column: Column) => plain(cells[columns[column] ?? -1] ?? '');
  const order = wanted ?? orderOf(rows.map((cells) => cellOf(cells, 'date')).filter(Boolean));
  const judged: Judged = { taken: [], refused: [], isAmbiguous: false };
  for (const [place, cells] of rows.entries()) {
    const row = place + 2;
    const name = cellOf(cells, 'name');
    const refuse = (why: string) => judged.refused.push({ row, name, why });
    const isLast = place === rows.length - 1;
    if (isLast && cells.length < head.length) {
      refuse('The row is cut off: it has fewer cells than the head.');
      continue;
    }
    const card = z.safeParse(newCard, {
      name,
      email: cellOf(cells, 'email') || null,
      phone: cellOf(cells, 'phone') || null,
      note: cellOf(cells, 'note') || null,
    });
    if (!card.success) {
      refuse(card.error.issues.map(({ message }) => message).join(' '));
      continue;
    }
    const [date, start, length] = [cellOf(cells, 'date'), cellOf(cells, 'start'), cellOf(cells, 'minutes')];
    if (date === '' || start === '') {
      judged.taken.push({ ...card.data, row, startsAt: null, minutes: null, date: null });
      continue;
    }
    if (order === undefined && slashed.test(date)) {
      judged.isAmbiguous = true;
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
