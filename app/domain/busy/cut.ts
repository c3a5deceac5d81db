import { addDays, day, type Instant, type LocalDate, localDateOf } from '../time/clock';
import { Steps } from './rules';
import { type Component, lengthOf, parseComponent, propertyOf, unfolded, valueIn, withLineFeeds } from './text';

// Finds the components of a calendar in one pass over its lines, and drops past events. Most events are past, and
// reading one in full takes ten times longer than finding its dates.

export type Cut = { events: Component[]; busyLists: Component[]; zones: Component[] };

/** Components that stand side by side in a calendar. Where one begins, one without an end is over. */
const siblings = new Set(['VEVENT', 'VFREEBUSY', 'VTIMEZONE', 'VTODO', 'VJOURNAL']);
/** The properties that say when an event is, or of which event it is a version. */
const dating = new Set(['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'RECURRENCE-ID', 'UID']);
const names = new Set(['BEGIN', 'END', ...dating]);
const sizes = new Set([...names].map(({ length }) => length));

/** A line in short: its parameters are read later, if at all. */
type ShortProperty = { name: string; value: string; line: string };
/** Lines that are read in short, and in full: each takes a microsecond. No person's calendar has as many. */
const mostProperties = 100_000;
const mostRead = 25_000;
/** An alarm in an event in a calendar is three. */
const mostDepth = 20;
const lettersOfDate = 16;

type Block = { name: string; start: number; end: number; lines: number; properties: ShortProperty[] };

const [tab, lineFeed, carriageReturn, blank, dot, colon, semicolon] = [0x09, 0x0a, 0x0d, 0x20, 0x2e, 0x3a, 0x3b];
const isBlank = (sign: number) => sign === blank || sign === tab;

const lineEnd = (text: string, start: number) => {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
};

/** The line in short if its name is one of those above. Reading all lines would take most of the time. */
function shortPropertyAt(text: string, start: number, end: number, isFolded: boolean): ShortProperty | undefined {
  let nameStart = start;
  let at = start;
  let sign = text.charCodeAt(at);
  while (at < end && sign !== colon && sign !== semicolon && sign !== carriageReturn && sign !== lineFeed) {
    if (sign === dot) nameStart = at + 1;
    sign = text.charCodeAt(++at);
  }
  // Even a name may be folded.
  if (isFolded && sign !== colon && sign !== semicolon) return shortPropertyIn(unfolded(text.slice(start, end)));
  if (at === end) return undefined;
  if (isBlank(text.charCodeAt(at - 1))) return shortPropertyIn(unfolded(text.slice(start, end)));
  const name = sizes.has(at - nameStart) ? nameIn(text.slice(nameStart, at)) : undefined;
  if (!name) return undefined;
  const line = isFolded ? unfolded(text.slice(start, end)) : text.slice(start, end);
  const found = valueIn(line, name, at - start);
  return found && { name, value: found.value, line };
}

const nameIn = (text: string) => {
  if (names.has(text)) return text;
  const name = text.toUpperCase();
  return names.has(name) ? name : undefined;
};

function shortPropertyIn(line: string): ShortProperty | undefined {
  const property = propertyOf(line);
  return property && names.has(property.name) ? { name: property.name, value: property.value, line } : undefined;
}

/** Finds the components one level below the calendar; undefined if it isn't whole. */
function blocksOf(text: string, steps: Steps): Block[] | undefined {
  const blocks: Block[] = [];
  const open: string[] = [];
  let calendars = 0;
  let block: Block | undefined;
  let depth = 0;
  const endBlock = (end: number) => {
    if (!block) return;
    block.end = end;
    blocks.push(block);
    block = undefined;
  };
  for (let start = 0, next = 0; start < text.length; start = next) {
    let end = lineEnd(text, start);
    const isFolded = isBlank(text.charCodeAt(end + 1));
    while (isBlank(text.charCodeAt(end + 1))) end = lineEnd(text, end + 1);
    next = end + 1;
    if (block) block.lines += 1;
    const property = shortPropertyAt(text, start, end, isFolded);
    if (!property) continue;
    steps.take(1);
    if (property.name === 'BEGIN') {
      const name = property.value.toUpperCase();
      if (name === 'VCALENDAR' && open.length > 0) return undefined;
      if (block && siblings.has(name)) {
        endBlock(start);
        open.length = depth - 1;
      }
      if (open.push(name) > mostDepth) return undefined;
      if (!block && siblings.has(name) && (open.length === 1 || (open.length === 2 && open[0] === 'VCALENDAR'))) {
        block = { name, start, end, lines: 0, properties: [] };
        depth = open.length;
      }
    } else if (property.name === 'END') {
      const name = property.value.toUpperCase();
      const place = open.lastIndexOf(name);
      if (name === 'VCALENDAR') {
        if (place < 0) return undefined;
        calendars += 1;
      }
      if (place < 0) continue;
      open.length = place;
      if (place < depth) endBlock(end);
    } else if (block && open.length === depth) block.properties.push(property);
  }
  return calendars > 0 && open.length === 0 ? blocks : undefined;
}

const dateText = (date: LocalDate) => date.replaceAll('-', '');
const dateOf = (value: string) => /^(\d{8})(?:T\d{4,6}Z?)?$/.exec(value)?.[1];

/** The dates of an event; undefined if they are unusual. */
type Dates = { start: string; end: string; until: string | undefined; isRepeated: boolean; original: string };

function datesOf(properties: ShortProperty[]): Dates | undefined {
  const dates: Dates = { start: '', end: '', until: undefined, isRepeated: false, original: '' };
  for (const { name, value, line } of properties) {
    // A change to one date of a series may move all later dates too.
    if (name === 'RDATE' || (name === 'RECURRENCE-ID' && propertyOf(line)?.parameters.has('RANGE'))) return undefined;
    if (name === 'UID') continue;
    if (name === 'DURATION') {
      const length = lengthOf(value);
      if (!length || dates.end !== '') return undefined;
      if (length.days * day + length.time <= day) continue;
      return undefined;
    }
    if (name === 'RRULE') {
      if (dates.isRepeated) return undefined;
      dates.isRepeated = true;
      dates.until = /(?:^|;)\s*UNTIL\s*=\s*(\d{8})/i.exec(value)?.[1];
      continue;
    }
    const date = dateOf(value);
    const key = name === 'DTSTART' ? 'start' : name === 'DTEND' ? 'end' : 'original';
    if (date === undefined || dates[key] !== '') return undefined;
    dates[key] = date;
  }
  return dates.start === '' ? undefined : dates;
}

/** True if the dates of an event show that it lies outside of the window. Whatever looks unusual counts as inside. */
function isOutside({ properties }: Block, from: string, until: string): boolean {
  const dates = datesOf(properties);
  if (!dates) return false;
  const { start, end, original } = dates;
  // An event that takes a day at most is over soon after its last start.
  if (dates.isRepeated)
    return start > until || (dates.until !== undefined && dates.until < from && (end === '' || end === start));
  // An event may have been moved from inside the window to outside: then its old time must become free.
  if (original !== '' && original >= from && original <= until) return false;
  return (end === '' ? start : end) < from || start > until;
}

const firstOf = ({ properties }: Block, wanted: string) => properties.find(({ name }) => name === wanted)?.value ?? '';
const uidOf = (block: Block) => firstOf(block, 'UID');

/** Finds the events that may be inside of the window, and the other versions of these: one of them may count more. */
function eventsInside(events: Block[], from: string, until: string): Block[] {
  const inside = new Map<string, Set<string>>();
  const outside = new Set<Block>();
  for (const block of events) {
    const uid = uidOf(block);
    if (isOutside(block, from, until)) outside.add(block);
    else if (uid !== '') inside.set(uid, (inside.get(uid) ?? new Set()).add(firstOf(block, 'RECURRENCE-ID')));
  }
  return events.filter(
    (block) => !outside.has(block) || inside.get(uidOf(block))?.has(firstOf(block, 'RECURRENCE-ID')),
  );
}

/**
 * Finds the events that may block time in a window.
 * @returns undefined if the text is not a whole calendar
 * @throws TooManySteps
 */
export function cutCalendar(calendar: string, window: { from: Instant; until: Instant }): Cut | undefined {
  const text = withLineFeeds(calendar).trimStart();
  const blocks = blocksOf(text, new Steps(mostProperties));
  if (!blocks) return undefined;
  const from = dateText(addDays(localDateOf(window.from, 'UTC'), -2));
  const until = dateText(addDays(localDateOf(window.until, 'UTC'), 2));
  const steps = new Steps(mostRead);
  const componentOf = ({ start, end, lines }: Block) => {
    steps.take(lines);
    const component = parseComponent(text.slice(start, end));
    const lists = component.properties.filter(
      ({ name }) => name === 'RDATE' || name === 'EXDATE' || name === 'FREEBUSY',
    );
    steps.take(lists.reduce((all, { value }) => all + Math.floor(value.length / lettersOfDate), 0));
    return component;
  };
  const all = (wanted: string) => blocks.filter(({ name }) => name === wanted);
  return {
    events: eventsInside(all('VEVENT'), from, until).map(componentOf),
    busyLists: all('VFREEBUSY').map(componentOf),
    zones: all('VTIMEZONE').map(componentOf),
  };
}
