/*
 * Recurrence rules (RFC 5545, 3.3.10) by the calendar alone: local times are milliseconds as if the zone were UTC. A rule of long
 * ago begins at the window, not at its first day: fifty weekly rules from 2009 took a library 670 ms.
 */

const day = 86_400_000;

/** A local date and time: the milliseconds at which a clock in UTC would show it. */
export type Local = number;

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Weekday = { weekday: number; nth: number };

/** A rule as it is written; an empty list is a part that is absent. */
export type Rule = {
  frequency: (typeof frequencies)[number];
  interval: number;
  count: number | null;
  /** The last start, as written: a date, a local time, or one in UTC. */
  until: string | null;
  weekStart: number;
  months: number[];
  weeks: number[];
  yearDays: number[];
  monthDays: number[];
  weekdays: Weekday[];
  hours: number[];
  minutes: number[];
  seconds: number[];
  places: number[];
};

const weekdayNames = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const lists = {
  BYMONTH: ['months', 1, 12],
  BYWEEKNO: ['weeks', -53, 53],
  BYYEARDAY: ['yearDays', -366, 366],
  BYMONTHDAY: ['monthDays', -31, 31],
  BYHOUR: ['hours', 0, 23],
  BYMINUTE: ['minutes', 0, 59],
  BYSECOND: ['seconds', 0, 59],
  BYSETPOS: ['places', -366, 366],
} as const;

function numbers(text: string, least: number, most: number): number[] | undefined {
  const found = text.split(',').map(Number);
  const isFine = found.every((n) => Number.isInteger(n) && n >= least && n <= most && (least >= 0 || n !== 0));
  return isFine && text !== '' ? [...new Set(found)].sort((one, other) => one - other) : undefined;
}

function weekdaysOf(text: string): Weekday[] | undefined {
  const found = text.split(',').map((part): Weekday | undefined => {
    const [, nth = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(part) ?? [];
    const weekday = weekdayNames.indexOf(name);
    return weekday < 0 || (nth !== '' && Number(nth) === 0) ? undefined : { weekday, nth: Number(nth || 0) };
  });
  return found.every((one) => one !== undefined) ? found : undefined;
}

/** How often a day a rule may repeat: each five minutes. */
const mostOfDay = 288;

const isWhole = (text: string) => /^\d{1,9}$/.test(text) && Number(text) > 0;

/** Reads a rule; undefined if some of it can't be read, or where it repeats more often than once a day. */
export function parseRule(text: string): Rule | undefined {
  const rule: Rule = {
    frequency: 'DAILY',
    interval: 1,
    count: null,
    until: null,
    weekStart: 1,
    months: [],
    weeks: [],
    yearDays: [],
    monthDays: [],
    weekdays: [],
    hours: [],
    minutes: [],
    seconds: [],
    places: [],
  };
  let isNamed = false;
  for (const part of text.toUpperCase().split(';')) {
    if (part === '') continue;
    const [name = '', value = ''] = part.split('=');
    if (name === 'FREQ') {
      const frequency = frequencies.find((one) => one === value);
      if (!frequency) return undefined;
      rule.frequency = frequency;
      isNamed = true;
    } else if (name === 'INTERVAL' && isWhole(value)) rule.interval = Number(value);
    else if (name === 'COUNT' && isWhole(value)) rule.count = Number(value);
    else if (name === 'UNTIL' && /^\d{8}(T\d{6}Z?)?$/.test(value)) rule.until = value;
    else if (name === 'WKST' && weekdayNames.includes(value)) rule.weekStart = weekdayNames.indexOf(value);
    else if (name === 'BYDAY') {
      const weekdays = weekdaysOf(value);
      if (!weekdays) return undefined;
      rule.weekdays = weekdays;
    } else if (name in lists) {
      const [list, least, most] = lists[name as keyof typeof lists];
      const found = numbers(value, least, most);
      if (!found) return undefined;
      rule[list] = found;
    } else return undefined;
  }
  const daily = [rule.hours, rule.minutes, rule.seconds].reduce((all, list) => all * Math.max(1, list.length), 1);
  return isNamed && daily <= mostOfDay ? rule : undefined;
}

/** The day of 1970-01-01 is 0, a Thursday. */
const weekdayOf = (at: number) => (((at + 4) % 7) + 7) % 7;
const dayOf = (year: number, month: number, date: number) => {
  const at = new Date(0);
  at.setUTCFullYear(year, month, date);
  return at.getTime() / day;
};
const fields = (at: number) => {
  const date = new Date(at * day);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() };
};

