import { day, type Instant } from '../time/clock';
import type { Span } from '../time/zones';
import { type Clock, clockDescribed, clockOf, utc, zoneNamed } from './clocks';
import { cutCalendar } from './cut';
import { type Local, parseRule, type Rule, Steps, startsOf, TooManySteps } from './rules';
import { fewSpans, inDays } from './spans';
import { type Component, lengthOf, localOf, type Property, parseComponent, textOf } from './text';

const busyDays = 90;
/** More events than any one person's calendar has. */
const mostEvents = 50_000;
/** Enough for hundreds of repeating events over twenty years; it takes some tenths of a second. */
const mostSteps = 2_000_000;

export type Reading = {
  busy: Span[];
  events: number;
  next: Instant | null;
  /** Sentences about parts that we are not sure to understand. Those parts block time. */
  doubts: string[];
};

export type Unreadable = 'no_calendar' | 'too_many_events';

type Doubt = 'zone' | 'rule' | 'start' | 'end' | 'gaps';
type Window = { from: Instant; until: Instant };

type Event = {
  start: Local;
  clock: Clock;
  /** The length of an event. A day follows the clock, so it may last 23 or 25 hours; `time` is in milliseconds. */
  length: { days: number; time: number };
  isAllDay: boolean;
};

type Exceptions = {
  dropped: Set<Instant>;
  droppedDays: Set<Local>;
  moves: { from: Instant; by: number; length: Event['length'] }[];
};

const isDate = ({ value, parameters }: Property) => parameters.get('VALUE') === 'DATE' || /^\d{8}$/.test(value);
const named = (component: Component, name: string) => component.properties.find((property) => property.name === name);
const datesOf = (component: Component, name: string) =>
  component.properties
    .filter((property) => property.name === name)
    .flatMap((property) => property.value.split(',').map((value) => ({ ...property, value: value.trim() })));

/** True for an entry of this Daybook, which blocks time anyway. */
const isOurs = (event: Component) => textOf(event, 'UID').endsWith('@daybook');

const isBlocking = (event: Component) =>
  textOf(event, 'STATUS').toUpperCase() !== 'CANCELLED' &&
  textOf(event, 'TRANSP').toUpperCase() !== 'TRANSPARENT' &&
  textOf(event, 'X-MICROSOFT-CDO-BUSYSTATUS').toUpperCase() !== 'FREE';

