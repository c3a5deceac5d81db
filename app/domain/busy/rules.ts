// Rules for repeating events (RFC 5545, 3.3.10), without time zones: a local time is in milliseconds as if the zone
// were UTC. We begin to count at the window, not at the first day: for fifty weekly rules from 2009 a library took 670
// ms.

import { dayTestBy, hasOurMonths } from './other-calendars';
import { type Local, localOf } from './text';

const day = 86_400_000;

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
type Weekday = { weekday: number; nth: number };

export type Rule = {
  frequency: (typeof frequencies)[number];
  interval: number;
  count: number | null;
  /** The text of UNTIL: a date, a local time, or a time in UTC. */
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
  /** What becomes of a date that a month doesn't have (RFC 7529): the last of the month, or the first of the next. */
  skip: 'BACKWARD' | 'FORWARD' | null;
};

const weekdayNames = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const lists = {
  BYMONTH: ['months', 1, 12],
  BYWEEKNO: ['weeks', -53, 53],
  BYYEARDAY: ['yearDays', -366, 366],
  BYMONTHDAY: ['monthDays', -31, 31],
  BYHOUR: ['hours', 0, 23],
  BYMINUTE: ['minutes', 0, 59],
  BYSECOND: ['seconds', 0, 60],
  BYSETPOS: ['places', -366, 366],
} as const;

function numbers(text: string, least: number, most: number): number[] | undefined {
  const parsed = text.split(',').map(Number);
  const isFine = parsed.every((n) => Number.isInteger(n) && n >= least && n <= most && (least >= 0 || n !== 0));
  return isFine && text !== '' ? [...new Set(parsed)].sort((one, other) => one - other) : undefined;
}