/** The days of some period, and what a rule asks of each. */
type Month = { first: number; length: number; yearFirst: number; yearLength: number; number: number };

/** @param monthOfYear from 0; 12 is January of the next year */
function monthOf(yearOfMonth: number, monthOfYear: number): Month {
  const year = yearOfMonth + Math.floor(monthOfYear / 12);
  const month = monthOfYear % 12;
  const first = dayOf(year, month, 1);
  const yearFirst = dayOf(year, 0, 1);
  return {
    first,
    length: dayOf(year, month + 1, 1) - first,
    yearFirst,
    yearLength: dayOf(year + 1, 0, 1) - yearFirst,
    number: month + 1,
  };
}

/** True if n is the place of something from the beginning, or from the end, of so many. */
const isPlace = (places: number[], n: number, of: number) => places.includes(n) || places.includes(n - of - 1);

/** The number of the week that a day is in, and how many weeks its year has. */
function weekOf(at: number, weekStart: number): { number: number; of: number } {
  const first = (year: number) => {
    // The first week of a year has four of its days: that of 4 January.
    const fourth = dayOf(year, 0, 4);
    return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7);
  };
  const start = at - ((weekdayOf(at) - weekStart + 7) % 7);
  const { year } = fields(start + 3);
  return { number: (start - first(year)) / 7 + 1, of: (first(year + 1) - first(year)) / 7 };
}

/** Tests a day against a rule; the first start decides what the rule leaves open. */
function dayTest(rule: Rule, firstDay: number) {
  const { frequency, months, weeks, yearDays } = rule;
  let { weekdays, monthDays } = rule;
  let wantedMonths = months;
  const { month, date } = fields(firstDay);
  if (weeks.length > 0 && weekdays.length + yearDays.length + monthDays.length === 0)
    weekdays = [{ weekday: weekdayOf(firstDay), nth: 0 }];
  if (weeks.length + yearDays.length + monthDays.length + weekdays.length === 0) {
    if (frequency === 'YEARLY' && months.length === 0) wantedMonths = [month + 1];
    if (frequency === 'YEARLY' || frequency === 'MONTHLY') monthDays = [date];
    if (frequency === 'WEEKLY') weekdays = [{ weekday: weekdayOf(firstDay), nth: 0 }];
  }
  // A month is what an nth weekday counts in, but for a year without months.
  const isNthOfMonth = frequency === 'MONTHLY' || months.length > 0;
  const isWeekday = (at: number, of: Month) =>
    weekdays.some(({ weekday, nth }) => {
      if (weekday !== weekdayOf(at)) return false;
      if (nth === 0 || frequency === 'DAILY' || frequency === 'WEEKLY') return true;
      const [first, length] = isNthOfMonth ? [of.first, of.length] : [of.yearFirst, of.yearLength];
      return nth > 0
        ? Math.floor((at - first) / 7) + 1 === nth
        : Math.floor((first + length - 1 - at) / 7) + 1 === -nth;
    });
  return {
    months: wantedMonths,
    fits(at: number, of: Month): boolean {
      if (wantedMonths.length > 0 && !wantedMonths.includes(of.number)) return false;
      if (monthDays.length > 0 && !isPlace(monthDays, at - of.first + 1, of.length)) return false;
      if (yearDays.length > 0 && !isPlace(yearDays, at - of.yearFirst + 1, of.yearLength)) return false;
      if (weekdays.length > 0 && !isWeekday(at, of)) return false;
      if (weeks.length === 0) return true;
      const { number, of: all } = weekOf(at, rule.weekStart);
      return isPlace(weeks, number, all);
    },
  };
}

/** Thrown by `Steps`. */
export class TooManySteps extends Error {}

/** Counts the steps of reading one calendar: somebody may have written it to keep us busy. */
export class Steps {
  constructor(private left: number) {}

  /** @throws TooManySteps once there have been too many */
  take(count: number): void {
    this.left -= count;
    if (this.left < 0) throw new TooManySteps();
  }
}

/** The steps that a look at one day takes by this rule. */
const stepsOfDay = ({ weeks, yearDays, monthDays, weekdays }: Rule) =>
  1 + (weeks.length > 0 ? 8 : 0) + Math.ceil((weeks.length + yearDays.length + monthDays.length + weekdays.length) / 8);

