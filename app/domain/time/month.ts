import type { Words } from '../words/words';
import { addDays, isLocalDate, type LocalDate, weekdayOf } from './clock';

/** 'YYYY-MM'. */
export type Month = string;

export function monthOf(date: LocalDate): Month {
  return date.slice(0, 7);
}

export function isMonth(text: string): boolean {
  return isLocalDate(`${text}-01`);
}

/** The month `n` months later, or earlier if `n` is negative. RangeError for a text that is no month. */
export function addMonths(month: Month, n: number): Month {
  const first = new Date(month);
  first.setUTCMonth(first.getUTCMonth() + n);
  return monthOf(first.toISOString());
}

export const monthWords = (month: Month): Words => ({ date: `${month}-01`, as: 'monthAndYear' });

/** RangeError for a text that is no month. */
export function datesOfMonth(month: Month): LocalDate[] {
  const dates: LocalDate[] = [];
  for (let date = `${month}-01`; monthOf(date) === month; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/**
 * Weeks that begin on `weekStart`, 0 (Sunday) to 6, with null for days of other months. RangeError for a text that is
 * no month.
 */
export function monthWeeks(month: Month, weekStart: number): (LocalDate | null)[][] {
  const before = (weekdayOf(`${month}-01`) - weekStart + 7) % 7;
  const days = [...new Array<LocalDate | null>(before).fill(null), ...datesOfMonth(month)];
  while (days.length % 7 > 0) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/**
 * Tells the weeks that a month shows from those that it leaves out: the ones that end before the first day that can be
 * chosen or begin after the last. Without a last day none is too late.
 */
export const hasDayWithin = (first: LocalDate, last?: LocalDate) => (week: (LocalDate | null)[]) =>
  week.some((date) => date !== null && date >= first && (last === undefined || date <= last));
