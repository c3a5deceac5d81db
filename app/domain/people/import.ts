import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { DomainError, invalid } from '../errors';
import { fault, flag, tidyLines, wholeNumber } from '../input/fields';
import { limits } from '../input/limits';
import { addDays, type Instant, type LocalDate, localDateOf, minute } from '../time/clock';
import { instantOf } from '../time/zones';
import { inARow } from '../words/joined';
import type { Words } from '../words/words';
import { canceledWords, isCanceledRow, type StateChoices } from './canceled';
import {
  beginningOf,
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
} from './cells';
import { emailIn, nameIn, noteIn, phoneIn, type ReadCell } from './contact-cells';
import { rowsOfCsv } from './csv';
import { type Column, type Columns, columnsOf, headPlaceOf, isInHours, joinedName, mostTitles } from './heads';
import type { NewCard } from './people';

// Reads a table of clients and their bookings from another program.

const headRow = wholeNumber(msg`The row with the heads must be 1 to ${mostTitles}.`, 1, mostTitles).register(
  z.globalRegistry,
  { type: 'integer', minimum: 1, maximum: mostTitles, description: 'Which row has the heads, blank ones not counted.' },
);

export const importQuery = z.object({
  preview: flag(msg`Preview`),
  dates: z.optional(z.enum(['dmy', 'mdy'], fault(msg`Dates are dmy or mdy.`))),
  head: headRow,
});

export type ImportRow = NewCard & {
  row: number;
  startsAt: Instant | null;
  minutes: number | null;
  date: LocalDate | null;
  /** Where the appointment takes place, a link for a video call; null at the provider's. */
  place: string | null;
  /** Words on what was left out of the row, or went to the note. */
  why: Words | null;
};
export type RefusedRow = { row: number; name: string; why: Words };

export type Table = {
  head: string[];
  /** Which row has the heads, counted from 1. */
  headRow: number;
  /** The first rows of the file, among which the heads are. */
  firstRows: string[][];
  rows: string[][];
  columns: Columns;
  /** What the reader says of the words of its states. */
  states?: StateChoices;
};

const most = 2000;

/** A part of the table: `from` is included, `to` is not. */
export type Part = { from: number; to: number };

/**
 * Reads a table.
 * @param headRow which row has the heads, counted from 1; found by its words if it is left out
 * @throws DomainError invalid: it is cut off, too long, or has no such row
 */
export function readTable(file: string, headRow?: number | null): Table {
  const all = rowsOfCsv(file);
  const place = headRow ? headRow - 1 : headPlaceOf(all);
  const [head, ...rows] = all.slice(place);
  if (all.length === 0) throw invalid('file', msg`The file is empty.`);
  if (!head) throw invalid('head', msg`The file has no row ${{ number: place + 1 }}.`);
  if (rows.length > most) {
    const { length: count } = rows;
    throw invalid(
      'file',
      msg`The file has ${plural({ count }, { one: '# row', other: '# rows' })}. 2,000 fit at once: please split it.`,
    );
  }
  return { head, headRow: place + 1, firstRows: all.slice(0, mostTitles), rows, columns: columnsOf(head, rows) };
}

// Our own files write an apostrophe before a formula. Other programs write ="0151" for a text of digits.
const plain = (text: string) =>
  /^'[=+\-@]/.test(text) ? text.slice(1) : (/^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text);

// Of several columns the first that is filled counts.
const cellOf = ({ columns }: Table, cells: string[], column: Column) =>
  plain(columns[column]?.map((place) => cells[place]).find(Boolean) ?? '');

const nameParts = ['name', 'lastFirst', 'firstName', 'middleName', 'lastName'] as const;
const writtenName = (table: Table, cells: string[]) =>
  joinedName(Object.fromEntries(nameParts.map((part) => [part, cellOf(table, cells, part)])));