function weekdaysOf(text: string): Weekday[] | undefined {
  const parsed = text.split(',').map((part): Weekday | undefined => {
    const [, nth = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(part) ?? [];
    const weekday = weekdayNames.indexOf(name);
    return weekday < 0 || (nth !== '' && Number(nth) === 0) ? undefined : { weekday, nth: Number(nth || 0) };
  });
  return parsed.every((value) => value !== undefined) ? parsed : undefined;
}

/** A day has at most 288 starts, one every five minutes. */
const mostOfDay = 288;

const isWhole = (text: string) => /^\d{1,9}$/.test(text) && Number(text) > 0;

/** How a rule was read. */
type RuleReading = {
  rule: Rule;
  /** True if we couldn't read a part of it. The rule then yields more starts than are meant, but never fewer. */
  isWidened: boolean;
  /** True if only the days are known: the starts may be at any time of them. */
  isAnyTime: boolean;
  /** Of a rule by another calendar: says which days may be meant, or is undefined if we can't tell. */
  isDayMeant: ((first: Local) => ((at: Local) => boolean) | undefined) | null;
  /** The longest that it may go on after its first start, in milliseconds, where no date or count says so. */
  reach: number;
};

const ofTimes = { HOURLY: 3_600_000, MINUTELY: 60_000, SECONDLY: 1000 };
const upTo = (most: number) => Array.from({ length: most }, (_, place) => place + 1);

function emptyRule(): Rule {
  return {
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
    skip: null,
  };
}

/**
 * Reads a rule. A part that we can't read leaves the rule as wide as that part may mean.
 * @returns undefined if we don't know its frequency or its calendar
 */
export function readRule(text: string): RuleReading | undefined {
  const rule = emptyRule();
  const reading: RuleReading = {
    rule,
    isWidened: false,
    isAnyTime: false,
    isDayMeant: null,
    reach: Number.POSITIVE_INFINITY,
  };
  const parts = new Map<string, string>();
  for (const part of text.toUpperCase().replaceAll(/\s/g, '').split(';')) {
    const place = part.indexOf('=');
    const [name, value] = place < 0 ? [part, ''] : [part.slice(0, place), part.slice(place + 1)];
    if (value !== '') parts.set(name, value);
    // An empty part says nothing, but a word alone may mean something.
    else if (name !== '' && place < 0) reading.isWidened = true;
  }
  const frequency = parts.get('FREQ') ?? '';
  const ofDays = frequencies.find((name) => name === frequency);
  if (!ofDays && !(frequency in ofTimes)) return undefined;
  rule.frequency = ofDays ?? 'DAILY';
  for (const [name, value] of parts) if (!readPart(rule, name, value)) widen(reading, name);
  const scale = parts.get('RSCALE');
  if (scale && !isOurCalendar(scale, rule)) {
    reading.isDayMeant = (first) => dayTestBy(scale, rule, first);
    reading.isWidened = true;
  }
  rule.seconds = [...new Set(rule.seconds.map((second) => Math.min(59, second)))];
  if (!ofDays) widenTimes(reading, ofTimes[frequency as keyof typeof ofTimes]);
  const daily = [rule.hours, rule.minutes, rule.seconds].reduce((all, list) => all * Math.max(1, list.length), 1);
  if (daily > mostOfDay) reading.isAnyTime = true;
  if (reading.isAnyTime) {
    Object.assign(rule, { hours: [], minutes: [], seconds: [], places: [] });
    reading.isWidened = true;
  }
  // Of more starts than are meant the last comes too soon.
  if (reading.isWidened) rule.count = null;
  return reading;
}

/** Reads a rule; undefined if we can't read all of it, or if it repeats too often. */
export function parseRule(text: string): Rule | undefined {
  const reading = readRule(text);
  return reading && !reading.isWidened ? reading.rule : undefined;
}

/** Reads a part into the rule. @returns false if we can't */
function readPart(rule: Rule, name: string, value: string): boolean {
  if (name === 'FREQ' || name === 'RSCALE') return true;
  if (name === 'INTERVAL' && isWhole(value)) rule.interval = Number(value);
  else if (name === 'COUNT' && isWhole(value)) rule.count = Number(value);
  else if (name === 'UNTIL' && localOf(value) !== undefined) rule.until = value;
  else if (name === 'WKST' && weekdayNames.includes(value)) rule.weekStart = weekdayNames.indexOf(value);
  else if (name === 'SKIP' && value === 'OMIT') rule.skip = null;
  else if (name === 'SKIP' && (value === 'BACKWARD' || value === 'FORWARD')) rule.skip = value;
  else if (name === 'BYDAY') {
    const weekdays = weekdaysOf(value);
    if (!weekdays) return false;
    rule.weekdays = weekdays;
  } else if (name in lists) {
    const [list, least, most] = lists[name as keyof typeof lists];
    const parsed = numbers(value, least, most);
    if (!parsed) return false;
    rule[list] = parsed;
  } else return false;
  return true;
}

/** Makes a rule as wide as it can be with a part that we couldn't read. */
function widen(reading: RuleReading, name: string): void {
  const { rule } = reading;
  reading.isWidened = true;
  if (name === 'BYDAY') rule.weekdays = weekdayNames.map((_, weekday) => ({ weekday, nth: 0 }));
  else if (name === 'BYMONTH') rule.months = upTo(12);
  else if (name === 'BYMONTHDAY') rule.monthDays = upTo(31);
  else if (name === 'BYYEARDAY') rule.yearDays = upTo(366);
  else if (name === 'BYWEEKNO') rule.weeks = upTo(53);
  else if (name === 'BYHOUR' || name === 'BYMINUTE') reading.isAnyTime = true;
  // An unknown part may add times or days.
  else if (/^BY(?!SETPOS|SECOND)/.test(name)) {
    reading.isAnyTime = true;
    Object.assign(rule, { weekdays: [], monthDays: [], yearDays: [], weeks: [], months: [], frequency: 'DAILY' });
    rule.interval = 1;
  }
  if (name === 'WKST' && (rule.frequency === 'WEEKLY' || rule.weeks.length > 0)) rule.interval = 1;
}

/** Makes days of a rule that repeats by the hour, minute or second. */
function widenTimes(reading: RuleReading, unit: number): void {
  const { rule } = reading;
  const isLimited = Object.values(rule).some((value) => Array.isArray(value) && value.length > 0);
  if (rule.count !== null && !reading.isWidened && !isLimited) reading.reach = (rule.count - 1) * rule.interval * unit;
  rule.interval = 1;
  reading.isAnyTime = true;
}

/** Weeks and days are the same in all calendars. */
function isOurCalendar(scale: string, { frequency, months, monthDays, yearDays, weeks }: Rule): boolean {
  if (hasOurMonths(scale)) return true;
  const isOfDays = frequency === 'DAILY' || frequency === 'WEEKLY';
  return isOfDays && months.length + monthDays.length + yearDays.length + weeks.length === 0;
}

/** The weekday of a day number. Day 0 is 1970-01-01, a Thursday. */
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

/** True if `places` contains n, counted from the first (1) or from the last (-1). */
const isPlace = (places: number[], place: number, count: number) =>
  places.includes(place) || places.includes(place - count - 1);

/** The number of the week that a day is in, and the number of weeks in its year. */
function weekOf(at: number, weekStart: number): { number: number; of: number } {
  const first = (year: number) => {
    // The first week of a year is the one with 4 January.
    const fourth = dayOf(year, 0, 4);
    return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7);
  };
  const start = at - ((weekdayOf(at) - weekStart + 7) % 7);
  const { year } = fields(start + 3);
  return { number: (start - first(year)) / 7 + 1, of: (first(year + 1) - first(year)) / 7 };
}