const isRange = (property: Property | undefined) =>
  property?.parameters.get('RANGE')?.toUpperCase() === 'THISANDFUTURE';

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
    zones: string[],
    readonly window: Window,
  ) {
    this.home = clockOf(zone);
    this.described = new Map(zones.map(parseComponent).map((component) => [textOf(component, 'TZID'), component]));
  }

  note(doubt: Doubt): void {
    this.doubts.set(doubt, (this.doubts.get(doubt) ?? 0) + 1);
  }

  private clockNamed(name: string): Clock | undefined {
    if (this.clocks.has(name)) return this.clocks.get(name);
    // Asking for an unknown zone takes tens of microseconds.
    this.steps.take(100);
    const description = this.described.get(name);
    const zone = zoneNamed(name) ?? zoneNamed((description && textOf(description, 'X-LIC-LOCATION')) || ' ');
    const clock = zone
      ? clockOf(zone)
      : description && clockDescribed(description, { ...this.window, steps: this.steps });
    this.clocks.set(name, clock);
    return clock;
  }

  /** The clock that a date names; the provider's own if it names none. */
  private clockFor({ value, parameters }: Property): Clock {
    if (value.endsWith('Z')) return utc;
    const name = parameters.get('TZID');
    if (!name) return this.home;
    const clock = this.clockNamed(name);
    if (!clock) this.note('zone');
    return clock ?? this.home;
  }

  private eventOf(component: Component): Event | undefined {
    const property = named(component, 'DTSTART');
    const start = property && localOf(property.value);
    if (!property || start === undefined) return undefined;
    const isAllDay = isDate(property);
    const clock = isAllDay ? this.home : this.clockFor(property);
    return { start, clock, isAllDay, length: this.lengthOf(component, { start, clock, isAllDay }) };
  }

  private lengthOf(component: Component, { start, clock, isAllDay }: Omit<Event, 'length'>): Event['length'] {
    const property = named(component, 'DTEND');
    if (property) {
      const end = localOf(property.value);
      if (isAllDay && end !== undefined) return { days: Math.max(1, Math.ceil((end - start) / day)), time: 0 };
      const time = end === undefined ? -1 : this.clockFor(property)(end) - clock(start);
      if (time >= 0) return { days: 0, time };
      this.note('end');
      return { days: 0, time: 60 * 60_000 };
    }
    const text = textOf(component, 'DURATION');
    const length = lengthOf(text);
    if (text !== '' && !length) this.note('end');
    if (text !== '' && !length) return { days: isAllDay ? 1 : 0, time: isAllDay ? 0 : 60 * 60_000 };
    return length && (length.days > 0 || !isAllDay) ? length : { days: isAllDay ? 1 : 0, time: 0 };
  }

  private add(startsAt: Instant, endsAt: Instant): void {
    if (endsAt > startsAt && endsAt > this.window.from && startsAt < this.window.until)
      this.spans.push({ startsAt, endsAt });
  }

  private addEvent({ start, clock, length }: Event): void {
    this.add(clock(start), clock(start + length.days * day) + length.time);
  }

  private startsOf(component: Component, event: Event): Local[] {
    const text = textOf(component, 'RRULE');
    const back = event.length.days * day + event.length.time + 2 * day;
    const window = { from: this.window.from - back, until: this.window.until + 2 * day, steps: this.steps };
    const rule = parseRule(text);
    const starts = rule && startsOf(rule, event.start, window, pastOf(rule, event));
    if (starts) return starts;
    this.note('rule');
    // If we can't read how an event repeats, it may be at any time of the day.
    if (/FREQ=(HOURLY|MINUTELY|SECONDLY)/i.test(text)) event.length = { days: 1, time: 0 };
    return startsOf(everyDay, event.start, window) ?? [];
  }

  /** Adds an event, or a series without the dates that other components change. */
  addSeries(component: Component, others: Component[]): void {
    const event = this.eventOf(component);
    if (!event) {
      this.note('start');
      return;
    }
    const isRepeated = textOf(component, 'RRULE') !== '';
    if (!isRepeated && !named(component, 'RDATE')) {
      this.addEvent(event);
      return;
    }
    const exceptions = this.exceptionsOf(component, others, event);
    // The first start counts even if the rule doesn't yield it.
    const starts = new Set([event.start, ...(isRepeated ? this.startsOf(component, event) : [])]);
    for (const at of starts) this.addOne(event, { at, startsAt: event.clock(at) }, exceptions);
    for (const property of datesOf(component, 'RDATE')) {
      const at = localOf(property.value);
      if (property.value.includes('/')) this.addPeriod(property);
      else if (at === undefined) this.note('start');
      else {
        const clock = isDate(property) ? event.clock : this.clockFor(property);
        this.addOne(event, { at, startsAt: clock(at) }, exceptions);
      }
    }
  }

  private exceptionsOf(component: Component, others: Component[], { clock }: Event): Exceptions {
    const exceptions: Exceptions = { dropped: new Set(), droppedDays: new Set(), moves: [] };
    const replaced = others.flatMap((other) => datesOf(other, 'RECURRENCE-ID'));
    // Count the work: each series with the same UID reads all of these, and a calendar may have thousands.
    this.steps.take(10 * (others.length + replaced.length));
    for (const property of [...datesOf(component, 'EXDATE'), ...replaced]) {
      const at = localOf(property.value);
      if (at === undefined) continue;
      if (isDate(property)) exceptions.droppedDays.add(at);
      else exceptions.dropped.add(this.clockFor(property)(at));
    }
    for (const other of others) {
      const property = named(other, 'RECURRENCE-ID');
      const at = property && localOf(property.value);
      const moved = isRange(property) ? this.eventOf(other) : undefined;
      if (!property || at === undefined || !moved) continue;
      const from = (isDate(property) ? clock : this.clockFor(property))(at);
      exceptions.moves.push({ from, by: moved.clock(moved.start) - from, length: moved.length });
    }
    exceptions.moves.sort((one, other) => one.from - other.from);
    return exceptions;
  }

  private addOne({ clock, length }: Event, { at, startsAt }: { at: Local; startsAt: Instant }, exceptions: Exceptions) {
    const { dropped, droppedDays, moves } = exceptions;
    this.steps.take(3 + moves.length);
    if (dropped.has(startsAt) || droppedDays.has(Math.floor(at / day) * day)) return;
    const move = moves.findLast(({ from }) => from <= startsAt);
    if (move) this.add(startsAt + move.by, startsAt + move.by + move.length.days * day + move.length.time);
    else this.add(startsAt, (length.days > 0 ? clock(at + length.days * day) : startsAt) + length.time);
  }

  /** Adds a period such as 20261201T090000Z/PT1H. */
  addPeriod(property: Property): void {
    const [from = '', to = ''] = property.value.split('/');
    const start = localOf(from);
    if (start === undefined) {
      this.note('start');
      return;
    }
    const startsAt = this.clockFor({ ...property, value: from })(start);
    const end = localOf(to);
    const length = lengthOf(to);
    if (end !== undefined) this.add(startsAt, this.clockFor({ ...property, value: to })(end));
    else if (length) this.add(startsAt, startsAt + length.days * day + length.time);
    else this.note('end');
  }
}

