import { msg, plural } from '@lingui/core/macro';
import { day, hour, type Instant, minute } from '../time/clock';
import type { Span } from '../time/zones';
import type { Words } from '../words/words';
import { type Clock, clockDescribed, clockOf, utc } from './clocks';
import { cutCalendar } from './cut';
import { parseRule, type Rule, readRule, Steps, startsOf, TooManySteps } from './rules';
import { fewSpans, inDays } from './spans';
import { type Component, type Local, lengthOf, localOf, type Property, textOf } from './text';
import { compareVersions, newestOf } from './versions';
import { clockOfWords, nameKey, zoneNamed } from './zone-names';

const busyDays = 90;
/** More events than any one person's calendar has. */
const mostEvents = 50_000;
/** Enough for hundreds of repeating events over twenty years; it takes less than 100 ms. */
const mostSteps = 700_000;
/** No event of a person takes a tenth of that. */
const mostStepsOfEvent = 200_000;
/** Asking for an unknown zone takes a tenth of a millisecond. */
const stepsOfZone = 3000;

export type Reading = {
  busy: Span[];
  events: number;
  next: Instant | null;
  /** Sentences about parts that we are not sure to understand. Those parts block time. */
  doubts: Words[];
};

export type Unreadable = 'no_calendar' | 'too_many_events' | 'too_hard';

type Doubt = keyof typeof sentences;
type Window = { from: Instant; until: Instant };
type Length = { days: number; time: number };

type Event = {
  start: Local;
  clock: Clock;
  /** The length of an event. A day follows the clock, so it may last 23 or 25 hours; `time` is in milliseconds. */
  length: Length;
  isAllDay: boolean;
};

/** A change of one date and all later ones. */
type Move = { from: Instant; fromLocal: Local; to: Event };

type StartsByRule = { starts: Local[]; isWidened: boolean; isAnyTime: boolean };

type Exceptions = { dropped: Set<Instant>; droppedDays: Set<Local>; moves: Move[] };

const dayOfTime = (at: Local): Local => Math.floor(at / day) * day;
const isDate = ({ value, parameters }: Property) =>
  parameters.get('VALUE')?.toUpperCase() === 'DATE' || /^\d{4}-?\d\d-?\d\d$/.test(value);
const named = (component: Component, name: string) => component.properties.find((property) => property.name === name);
const allNamed = (component: Component, name: string) =>
  component.properties.filter((property) => property.name === name && property.value !== '');
const datesOf = (component: Component, name: string) =>
  allNamed(component, name).flatMap((property) =>
    property.value
      .split(',')
      .map((value) => ({ ...property, value: value.trim() }))
      .filter(({ value }) => value !== ''),
  );

/** True for an entry of this Daybook, which blocks time anyway. */
const isOurs = (event: Component) => textOf(event, 'UID').endsWith('@daybook');

