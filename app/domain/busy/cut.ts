import { addDays, type Instant, type LocalDate, localDateOf } from '../time/clock';

// Cuts a calendar into events, and drops past ones without reading them. Most events are past, and reading takes ten
// times longer than finding two dates.

const dateText = (date: LocalDate) => date.replaceAll('-', '');

function lineOf(block: string, name: string): string {
  const start = block.indexOf(`\n${name}`);
  if (start < 0) return '';
  let end = block.indexOf('\n', start + 1);
  while (end >= 0 && (block[end + 1] === ' ' || block[end + 1] === '\t')) end = block.indexOf('\n', end + 1);
  return block.slice(start + 1, end < 0 ? undefined : end);
}

/** The date in a line; blank unless the line has exactly one, in the plain format. */
const dateOf = (line: string) => /:(\d{8})(?:T\d{6}Z?)?\r?$/.exec(line)?.[1] ?? '';

/** True if the event's dates show that it lies outside of the window. Whatever looks unusual counts as inside. */
function isOutside(block: string, from: string, until: string): boolean {
  if (block.includes('\nRDATE') || block.includes('\nDURATION')) return false;
  const start = dateOf(lineOf(block, 'DTSTART'));
  if (start === '') return false;
  const rule = lineOf(block, 'RRULE');
  if (rule !== '') {
    if (start > until) return true;
    const last = /[:;]UNTIL=(\d{8})/.exec(rule)?.[1];
    return last !== undefined && last < from && isShort(block, start);
  }
  const moved = lineOf(block, 'RECURRENCE-ID');
  // A change to one date of a series may move all later dates too.
  if (moved.includes('RANGE=')) return false;
  const original = moved === '' ? start : dateOf(moved);
  // An event may have been moved from inside the window to outside: then its old time must become free.
  if (original === '' || (original >= from && original <= until)) return false;
  const endLine = lineOf(block, 'DTEND');
  const end = endLine === '' ? start : dateOf(endLine);
  return end !== '' && (end < from || start > until);
}

/** True if an event takes a day at most: then a repeating event is over soon after its UNTIL. */
function isShort(block: string, start: string): boolean {
  const end = dateOf(lineOf(block, 'DTEND'));
  return end === '' || end === start;
}

function* blocksOf(text: string, name: string): Generator<string> {
  const [begin, end] = [`BEGIN:${name}`, `\nEND:${name}`];
  for (let start = text.indexOf(begin); start >= 0; start = text.indexOf(begin, start)) {
    const last = text.indexOf(end, start);
    if (last < 0) return;
    if (start === 0 || text[start - 1] === '\n') yield text.slice(start, last + end.length);
    start = last + end.length;
  }
}

export type Cut = { events: string[]; busyLists: string[]; zones: string[] };

/** Cuts out the events that may block time in a window. @returns undefined if the text is not a complete calendar */
export function cutCalendar(text: string, window: { from: Instant; until: Instant }): Cut | undefined {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR\r?\n/.test(text.slice(0, 100)) || !/\nEND:VCALENDAR\s*$/.test(text.slice(-100)))
    return undefined;
  const from = dateText(addDays(localDateOf(window.from, 'UTC'), -2));
  const until = dateText(addDays(localDateOf(window.until, 'UTC'), 2));
  const events: string[] = [];
  for (const block of blocksOf(text, 'VEVENT')) if (!isOutside(block, from, until)) events.push(block);
  return { events, busyLists: [...blocksOf(text, 'VFREEBUSY')], zones: [...blocksOf(text, 'VTIMEZONE')] };
}