/** Reads the first address or number of a row that can be read. Those of other columns go to the note. */
function reachIn(table: Table, cells: string[], column: 'email' | 'phone', read: (cell: string) => ReadCell): ReadCell {
  const filled = new Set(table.columns[column]?.map((place) => plain(cells[place] ?? '')).filter(Boolean));
  if (filled.size < 2) return read([...filled].join(''));
  const [readable, others] = [
    [...filled].filter((cell) => read(cell).value),
    [...filled].filter((cell) => !read(cell).value),
  ];
  return read([...readable, ...others].join(' ::: '));
}

export const hasNames = (columns: Columns): boolean => nameParts.some((part) => columns[part] !== undefined);

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

type Clock = { zone: string; order: DateOrder | undefined; now: Instant };
type Unreadable = { why: Words };
const isUnreadable = <Read extends object>(read: Read | Unreadable): read is Unreadable => 'why' in read;

function dayIn(date: string, order: DateOrder | undefined): { day: LocalDate } | Unreadable {
  if (order === undefined && isSlashed(date)) {
    return { why: msg`${date} can be two days. Say which comes first, day or month.` };
  }
  const day = dateOf(date, order ?? 'dmy');
  if (day) return { day };
  const text = beginningOf(date);
  return { why: hasShortYear(date) ? msg`“${text}” needs a year of four digits.` : msg`“${text}” is no date.` };
}

function noTime(clock: string): Unreadable {
  const text = beginningOf(clock);
  return { why: isEndOfDay(clock) ? msg`24:00 can only be an end.` : msg`“${text}” is no time in whole minutes.` };
}

type Start = { startsAt: Instant; day: LocalDate; zone: string };

/** The end of an appointment. Without a date it is the first such time after the start. */
function endIn(cell: string, { startsAt, day, zone }: Start, order: DateOrder | undefined) {
  const end = momentOf(cell);
  const written = end.date === '' || isNoDate(end.date) ? undefined : dayIn(end.date, order);
  if (written && isUnreadable(written)) return written;
  const isMidnight = isEndOfDay(end.clock);
  const clock = isMidnight ? '00:00' : clockOf(end.clock);
  const text = beginningOf(cell);
  if (!clock) return { why: msg`“${text}” is no end.` };
  const endOn = (date: LocalDate) => instantOf(isMidnight ? addDays(date, 1) : date, clock, end.zone || zone);
  if (written) return { endsAt: endOn(written.day) };
  const endsAt = endOn(day);
  return { endsAt: endsAt < startsAt ? endOn(addDays(day, 1)) : endsAt };
}

function minutesIn(table: Table, cells: string[], start: Start, order: DateOrder | undefined) {
  const [length, end] = [cellOf(table, cells, 'minutes'), cellOf(table, cells, 'end')];
  if (!length && !end) return { why: msg`The appointment has no length and no end.` };
  const minutes = length ? minutesOf(length, isInHours(table.head[table.columns.minutes?.[0] ?? -1] ?? '')) : undefined;
  const [lengthText, endText] = [beginningOf(length), beginningOf(end)];
  if (minutes === null) return { why: msg`“${lengthText}” is no length.` };
  const read = end ? endIn(end, start, order) : undefined;
  if (read && isUnreadable(read)) return read;
  const untilEnd = read && (read.endsAt - start.startsAt) / minute;
  if (minutes !== undefined && untilEnd !== undefined && minutes !== untilEnd && minutesOf(length, true) !== untilEnd) {
    return { why: msg`“${lengthText}” and the end, “${endText}”, are two lengths.` };
  }
  const count = untilEnd ?? minutes ?? 0;
  return count >= limits.minutes.min && count <= limits.minutes.max
    ? { minutes: count }
    : { why: msg`The length must be 5 to 1,440 minutes.` };
}

type Appointment = Pick<ImportRow, 'startsAt' | 'minutes' | 'date'>;
const noAppointment: Appointment = { startsAt: null, minutes: null, date: null };

