import type { LocalDate } from '../time/clock';
import type { DateStyle } from './words';

// Written out, because asking ICU for a name takes microseconds.
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const months = 'January February March April May June July August September October November December'.split(' ');

/** A date in English, in each style. RangeError for a text that is no date. */
export function englishDate(date: LocalDate): Record<DateStyle, string> {
  const at = new Date(date);
  const longMonth = months[at.getUTCMonth()];
  const longWeekday = weekdays[at.getUTCDay()];
  if (!longMonth || !longWeekday) throw new RangeError(`Not a date: ${date}`);
  const month = longMonth.slice(0, 3);
  const weekday = longWeekday.slice(0, 3);
  const day = String(Number(date.slice(8)));
  const year = date.slice(0, 4);
  return {
    full: `${longWeekday}, ${day} ${longMonth} ${year}`,
    short: `${weekday} ${day} ${month}`,
    shortWithYear: `${weekday} ${day} ${month} ${year}`,
    monthAndYear: `${longMonth} ${year}`,
    day,
    weekday,
    longWeekday,
    month,
    longMonth,
    year,
  };
}