const daysOf = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 };

/** A rule with a count begins at its first day. More periods than these are more than anybody plans. */
const mostPeriods = 100_000;

/**
 * The starts of a rule in a window, in order. The first start itself is none of them, where the rule doesn't say so.
 * @param isPast tells of a start that it is after the rule's UNTIL
 * @returns undefined if it would take too long to count them
 * @throws TooManySteps
 */
export function startsOf(
  rule: Rule,
  first: Local,
  { steps, ...window }: { from: Local; until: Local; steps: Steps },
  isPast: (at: Local) => boolean = () => false,
): Local[] | undefined {
  const { frequency, interval, count, places } = rule;
  const firstDay = Math.floor(first / day);
  const { year, month } = fields(firstDay);
  const test = dayTest(rule, firstDay);
  const times = timesOf(rule, first);
  const firstWeek = firstDay - ((weekdayOf(firstDay) - rule.weekStart + 7) % 7);
  const fromDay = Math.floor(window.from / day);
  const from = fields(fromDay);
  // In units of the rule's own: days, weeks, months or years.
  const ahead = {
    DAILY: fromDay - firstDay,
    WEEKLY: Math.floor((fromDay - firstWeek) / 7),
    MONTHLY: (from.year - year) * 12 + from.month - month,
    YEARLY: from.year - year - 1,
  }[frequency];
  const jumped = count === null ? Math.max(0, Math.floor(ahead / interval)) : 0;
  const starts: Local[] = [];
  let left = count ?? Number.POSITIVE_INFINITY;
  let [known, knownAt] = [monthOf(year, month), year * 12 + month];
  const monthOn = (at: number) => {
    if (at >= known.first && at < known.first + known.length) return known;
    const on = fields(at);
    if (knownAt !== on.year * 12 + on.month) [known, knownAt] = [monthOf(on.year, on.month), on.year * 12 + on.month];
    return known;
  };
  const [ofPeriod, ofStart] = [daysOf[frequency] * stepsOfDay(rule), 1 + Math.ceil(places.length / 8)];
  for (let period = jumped; period - jumped < mostPeriods; period++) {
    steps.take(ofPeriod);
    const step = period * interval;
    let days: number[] = [];
    let begins: number;
    if (frequency === 'DAILY' || frequency === 'WEEKLY') {
      begins = frequency === 'DAILY' ? firstDay + step : firstWeek + step * 7;
      const length = frequency === 'DAILY' ? 1 : 7;
      for (let at = begins; at < begins + length; at++) if (test.fits(at, monthOn(at))) days.push(at);
    } else if (frequency === 'MONTHLY') {
      const of = monthOf(year, month + step);
      begins = of.first;
      days = daysIn(of, test.fits);
    } else {
      begins = dayOf(year + step, 0, 1);
      const wanted = test.months.length > 0 ? test.months : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
      days = wanted.flatMap((number) => daysIn(monthOf(year + step, number - 1), test.fits));
    }
    if (begins * day > window.until || left <= 0) return starts;
    steps.take(days.length * times.length * ofStart);
    let found = days.flatMap((at) => times.map((time) => at * day + time));
    if (places.length > 0) found = found.filter((_, place) => isPlace(places, place + 1, found.length));
    for (const at of found) {
      if (at < first) continue;
      if (at > window.until || left <= 0 || isPast(at)) return starts;
      left -= 1;
      if (at >= window.from) starts.push(at);
    }
  }
  return undefined;
}

function daysIn(of: Month, fits: (at: number, of: Month) => boolean): number[] {
  const days: number[] = [];
  for (let at = of.first; at < of.first + of.length; at++) if (fits(at, of)) days.push(at);
  return days;
}

/** The times of each day of a rule, in order, in milliseconds. */
function timesOf({ hours, minutes, seconds }: Rule, first: Local): number[] {
  const time = ((first % day) + day) % day;
  if (hours.length + minutes.length + seconds.length === 0) return [time];
  const or = (list: number[], usual: number) => (list.length > 0 ? list : [usual]);
  return or(hours, Math.floor(time / 3_600_000)).flatMap((hour) =>
    or(minutes, Math.floor(time / 60_000) % 60).flatMap((minute) =>
      or(seconds, Math.floor(time / 1000) % 60).map((second) => ((hour * 60 + minute) * 60 + second) * 1000),
    ),
  );
}