const wordOf = (event: Component, name: string) => textOf(event, name).replaceAll(/["\s]/g, '').toUpperCase();
const isCanceled = (event: Component) => /^CANCELL?ED$/.test(wordOf(event, 'STATUS'));

/** Outlook's words for time that others may book; TENTATIVE, BUSY and OOF block. */
const freeStatuses = ['FREE', 'WORKINGELSEWHERE'];
const statusNames = ['X-MICROSOFT-CDO-BUSYSTATUS', 'X-MICROSOFT-MSNCALENDAR-BUSYSTATUS'];

const isBlocking = (event: Component) =>
  !isCanceled(event) &&
  !/^(TRANSPARENT|TRANSPARENT-NOCONFLICT|1)$/.test(wordOf(event, 'TRANSP')) &&
  !statusNames.some((name) => freeStatuses.includes(wordOf(event, name)));

const isRange = (property: Property | undefined) =>
  property?.parameters.get('RANGE')?.toUpperCase() === 'THISANDFUTURE';

/** The local time of a clock at an instant. */
function localAt(clock: Clock, at: Instant): Local {
  const near = at + (at - clock(at));
  return near + (at - clock(near));
}

/** The days that a text names, where its time can't be read or the month has no such day. */
function daysNamedIn(text: string): { start: Local; days: number } | undefined {
  const [, year, month, date] = /^(\d{4})-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?!\d)/.exec(text) ?? [];
  if (!year) return undefined;
  const lengthOfMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const extraDays = Math.max(0, Number(date) - lengthOfMonth);
  return { start: Date.UTC(Number(year), Number(month) - 1, Number(date) - extraDays), days: 1 + extraDays };
}

const everyDay = parseRule('FREQ=DAILY') as Rule;

class Reader {
  readonly spans: Span[] = [];
  readonly doubts = new Map<Doubt, number>();
  private readonly described: Map<string, Component>;
  private readonly clocks = new Map<string, Clock | undefined>();
  private readonly home: Clock;
  private readonly steps = new Steps(mostSteps);

  constructor(
    zone: string,
    zones: Component[],
    readonly window: Window,
  ) {
    this.home = clockOf(zone);
    this.described = new Map(zones.map((component) => [nameKey(textOf(component, 'TZID')), component]));
  }

  note(doubt: Doubt): void {
    this.doubts.set(doubt, (this.doubts.get(doubt) ?? 0) + 1);
  }

  private clockNamed(name: string): Clock | undefined {
    if (this.clocks.has(name)) return this.clocks.get(name);
    this.steps.take(stepsOfZone);
    const description = this.described.get(nameKey(name));
    const zone = zoneNamed(name) ?? zoneNamed((description && textOf(description, 'X-LIC-LOCATION')) || ' ');
    const clock = zone
      ? clockOf(zone)
      : ((description && clockDescribed(description, { ...this.window, steps: this.steps })) ?? clockOfWords(name));
    this.clocks.set(name, clock);
    return clock;
  }

  /** The clock that a date names; if it names none, that of what it belongs to, or the provider's own. */
  private clockFor({ value, parameters }: Property, usual = this.home): Clock {
    if (/Z$/i.test(value)) return utc;
    const name = parameters.get('TZID');
    if (!name) return usual;
    const clock = this.clockNamed(name);
    if (!clock) this.note('zone');
    return clock ?? usual;
  }

  /** @param series the event that this one is a changed date of */
  private eventOf(component: Component, series?: Event): Event | undefined {
    const property = named(component, 'DTSTART');
    const start = property && localOf(property.value);
    if (!property || start === undefined) return this.doubtfulEventOf(component, series);
    const isAllDay = isDate(property);
    const clock = isAllDay ? this.home : this.clockFor(property, series?.clock);
    return { start, clock, isAllDay, length: this.lengthOf(component, { start, clock, isAllDay }, series) };
  }

  /** An event without a start that we can read: what it blocks follows from what else it says. */
  private doubtfulEventOf(component: Component, series?: Event): Event | undefined {
    const [property, end] = [named(component, 'DTSTART'), named(component, 'DTEND')];
    const endsAt = end && localOf(end.value);
    const dates = property && daysNamedIn(property.value);
    if (property && dates) {
      this.note('startOfDay');
      const days = Math.max(dates.days, Math.ceil(((endsAt ?? dates.start) - dates.start) / day));
      const clock = this.clockFor(property, series?.clock);
      return { start: dates.start, clock, isAllDay: true, length: { days, time: 0 } };
    }
    const original = named(component, 'RECURRENCE-ID');
    const at = original && localOf(original.value);
    if (original && at !== undefined) {
      this.note('formerStart');
      const isAllDay = series?.isAllDay ?? isDate(original);
      const start = isAllDay ? (this.dayMeant(original) ?? at) : at;
      const clock = isAllDay ? this.home : this.clockFor(original, series?.clock);
      return { start, clock, isAllDay, length: this.lengthOf(component, { start, clock, isAllDay }, series) };
    }
    if (end && endsAt !== undefined) {
      this.note('startByEnd');
      const isAllDay = isDate(end);
      const usual = isAllDay ? { days: 1, time: 0 } : { days: 0, time: hour };
      const length = lengthOf(textOf(component, 'DURATION')) ?? usual;
      const clock = isAllDay ? this.home : this.clockFor(end, series?.clock);
      return { start: endsAt - length.days * day - length.time, clock, isAllDay, length };
    }
    this.note('start');
    return undefined;
  }

  private lengthOf(component: Component, event: Omit<Event, 'length'>, series?: Event): Length {
    const { isAllDay } = event;
    const [end, text] = [named(component, 'DTEND'), textOf(component, 'DURATION')];
    const duration = text === '' ? undefined : lengthOf(text);
    const length = (end && this.lengthUntil(end, event)) ?? (duration && (isAllDay ? wholeDays(duration) : duration));
    if (length) return length;
    const isUnread = end !== undefined || text !== '';
    if (!isUnread && series && series.isAllDay === isAllDay) return series.length;
    if (isAllDay) {
      if (isUnread) this.note('endOfDay');
      return { days: 1, time: 0 };
    }
    if (isUnread) this.note('end');
    return { days: 0, time: isUnread ? hour : 0 };
  }

  /** The length of an event by its end; undefined if we can't read it, or it is before the start. */
  private lengthUntil(property: Property, { start, clock, isAllDay }: Omit<Event, 'length'>): Length | undefined {
    const end = localOf(property.value);
    if (end === undefined) {
      const last = daysNamedIn(property.value);
      if (!last || last.start + last.days * day <= start) return undefined;
      this.note('endOfDay');
      const until = last.start + last.days * day;
      return isAllDay ? wholeDays({ days: 0, time: until - start }) : { days: 0, time: clock(until) - clock(start) };
    }
    if (isAllDay) return wholeDays({ days: 0, time: end - start });
    if (isDate(property)) {
      // The date after the last day, or the last day itself.
      const until = end > start ? end : end + day;
      return until > start ? { days: 0, time: clock(until) - clock(start) } : undefined;
    }
    const time = this.clockFor(property, clock)(end) - clock(start);
    return time >= 0 ? { days: 0, time } : undefined;
  }

  /** The day that a date or a time means for events of whole days, whose dates have no zone. */
  private dayMeant({ value }: Pick<Property, 'value'>): Local | undefined {
    const at = localOf(value);
    if (at === undefined || !/Z$/i.test(value)) return at === undefined ? undefined : dayOfTime(at);
    // A day may end at 23:59 or 23:59:59.
    const full = Math.ceil(at / (15 * minute)) * 15 * minute;
    if (full > at && full - at <= minute) return this.dayBeginningAt(full) - day;
    return this.dayBeginningAt(at);
  }

  /** The day that begins at an instant, for the provider or for somebody in another zone. */
  private dayBeginningAt(at: Instant): Local {
    const local = localAt(this.home, at);
    if (at % day !== 0 && local % day === 0) return local;
    return dayOfTime(at) + (at - dayOfTime(at) > day / 2 ? day : 0);
  }

  private add(startsAt: Instant, endsAt: Instant): void {
    if (endsAt > startsAt && endsAt > this.window.from && startsAt < this.window.until)
      this.spans.push({ startsAt, endsAt });
  }

  private addEvent({ start, clock, length }: Event): void {
    this.add(clock(start), clock(start + length.days * day) + length.time);
  }

  /** The starts by one rule of an event, or why we can't tell them. */
  private startsBy(text: string, event: Event): StartsByRule | 'rule' | 'hard' {
    try {
      return this.startsWithin(this.steps.part(mostStepsOfEvent), text, event);
    } catch (error) {
      if (error instanceof TooManySteps && error.isOfPart) return 'hard';
      throw error;
    }
  }

  private startsWithin(steps: Steps, text: string, event: Event): StartsByRule | 'rule' | 'hard' {
    const reading = readRule(text);
    if (!reading) return 'rule';
    const { rule, isWidened, isAnyTime, isDayMeant, reach } = reading;
    const first = isAnyTime ? dayOfTime(event.start) : event.start;
    const isPast = this.pastOf(rule, event);
    const isOver = (at: Local) => at > event.start + reach || isPast(at);
    if (isDayMeant) {
      const isMeant = isDayMeant(event.start);
      if (!isMeant) return 'rule';
      const days = startsOf(everyDay, first, this.windowFor(event, steps), isOver) ?? [];
      steps.take(10 * days.length);
      return { starts: days.filter(isMeant), isWidened, isAnyTime };
    }
    const starts = startsOf(rule, first, this.windowFor(event, steps), isOver);
    return starts ? { starts, isWidened, isAnyTime } : 'hard';
  }

  private windowFor({ length }: Event, steps = this.steps): Window & { steps: Steps } {
    const back = length.days * day + length.time + 3 * day;
    return { from: this.window.from - back, until: this.window.until + 2 * day, steps };
  }

  private pastOf({ until }: Rule, { clock, isAllDay }: Event): (at: Local) => boolean {
    const last = until === null ? undefined : isAllDay ? this.dayMeant({ value: until }) : localOf(until);
    if (until === null || last === undefined) return () => false;
    if (isAllDay || !until.includes('T')) return (at) => dayOfTime(at) > last;
    if (!until.endsWith('Z')) return (at) => at > last;
    // No clock is more than a day from UTC.
    return (at) => at > last + day || (at > last - day && clock(at) > last);
  }

  /** The starts of a series, each with how long it blocks. The rules of a second line add theirs. */
  private startsOf(component: Component, event: Event): { at: Local; length: Length }[] {
    const anyTime = { days: event.length.days + 1, time: event.length.time };
    const excluded = new Set(allNamed(component, 'EXRULE').flatMap(({ value }) => this.startsExcluded(value, event)));
    // The first start counts even if the rule doesn't yield it.
    const starts = new Map([[event.start, { at: event.start, length: event.length }]]);
    for (const { value } of allNamed(component, 'RRULE')) {
      const read = this.startsBy(value, event);
      const isTold = typeof read !== 'string';
      if (!isTold) this.note(read);
      else if (read.isWidened) this.note('ruleOfDays');
      const isAnyTime = isTold ? read.isAnyTime : readRule(value)?.isAnyTime === true;
      const everyStart = () => startsOf(everyDay, event.start, this.windowFor(event)) ?? [];
      for (const at of isTold ? read.starts : everyStart())
        if (isAnyTime || !starts.has(at)) starts.set(at, { at, length: isAnyTime ? anyTime : event.length });
    }
    return [...starts.values()].filter(({ at }) => !excluded.has(at));
  }

  /** The starts that a rule takes away; none if we aren't sure of it. */
  private startsExcluded(text: string, event: Event): Local[] {
    const read = this.startsBy(text, event);
    if (typeof read !== 'string' && !read.isWidened) return read.starts;
    this.note('exception');
    return [];
  }

  /** Adds an event, or a series without the dates that other components change. */
  addSeries(component: Component, others: Component[], series?: Event): void {
    const event = this.eventOf(component, series);
    if (!event) return;
    if (!named(component, 'RRULE') && !named(component, 'RDATE')) {
      this.addEvent(event);
      return;
    }
    const exceptions = this.exceptionsOf(component, others, event);
    for (const { at, length } of this.startsOf(component, event))
      this.addOne({ ...event, length }, { at, startsAt: event.clock(at) }, exceptions);
    for (const property of datesOf(component, 'RDATE')) this.addDate(property, event, exceptions);
  }

  private addDate(property: Property, event: Event, exceptions: Exceptions): void {
    if (property.value.includes('/')) {
      this.addPeriod(property, event.clock, exceptions);
      return;
    }
    const at = event.isAllDay ? this.dayMeant(property) : localOf(property.value);
    if (at === undefined) {
      const dates = daysNamedIn(property.value);
      this.note(dates ? 'startOfDay' : 'start');
      if (dates) this.addEvent({ ...event, start: dates.start, length: { days: dates.days, time: 0 } });
      return;
    }
    // A date alone has the time of the series.
    const isSameTime = isDate(property) && !event.isAllDay;
    const local = isSameTime ? at + event.start - dayOfTime(event.start) : at;
    const clock = event.isAllDay || isSameTime ? event.clock : this.clockFor(property, event.clock);
    this.addOne({ ...event, clock }, { at: local, startsAt: clock(local) }, exceptions);
  }

  private exceptionsOf(component: Component, others: Component[], event: Event): Exceptions {
    const exceptions: Exceptions = { dropped: new Set(), droppedDays: new Set(), moves: [] };
    // Count the work: each series with the same UID reads all of these, and a calendar may have thousands.
    this.steps.take(others.reduce((work, { properties }) => work + 10 + properties.length, 10));
    const replaced = others.flatMap((other) => datesOf(other, 'RECURRENCE-ID'));
    this.steps.take(10 * replaced.length);
    for (const property of [...datesOf(component, 'EXDATE'), ...replaced]) {
      const at = event.isAllDay ? this.dayMeant(property) : localOf(property.value);
      if (at === undefined) this.note('exception');
      else if (event.isAllDay || isDate(property)) exceptions.droppedDays.add(at);
      else exceptions.dropped.add(this.clockFor(property, event.clock)(at));
    }
    for (const other of others) {
      const property = named(other, 'RECURRENCE-ID');
      const at = property && (event.isAllDay ? this.dayMeant(property) : localOf(property.value));
      const to = isRange(property) ? this.quietly(() => this.eventOf(other, event)) : undefined;
      if (!property || at === undefined || !to) continue;
      const clock = event.isAllDay || isDate(property) ? event.clock : this.clockFor(property, event.clock);
      const from = clock(at);
      const fromLocal = isDate(property) && !event.isAllDay ? at + event.start - dayOfTime(event.start) : undefined;
      exceptions.moves.push({ from, fromLocal: fromLocal ?? localAt(event.clock, from), to });
    }
    exceptions.moves.sort((one, other) => one.from - other.from);
    return exceptions;
  }

  private addOne({ clock, length }: Event, { at, startsAt }: { at: Local; startsAt: Instant }, exceptions: Exceptions) {
    const { dropped, droppedDays, moves } = exceptions;
    // The offset of a day long ago isn't known yet, and asking for it takes ten times longer than the rest.
    this.steps.take((at < this.window.from - 400 * day ? 100 : 10) + moves.length);
    if (dropped.has(startsAt) || droppedDays.has(dayOfTime(at))) return;
    const move = moves.findLast(({ from }) => from <= startsAt);
    if (move) this.addEvent({ ...move.to, start: move.to.start + at - move.fromLocal });
    else this.add(startsAt, (length.days > 0 ? clock(at + length.days * day) : startsAt) + length.time);
  }

  /** Adds a period such as 20261201T090000Z/PT1H. */
  addPeriod(property: Property, usual = this.home, exceptions?: Exceptions): void {
    const [from = '', to = ''] = property.value.split('/');
    const start = localOf(from);
    if (start === undefined) {
      this.note('start');
      return;
    }
    const clock = this.clockFor({ ...property, value: from }, usual);
    const startsAt = clock(start);
    if (exceptions?.dropped.has(startsAt) || exceptions?.droppedDays.has(dayOfTime(start))) return;
    const end = localOf(to);
    const length = lengthOf(to);
    if (end !== undefined) this.add(startsAt, this.clockFor({ ...property, value: to }, usual)(end));
    else if (length) this.add(startsAt, clock(start + length.days * day) + length.time);
    else {
      this.note('end');
      this.add(startsAt, startsAt + hour);
    }
  }

  /** Adds what stands of the events with one UID. */
  addAll(components: Component[]): void {
    const [only] = components;
    if (only && components.length === 1) {
      if (isBlocking(only)) this.addSeries(only, []);
      return;
    }
    const isChange = (component: Component) => named(component, 'RECURRENCE-ID') !== undefined;
    const masters = newestOf(
      components.filter((component) => !isChange(component)),
      () => '',
    );
    const changed = components.filter(isChange);
    const [master] = changed.length > 0 ? masters : [];
    const series = master && this.quietly(() => this.eventOf(master));
    const changes = newestOf(changed, (change) => this.keyOf(change, series));
    const canceled = masters.find(isCanceled);
    for (const master of masters) if (isBlocking(master)) this.addSeries(master, changes);
    for (const change of changes) {
      // To cancel a series cancels all changes that were made before.
      const isGone = canceled !== undefined && compareVersions(canceled, change) > 0;
      if (isBlocking(change) && !isGone) this.addSeries(change, [], series);
    }
  }

  /** The same for two versions of the change of one date. */
  private keyOf(change: Component, series: Event | undefined): string {
    const property = named(change, 'RECURRENCE-ID');
    const at = property && (series?.isAllDay ? this.dayMeant(property) : localOf(property.value));
    if (!property || at === undefined) return `? ${property?.value}`;
    const isOfDay = series?.isAllDay || isDate(property);
    const when = isOfDay ? at : this.quietly(() => this.clockFor(property, series?.clock)(at));
    return `${isOfDay} ${when} ${isRange(property)}`;
  }

  /** Reads something again, without counting its doubts twice. */
  private quietly<Result>(read: () => Result): Result {
    const doubts = new Map(this.doubts);
    const result = read();
    this.doubts.clear();
    for (const [doubt, n] of doubts) this.doubts.set(doubt, n);
    return result;
  }
}

/** Lengthens a length to whole days. */
const wholeDays = ({ days, time }: Length): Length => ({ days: Math.max(1, days + Math.ceil(time / day)), time: 0 });

/** What a provider reads of so many doubts of a kind. */
const sentences = {
  zone: (times) =>
    msg`${plural({ times }, { one: '# time is', other: '# times are' })} in a time zone that we don't know. We read them by your own clock.`,
  rule: (events) =>
    msg`${plural({ events }, { one: '# event repeats', other: '# events repeat' })} in a way that we can't read. We block that time on every day.`,
  hard: (events) =>
    msg`${plural({ events }, { one: '# event repeats', other: '# events repeat' })} so often that we can't follow. We block that time on every day.`,
  ruleOfDays: (events) =>
    msg`${plural({ events }, { one: '# event repeats', other: '# events repeat' })} in a way that we can read only in part. We block each time that may be meant.`,
  exception: (exceptions) =>
    msg`${plural({ exceptions }, { one: '# exception', other: '# exceptions' })} of repeating events can't be read. We block that time.`,
  start: (events) =>
    msg`${plural({ events }, { one: '# event has', other: '# events have' })} no start that we can read. It blocks nothing.`,
  startOfDay: (events) =>
    msg`${plural({ events }, { one: '# event has', other: '# events have' })} a start of which we can read only the day. We block the whole day.`,
  startByEnd: (events) =>
    msg`${plural({ events }, { one: '# event has', other: '# events have' })} no start that we can read. We block the time before its end.`,
  formerStart: (events) =>
    msg`${plural({ events }, { one: '# event has', other: '# events have' })} no new start that we can read. We block its former time.`,
  end: (events) =>
    msg`${plural({ events }, { one: '# event has', other: '# events have' })} no end that we can read. We block an hour.`,
  endOfDay: (events) =>
    msg`${plural({ events }, { one: '# event has', other: '# events have' })} an end that we can't read whole. We block until the end of its day.`,
  gaps: () => msg`It has so many events that we block short breaks between them too.`,
} satisfies Record<string, (n: number) => Words>;

/**
 * Reads the busy times of the next 90 days. Events that are marked as free, canceled, or our own block nothing.
 * @param zone the provider's zone, for whole days and for times without a zone
 */
export function readCalendar(text: string, zone: string, now: Instant): Reading | Unreadable {
  try {
    return read(text, zone, now);
  } catch (error) {
    if (error instanceof TooManySteps) return 'too_hard';
    throw error;
  }
}

/** True for the message that calls off the events in it. */
function isCancellation(text: string): boolean {
  const head = text.slice(0, Math.max(0, text.search(/^BEGIN:(?!VCALENDAR)/im)));
  return /^METHOD(?:;[^:\r\n]*)?:[ \t]*CANCEL[ \t]*$/im.test(head) && !/BEGIN:VCALENDAR/i.test(text.slice(head.length));
}

function read(text: string, zone: string, now: Instant): Reading | Unreadable {
  const window = { from: now, until: now + busyDays * day };
  const cut = cutCalendar(text, window);
  if (!cut) return 'no_calendar';
  if (isCancellation(text)) return { busy: [], events: 0, next: null, doubts: [] };
  const reader = new Reader(zone, cut.zones, window);
  const series = new Map<string, Component[]>();
  for (const component of cut.events) {
    if (isOurs(component)) continue;
    // Without a UID nothing tells which of them belong together.
    const uid = textOf(component, 'UID') || ` ${series.size}`;
    const known = series.get(uid);
    if (known) known.push(component);
    else series.set(uid, [component]);
  }
  for (const components of series.values()) {
    reader.addAll(components);
    if (reader.spans.length > mostEvents) return 'too_many_events';
  }
  for (const list of cut.busyLists) {
    for (const period of datesOf(list, 'FREEBUSY')) {
      if (period.parameters.get('FBTYPE')?.toUpperCase() !== 'FREE') reader.addPeriod(period);
    }
  }
  const { spans, gap } = fewSpans(reader.spans);
  if (gap > 0) reader.note('gaps');
  const next = reader.spans.reduce<Instant | null>(
    (first, { startsAt }) => (first === null || startsAt < first ? startsAt : first),
    null,
  );
  return {
    busy: inDays(spans, window),
    events: reader.spans.length,
    next,
    doubts: [...reader.doubts].map(([doubt, n]) => sentences[doubt](n)),
  };
}
