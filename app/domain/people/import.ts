import * as z from 'zod/mini';
import { DomainError, invalid } from '../errors';
import { flag } from '../input/fields';
import { fold } from '../input/fold';
import { limits } from '../input/limits';
import { addDays, type Instant, type LocalDate, localDateOf, minute } from '../time/clock';
import { instantOf } from '../time/zones';
import {
  clockOf,
  type DateOrder,
  dateOf,
  hasShortYear,
  isEndOfDay,
  isNoDate,
  isSlashed,
  minutesOf,
  momentOf,
  orderOf,
  quoted,
} from './cells';
import { emailIn, nameIn, noteIn, phoneIn } from './contact-cells';
import { rowsOfCsv } from './csv';
import type { NewCard } from './people';

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
  /** Words on what was left out of the person, or went to the note. */
  why: string | null;
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

// Our own files write an apostrophe before a formula. Other programs write ="0151" for a text of digits.
const plain = (text: string) =>
  /^'[=+\-@]/.test(text) ? text.slice(1) : (/^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text);

const cellOf = ({ columns }: Table, cells: string[], column: Column) => plain(cells[columns[column] ?? -1] ?? '');

/** The dates and times of a start. Spreadsheets write midnight after a date that has no time, and 1899 before a time. */
function startIn(table: Table, cells: string[]) {
  const [day, start] = [momentOf(cellOf(table, cells, 'date')), momentOf(cellOf(table, cells, 'start'))];
  const hasTime = day.clock !== '' && clockOf(day.clock) !== '00:00';
  return {
    dates: [day.date, isNoDate(start.date) ? '' : start.date].filter(Boolean),
    clocks: [start.clock, hasTime ? day.clock : ''].filter(Boolean),
    zone: start.clock ? start.zone : day.zone,
  };
}

/** The order of day and month; undefined if some dates can be two days and the reader has not chosen. */
export const dateOrderOf = (table: Table): DateOrder | undefined =>
  orderOf(
    table.rows.flatMap((cells) => {
      const { dates, clocks } = startIn(table, cells);
      return clocks.length > 0 ? dates : [];
    }),
  );

type Reading = { zone: string; order: DateOrder | undefined; now: Instant };
type Unreadable = { why: string };
const isUnreadable = <Read extends object>(read: Read | Unreadable): read is Unreadable => 'why' in read;

function dayIn(date: string, order: DateOrder | undefined): { day: LocalDate } | Unreadable {
  if (order === undefined && isSlashed(date)) {
    return { why: `${date} can be two days. Say which comes first, day or month.` };
  }
  const day = dateOf(date, order ?? 'dmy');
  if (day) return { day };
  return {
    why: hasShortYear(date) ? `${quoted(date)} needs a year of four digits.` : `${quoted(date)} is no date.`,
  };
}

const noTime = (clock: string): Unreadable => ({
  why: isEndOfDay(clock) ? '24:00 can only be an end.' : `${quoted(clock)} is no time in whole minutes.`,
});

type Start = { startsAt: Instant; day: LocalDate; zone: string };

/** The end of an appointment. Without a date it is the first such time after the start. */
function endIn(cell: string, { startsAt, day, zone }: Start, order: DateOrder | undefined) {
  const end = momentOf(cell);
  const written = end.date === '' || isNoDate(end.date) ? undefined : dayIn(end.date, order);
  if (written && isUnreadable(written)) return written;
  const isMidnight = isEndOfDay(end.clock);
  const clock = isMidnight ? '00:00' : clockOf(end.clock);
  if (!clock) return { why: `${quoted(cell)} is no end.` };
  const endOn = (date: LocalDate) => instantOf(isMidnight ? addDays(date, 1) : date, clock, end.zone || zone);
  if (written) return { endsAt: endOn(written.day) };
  const endsAt = endOn(day);
  return { endsAt: endsAt < startsAt ? endOn(addDays(day, 1)) : endsAt };
}

const areHours = (title = '') => /\b(hours?|hrs?|stunden|std|heures|horas)\b/i.test(title);

function minutesIn(table: Table, cells: string[], start: Start, order: DateOrder | undefined) {
  const [length, end] = [cellOf(table, cells, 'minutes'), cellOf(table, cells, 'end')];
  if (!length && !end) return { why: 'The appointment has no length and no end.' };
  const minutes = length ? minutesOf(length, areHours(table.head[table.columns.minutes ?? -1])) : undefined;
  if (minutes === null) return { why: `${quoted(length)} is no length.` };
  const read = end ? endIn(end, start, order) : undefined;
  if (read && isUnreadable(read)) return read;
  const untilEnd = read && (read.endsAt - start.startsAt) / minute;
  if (minutes !== undefined && untilEnd !== undefined && minutes !== untilEnd && minutesOf(length, true) !== untilEnd) {
    return { why: `${quoted(length)} and the end, ${quoted(end)}, are two lengths.` };
  }
  const count = untilEnd ?? minutes ?? 0;
  return count >= limits.minutes.min && count <= limits.minutes.max
    ? { minutes: count }
    : { why: 'The length must be 5 to 1,440 minutes.' };
}

