import { limits } from '../input/limits';
import { isLocalDate, type LocalDate, minute } from '../time/clock';

/** How to read a date such as 3/4/2027. */
export type DateOrder = 'dmy' | 'mdy';

const slashed = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;
export const isSlashed = (date: string): boolean => slashed.test(date);

// 4 March 2027, or March 4, 2027
const worded = /^(?:(\d{1,2})\.? ([a-z]{3,9})\.?,?|([a-z]{3,9})\.? (\d{1,2}),?) (\d{4})$/i;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const dateFirst =
  /^(\d{4}-\d{2}-\d{2}|\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{1,2}\.? [a-z]{3,9}\.?,? \d{4}|[a-z]{3,9}\.? \d{1,2},? \d{4})(?:[T,\s]+(.*))?$/i;

// Some programs write date and time into two cells, others into one.
export function momentOf(dateCell: string, startCell: string): { date: string; clock: string } {
  const [, date = dateCell, after = ''] = dateFirst.exec(dateCell) ?? [];
  // Spreadsheets write midnight after a date that has no time.
  const clockAfterDate = after.replace(/^(0?0:00(:00(\.0+)?)?|12:00(:00)? ?am)$/i, '');
  const [, dateBeforeClock = '', clock = ''] = dateFirst.exec(startCell) ?? [undefined, '', startCell];
  return { date: date || dateBeforeClock, clock: clock || clockAfterDate };
}

/** The order of day and month in these dates; undefined if each date can be read both ways. */
export function orderOf(dates: string[]): DateOrder | undefined {
  const read = dates.flatMap((text) => {
    const [, first, second] = slashed.exec(text) ?? [];
    return first && second ? [[Number(first), Number(second)] as const] : [];
  });
  if (read.some(([first]) => first > 12)) return 'dmy';
  if (read.some(([, second]) => second > 12)) return 'mdy';
  if (dates.some((text) => /^\d{1,2}\.\d{1,2}\.\d{4}$/.test(text))) return 'dmy';
  return read.every(([first, second]) => first === second) ? 'dmy' : undefined;
}

export function dateOf(text: string, order: DateOrder): LocalDate | null {
  const [, first = '', second = '', year] = slashed.exec(text) ?? [];
  const [, dayBefore, monthAfter, month = monthAfter ?? '', day = dayBefore ?? '', yearAfter] = worded.exec(text) ?? [];
  const parts = year
    ? [year, ...(order === 'dmy' ? [second, first] : [first, second])]
    : yearAfter && [yearAfter, String(months.indexOf(month.slice(0, 3).toLowerCase()) + 1), day];
  const date = parts ? parts.map((part) => part.padStart(2, '0')).join('-') : text;
  return isLocalDate(date) ? date : null;
}

/** Reads 14:30, 14.30 or 2:30 pm as HH:mm; null for anything else. */
export function clockOf(text: string): string | null {
  const [, hours = '', minutes = '00', half = ''] =
    /^(\d{1,2})(?:[:.h](\d{2}))?(?::\d{2})?\s*([ap])?\.?m?\.?$/i.exec(text) ?? [];
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  return hours === '' || hour > 23 || Number(minutes) > 59 ? null : `${String(hour).padStart(2, '0')}:${minutes}`;
}

const ofAppointment = (count: number) => (count >= limits.minutes.min && count <= limits.minutes.max ? count : null);

export function minutesOf(text: string): number | null {
  const [, hours, rest] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  return ofAppointment(hours ? Number(hours) * 60 + Number(rest) : Number(/^\d+/.exec(text)?.[0] ?? Number.NaN));
}

/**
 * The minutes of an appointment, which may end after midnight.
 * @param endDate undefined if the table has none, null if it could not be read
 */
export function minutesBetween(
  [date, start]: [date: LocalDate, clock: string],
  [endDate, endText]: [date: LocalDate | null | undefined, clock: string],
): number | null {
  const end = clockOf(endText);
  if (!end) return null;
  const minuteOf = (day: LocalDate | null, clock: string) => Date.parse(`${day}T${clock}Z`) / minute;
  if (endDate !== undefined) return ofAppointment(minuteOf(endDate, end) - minuteOf(date, start));
  return ofAppointment((minuteOf(date, end) - minuteOf(date, start) + 1440) % 1440);
}