/** Makes a function that says whether a rule matches a day. What the rule leaves open follows from the first start. */
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
  // 'The second Tuesday' counts within the month, or within the year for a yearly rule without months.
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
  const matchesMonth = (of: Month) => wantedMonths.length === 0 || wantedMonths.includes(of.number);
  return {
    months: wantedMonths,
    /** The day that stands for a date that the month doesn't have. */
    skippedTo(of: Month): number[] {
      if (rule.skip === null || !matchesMonth(of) || !monthDays.some((date) => date > of.length)) return [];
      const at = of.first + of.length - (rule.skip === 'BACKWARD' ? 1 : 0);
      const isAllowed = weekdays.length === 0 || weekdays.some(({ weekday }) => weekday === weekdayOf(at));
      return isAllowed ? [at] : [];
    },
    matches(at: number, of: Month): boolean {
      if (!matchesMonth(of)) return false;
      if (monthDays.length > 0 && !isPlace(monthDays, at - of.first + 1, of.length)) return false;
      if (yearDays.length > 0 && !isPlace(yearDays, at - of.yearFirst + 1, of.yearLength)) return false;
      if (weekdays.length > 0 && !isWeekday(at, of)) return false;
      if (weeks.length === 0) return true;
      const { number, of: all } = weekOf(at, rule.weekStart);
      return isPlace(weeks, number, all);
    },
  };
}

export class TooManySteps extends Error {
  /** @param isOfPart true if only one event is too hard */
  constructor(readonly isOfPart: boolean) {
    super();
  }
}

/** Counts the steps of reading one calendar, because somebody may have written it to keep us busy. */
export class Steps {
  constructor(
    private stepsLeft: number,
    private readonly whole?: Steps,
  ) {}

  /** Steps for one event, which also count for the whole calendar. */
  part(most: number): Steps {
    return new Steps(most, this);
  }

  /** @throws TooManySteps */
  take(count: number): void {
    this.whole?.take(count);
    this.stepsLeft -= count;
    if (this.stepsLeft < 0) throw new TooManySteps(this.whole !== undefined);
  }
}

const stepsOfDay = ({ weeks, yearDays, monthDays, weekdays }: Rule) =>
  1 + (weeks.length > 0 ? 8 : 0) + Math.ceil((weeks.length + yearDays.length + monthDays.length + weekdays.length) / 8);

const daysOf = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 };

/** More repeats than any event in a person's calendar has. */
const mostPeriods = 100_000;

/**
 * The starts within the window, without the first one unless the rule yields it.
 * @returns undefined if counting takes too long
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
  // In the unit of the rule: days, weeks, months or years.
  const ahead = {
    DAILY: fromDay - firstDay,
    WEEKLY: Math.floor((fromDay - firstWeek) / 7),
    MONTHLY: (from.year - year) * 12 + from.month - month,
    YEARLY: from.year - year - 1,
  }[frequency];
  const skippedPeriods = count === null ? Math.max(0, Math.floor(ahead / interval)) : 0;
  const starts: Local[] = [];
  let occurrencesLeft = count ?? Number.POSITIVE_INFINITY;
  let [known, knownAt] = [monthOf(year, month), year * 12 + month];
  const monthOn = (at: number) => {
    if (at >= known.first && at < known.first + known.length) return known;
    const on = fields(at);
    if (knownAt !== on.year * 12 + on.month) [known, knownAt] = [monthOf(on.year, on.month), on.year * 12 + on.month];
    return known;
  };
  const [ofPeriod, ofStart] = [daysOf[frequency] * stepsOfDay(rule), 1 + Math.ceil(places.length / 8)];
  for (let period = skippedPeriods; period - skippedPeriods < mostPeriods; period++) {
    steps.take(ofPeriod);
    const step = period * interval;
    let days: number[] = [];
    let begins: number;
    if (frequency === 'DAILY' || frequency === 'WEEKLY') {
      begins = frequency === 'DAILY' ? firstDay + step : firstWeek + step * 7;
      const length = frequency === 'DAILY' ? 1 : 7;
      for (let at = begins; at < begins + length; at++) if (test.matches(at, monthOn(at))) days.push(at);
    } else if (frequency === 'MONTHLY') {
      const monthAt = monthOf(year, month + step);
      begins = monthAt.first;
      days = daysIn(monthAt, test);
    } else {
      begins = dayOf(year + step, 0, 1);
      const months = test.months.length > 0 ? test.months : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
      days = months.flatMap((number) => daysIn(monthOf(year + step, number - 1), test));
    }
    // After the last day that a date can have there is no number.
    if (!(begins * day <= window.until) || occurrencesLeft <= 0) return starts;
    steps.take(days.length * times.length * ofStart);
    let instants = days.flatMap((at) => times.map((time) => at * day + time));
    if (places.length > 0) instants = instants.filter((_, place) => isPlace(places, place + 1, instants.length));
    for (const at of instants) {
      if (at < first) continue;
      if (at > window.until || occurrencesLeft <= 0 || isPast(at)) return starts;
      occurrencesLeft -= 1;
      if (at >= window.from) starts.push(at);
    }
  }
  return undefined;
}

function daysIn(of: Month, { matches, skippedTo }: ReturnType<typeof dayTest>): number[] {
  const days: number[] = [];
  for (let at = of.first; at < of.first + of.length; at++) if (matches(at, of)) days.push(at);
  return [...days, ...skippedTo(of).filter((at) => !days.includes(at))];
}

/** The starts within a day, in milliseconds from midnight. */
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