/** Reads the coming appointment of a row, if it has one. */
function appointmentIn(table: Table, cells: string[], { zone, order, now }: Clock): Appointment | Unreadable {
  const [dateCell, startCell] = [cellOf(table, cells, 'date'), cellOf(table, cells, 'start')];
  if (!dateCell && !startCell) return noAppointment;
  const { dates, clocks, zone: writtenZone } = startIn(table, cells);
  const [dateText, startText] = [beginningOf(dateCell), beginningOf(startCell)];
  if (dateCell && !momentOf(dateCell).date) return { why: msg`“${dateText}” is no date.` };
  const [date, otherDate = date] = dates;
  if (!date || !otherDate) return { why: msg`“${startText}” has no date.` };
  if (clocks.length === 0 && startCell) return { why: msg`“${startText}” has no time.` };
  // A day alone is no appointment, but one that can't be read may have had a time.
  if (clocks.length === 0 && (dateOf(date, 'dmy') || dateOf(date, 'mdy'))) return noAppointment;
  const [read, other] = [dayIn(date, order), dayIn(otherDate, order)];
  if (isUnreadable(read)) return read;
  if (isUnreadable(other)) return other;
  if (other.day !== read.day) return { why: msg`The date and the start name two days.` };
  const [clock = '', otherClock = clock] = clocks;
  const [time, otherTime] = [clockOf(clock), clockOf(otherClock)];
  if (!time || !otherTime) return noTime(time ? otherClock : clock);
  if (time !== otherTime) return { why: msg`The date and the start name two times.` };
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
export function readRows(table: Table, { part, ...reading }: Clock & { part: Part }): SortedRows {
  const { rows, columns, head, headRow } = table;
  if (!hasNames(columns)) throw invalid('columns', msg`Say which column has the names.`);
  const result: SortedRows = { readable: [], refused: [] };
  for (const [at, cells] of rows.slice(part.from, part.to).entries()) {
    const place = part.from + at;
    const row = headRow + place + 1;
    const name = writtenName(table, cells);
    const refuse = (...why: Words[]) => result.refused.push({ row, name, why: inARow(why) });
    const isLast = place === rows.length - 1;
    if (isLast && cells.length < head.length) {
      refuse(msg`The row is cut off: it has fewer cells than the head.`);
      continue;
    }
    if (cells.slice(head.length).some(Boolean)) {
      refuse(msg`The row has more cells than the head. A cell with a separator inside needs quotes.`);
      continue;
    }
    const person = nameIn(name);
    const isCanceled = isCanceledRow(table, cells);
    const appointment = isCanceled ? noAppointment : appointmentIn(table, cells, reading);
    if (isUnreadable(person) || isUnreadable(appointment)) {
      refuse(...[person, appointment].flatMap((read) => (isUnreadable(read) ? [read.why] : [])));
      continue;
    }
    const [email, phone] = [reachIn(table, cells, 'email', emailIn), reachIn(table, cells, 'phone', phoneIn)];
    const note = noteIn(cellOf(table, cells, 'note'), [...email.noted, ...phone.noted]);
    const said = [...(isCanceled ? [canceledWords] : []), ...email.said, ...phone.said, ...note.said];
    const card = { ...person, email: email.value, phone: phone.value, note: note.value };
    const venue =
      tidyLines(cellOf(table, cells, 'place'))
        .replaceAll(/\s+/g, ' ')
        .slice(0, limits.address) || null;
    result.readable.push({ ...card, ...appointment, place: venue, row, why: said.length > 0 ? inARow(said) : null });
  }
  return result;
}

export const endOf = ({ startsAt, minutes }: { startsAt: Instant; minutes: number }): Instant =>
  startsAt + minutes * minute;

export const ambiguous = () =>
  new DomainError('invalid', [
    { field: 'dates', message: msg`Some dates can be two days. Say which comes first: dates=dmy or dates=mdy.` },
  ]);