type Appointment = Pick<ImportRow, 'startsAt' | 'minutes' | 'date'>;
const noAppointment: Appointment = { startsAt: null, minutes: null, date: null };

/** Reads the coming appointment of a row, if it has one. */
function appointmentIn(table: Table, cells: string[], { zone, order, now }: Reading): Appointment | Unreadable {
  const [dateCell, startCell] = [cellOf(table, cells, 'date'), cellOf(table, cells, 'start')];
  if (!dateCell && !startCell) return noAppointment;
  const { dates, clocks, zone: writtenZone } = startIn(table, cells);
  if (dateCell && !momentOf(dateCell).date) return { why: `${quoted(dateCell)} is no date.` };
  const [date, otherDate = date] = dates;
  if (!date || !otherDate) return { why: `${quoted(startCell)} has no date.` };
  if (clocks.length === 0 && startCell) return { why: `${quoted(startCell)} has no time.` };
  // A day alone is no appointment, but one that can't be read may have had a time.
  if (clocks.length === 0 && (dateOf(date, 'dmy') || dateOf(date, 'mdy'))) return noAppointment;
  const [read, other] = [dayIn(date, order), dayIn(otherDate, order)];
  if (isUnreadable(read)) return read;
  if (isUnreadable(other)) return other;
  if (other.day !== read.day) return { why: 'The date and the start name two days.' };
  const [clock = '', otherClock = clock] = clocks;
  const [time, otherTime] = [clockOf(clock), clockOf(otherClock)];
  if (!time || !otherTime) return noTime(time ? otherClock : clock);
  if (time !== otherTime) return { why: 'The date and the start name two times.' };
  const start = { startsAt: instantOf(read.day, time, writtenZone || zone), day: read.day, zone: writtenZone || zone };
  if (start.startsAt <= now) return noAppointment;
  const length = minutesIn(table, cells, start, order);
  if (isUnreadable(length)) return length;
  return { startsAt: start.startsAt, ...length, date: localDateOf(start.startsAt, zone) };
}

type SortedRows = { readable: ImportRow[]; refused: RefusedRow[] };

/**
 * Reads the rows of a part. A person's cell that can't be read is left out, and `why` says so; a row whose
 * appointment can't be read is refused.
 * @param zone the provider's zone, in which times without one are
 */
export function readRows(table: Table, { part, ...reading }: Reading & { part: Part }): SortedRows {
  const { rows, columns, head } = table;
  if (columns.name === undefined) throw invalid('columns', 'Say which column has the names.');
  const result: SortedRows = { readable: [], refused: [] };
  for (const [at, cells] of rows.slice(part.from, part.to).entries()) {
    const place = part.from + at;
    const row = place + 2;
    const name = [cellOf(table, cells, 'name'), cellOf(table, cells, 'lastName')].filter(Boolean).join(' ');
    const refuse = (why: string) => result.refused.push({ row, name, why });
    const isLast = place === rows.length - 1;
    if (isLast && cells.length < head.length) {
      refuse('The row is cut off: it has fewer cells than the head.');
      continue;
    }
    if (cells.slice(head.length).some(Boolean)) {
      refuse('The row has more cells than the head. A cell with a separator inside needs quotes.');
      continue;
    }
    const person = nameIn(name);
    const appointment = appointmentIn(table, cells, reading);
    if (isUnreadable(person) || isUnreadable(appointment)) {
      refuse([person, appointment].flatMap((read) => (isUnreadable(read) ? [read.why] : [])).join(' '));
      continue;
    }
    const [email, phone] = [emailIn(cellOf(table, cells, 'email')), phoneIn(cellOf(table, cells, 'phone'))];
    const note = noteIn(cellOf(table, cells, 'note'), [...email.noted, ...phone.noted]);
    const said = [...email.said, ...phone.said, ...note.said].join(' ');
    const card = { ...person, email: email.value, phone: phone.value, note: note.value };
    result.readable.push({ ...card, ...appointment, row, why: said || null });
  }
  return result;
}

export const endOf = ({ startsAt, minutes }: { startsAt: Instant; minutes: number }): Instant =>
  startsAt + minutes * minute;

export const ambiguous = () =>
  new DomainError('invalid', [
    { field: 'dates', message: 'Some dates can be two days. Say which comes first: dates=dmy or dates=mdy.' },
  ]);
