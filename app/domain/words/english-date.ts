import type { LocalDate, LocalTime } from '../time/clock';
import type { Habits } from './region';
import type { DateStyle } from './words';

// Written out, because asking ICU for a name takes microseconds.
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const months = 'January February March April May June July August September October November December'.split(' ');

/** A date in English, in each style. RangeError for a text that is no date. */
export function englishDate(
  date: LocalDate,
  { isMonthFirst }: Pick<Habits, 'isMonthFirst'>,
): Record<DateStyle, string> {
  const at = new Date(date);
  const longMonth = months[at.getUTCMonth()];
  const longWeekday = weekdays[at.getUTCDay()];
  if (!longMonth || !longWeekday) throw new RangeError(`Not a date: ${date}`);
  const month = longMonth.slice(0, 3);
  const weekday = longWeekday.slice(0, 3);
  const day = String(Number(date.slice(8)));
  const year = date.slice(0, 4);
  const withYear = isMonthFirst ? `, ${year}` : ` ${year}`;
  const dayAndMonth = isMonthFirst ? `${longMonth} ${day}` : `${day} ${longMonth}`;
  const short = isMonthFirst ? `${weekday}, ${month} ${day}` : `${weekday} ${day} ${month}`;
  return {
    full: `${longWeekday}, ${dayAndMonth}${withYear}`,
    short,
    shortWithYear: short + withYear,
    dayAndMonth,
    dayMonthYear: dayAndMonth + withYear,
    monthAndYear: `${longMonth} ${year}`,
    day,
    weekday,
    weekdayHead: weekday,
    longWeekday,
    month,
    longMonth,
    year,
  };
}

/** A time of day in English: '13:30', or '1:30 PM'. */
export function englishTime(time: LocalTime, { hourCycle }: Pick<Habits, 'hourCycle'>): string {
  if (hourCycle === 'h23') return time;
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}