function pastOf({ until }: Rule, { clock }: Event): (at: Local) => boolean {
  const last = until === null ? undefined : localOf(until);
  if (until === null || last === undefined) return () => false;
  if (until.length === 8) return (at) => Math.floor(at / day) * day > last;
  if (!until.endsWith('Z')) return (at) => at > last;
  // No clock is more than a day from UTC.
  return (at) => at > last + day || (at > last - day && clock(at) > last);
}

const sentences: Record<Doubt, (n: number) => string> = {
  zone: (n) => `${times(n)} in a time zone that we don't know. We read them by your own clock.`,
  rule: (n) => `${events(n)} in a way that we can't read. We block that time on every day.`,
  start: (n) => `${n === 1 ? '1 event has' : `${n} events have`} no start that we can read. It blocks nothing.`,
  end: (n) => `${n === 1 ? '1 event has' : `${n} events have`} no end that we can read. We block an hour.`,
  gaps: () => 'It has so many events that we block short breaks between them too.',
};
const times = (n: number) => (n === 1 ? '1 time is' : `${n} times are`);
const events = (n: number) => (n === 1 ? '1 event repeats' : `${n} events repeat`);

/**
 * Reads the busy times of the next 90 days. Events that are marked as free, canceled, or our own block nothing.
 * @param zone the provider's zone, for whole days and for times without a zone
 */
export function readCalendar(text: string, zone: string, now: Instant): Reading | Unreadable {
  try {
    return read(text, zone, now);
  } catch (error) {
    if (error instanceof TooManySteps) return 'too_many_events';
    throw error;
  }
}

function read(text: string, zone: string, now: Instant): Reading | Unreadable {
  const window = { from: now, until: now + busyDays * day };
  const cut = cutCalendar(text, window);
  if (!cut) return 'no_calendar';
  const reader = new Reader(zone, cut.zones, window);
  const series = new Map<string, { masters: Component[]; others: Component[] }>();
  for (const component of cut.events.map(parseComponent)) {
    if (isOurs(component)) continue;
    const uid = textOf(component, 'UID');
    const known = series.get(uid) ?? { masters: [], others: [] };
    series.set(uid, known);
    (named(component, 'RECURRENCE-ID') ? known.others : known.masters).push(component);
  }
  for (const { masters, others } of series.values()) {
    for (const master of masters) if (isBlocking(master)) reader.addSeries(master, others);
    for (const other of others) if (isBlocking(other)) reader.addSeries(other, []);
    if (reader.spans.length > mostEvents) return 'too_many_events';
  }
  for (const list of cut.busyLists.map(parseComponent)) {
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
