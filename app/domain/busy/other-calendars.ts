import { memo } from '../memo';
import { day } from '../time/clock';
import type { Local } from './text';

// Rules by the months of another calendar (RFC 7529), such as a birthday by the Chinese one.

/** Calendars whose months and days are ours; only their years have other numbers. */
const withOurMonths = ['GREGORIAN', 'GREGORY', 'ISO8601', 'BUDDHIST', 'JAPANESE', 'ROC'];

export const hasOurMonths = (scale: string): boolean => withOurMonths.includes(scale);

/** The names of RFC 7529 that Intl has others for. */
const names: Record<string, string> = { ETHIOPIC: 'ethiopic', ISLAMIC: 'islamic-umalqura' };

type PartsOf = (at: Local) => { month: string; date: number };
const readers = new Map<string, PartsOf>();
const mostDays = 5000;

/** Remembers each day, because asking Intl takes microseconds. */
function readerOf(scale: string): PartsOf | undefined {
  const calendar = names[scale] ?? scale.toLowerCase();
  const reader = readers.get(calendar);
  if (reader) return reader;
  if (!Intl.supportedValuesOf('calendar').includes(calendar)) return undefined;
  const format = new Intl.DateTimeFormat('en', { calendar, timeZone: 'UTC', month: 'numeric', day: 'numeric' });
  const partsBy = memo<ReturnType<PartsOf>>(mostDays);
  const partsOf: PartsOf = (at) => {
    const on = Math.floor(at / day);
    return partsBy(on, () => {
      const parts = format.formatToParts(on * day);
      const textOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? '';
      return { month: textOf('month'), date: Number(textOf('day')) };
    });
  };
  readers.set(calendar, partsOf);
  return partsOf;
}

type DatesOfRule = {
  frequency: string;
  months: number[];
  weeks: number[];
  yearDays: number[];
  monthDays: number[];
  weekdays: unknown[];
  skip: string | null;
};

/**
 * Says which days may be meant by a rule of months or years in another calendar.
 * @returns undefined if we don't know that calendar, or if the rule names its days in a way that differs there
 */
export function dayTestBy(scale: string, rule: DatesOfRule, first: Local): ((at: Local) => boolean) | undefined {
  const { frequency, months, weeks, yearDays, monthDays, weekdays, skip } = rule;
  const partsOf = readerOf(scale);
  if (!partsOf || weeks.length + yearDays.length + weekdays.length > 0 || monthDays.some((date) => date < 1))
    return undefined;
  const wanted = partsOf(first);
  const dates = new Set(monthDays.length > 0 ? monthDays : [wanted.date]);
  // A day that a short month doesn't have may become the one before or the first of the next.
  if (skip !== null && dates.has(30)) for (const date of [29, 1]) dates.add(date);
  const isOfOneMonth = frequency === 'YEARLY' && months.length === 0 && skip === null;
  const isMeant = (at: Local) => {
    const { month, date } = partsOf(at);
    return dates.has(date) && (!isOfOneMonth || month === wanted.month);
  };
  // By the moon, two programs may differ by a day.
  const isByMoon = /^(CHINESE|DANGI|ISLAMIC)/.test(scale);
  return isByMoon ? (at) => isMeant(at) || isMeant(at - day) || isMeant(at + day) : isMeant;
}
