import { machineText } from '../time/clock';
import type { Entry } from './entries';

// Writes calendars as text (RFC 5545). A library took a millisecond for each entry. A feed may have a thousand entries,
// and a request has ten milliseconds.

// An entry must have an organizer with an address (RFC 5546, 3.2.1 and 3.2.5). This one belongs to nobody (RFC 2606).
const noAddress = 'organizer@daybook.invalid';

export type Method = 'PUBLISH' | 'REQUEST' | 'CANCEL';

const instantText = (at: number) => machineText(at).replaceAll(/[-:]|\.\d+/g, '');
const escaped = (text: string) => text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r\n?|\n/g, '\\n');
/** A quotation mark would end the value of a parameter. */
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, "'").replaceAll(/[\r\n]+/g, ' ')}"`;

const encoder = new TextEncoder();
/** In bytes (RFC 5545, 3.1). */
const longestLine = 75;

function folded(line: string): string {
  // A character takes at most three bytes for each of its UTF-16 units.
  if (line.length * 3 <= longestLine) return line;
  if (line.length <= longestLine && encoder.encode(line).length <= longestLine) return line;
  let text = '';
  let room = longestLine;
  for (const character of line) {
    const code = character.codePointAt(0) as number;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (size > room) {
      text += '\r\n ';
      room = longestLine - 1;
    }
    text += character;
    room -= size;
  }
  return text;
}

const alarmOf = (minutes: number, summary: string) => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `DESCRIPTION:${escaped(summary)}`,
  `TRIGGER:-PT${minutes}M`,
  'END:VALARM',
];

function* linesOf(entry: Entry): Generator<string> {
  yield 'BEGIN:VEVENT';
  yield `UID:${entry.id}@daybook`;
  yield `SEQUENCE:${entry.sequence}`;
  yield `DTSTAMP:${instantText(entry.stampedAt)}`;
  yield `DTSTART:${instantText(entry.startsAt)}`;
  yield `DTEND:${instantText(entry.endsAt)}`;
  yield `SUMMARY:${escaped(entry.summary)}`;
  yield `STATUS:${entry.isCanceled ? 'CANCELLED' : 'CONFIRMED'}`;
  yield `ORGANIZER;CN=${quoted(entry.providerName || 'Daybook')}:mailto:${noAddress}`;
  if (entry.attendee) {
    const { name, email } = entry.attendee;
    yield `ATTENDEE;CN=${quoted(name)};PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:${email}`;
  }
  if (entry.description) yield `DESCRIPTION:${escaped(entry.description)}`;
  if (entry.location) yield `LOCATION:${escaped(entry.location)}`;
  // RFC 7986, 5.11.
  if (entry.conference) yield `CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL=${quoted(entry.summary)}:${entry.conference}`;
  if (entry.url) yield `URL;VALUE=URI:${entry.url}`;
  if (!entry.isCanceled) for (const minutes of entry.alarms ?? []) yield* alarmOf(minutes, entry.summary);
  yield 'END:VEVENT';
}

/**
 * Writes a calendar; each line ends in CR LF.
 * @param name the feed's name; a calendar program reads a feed again each hour
 */
export function calendarText(entries: Entry[], method: Method, name?: string): string {
  const feed = name
    ? [
        `NAME:${escaped(name)}`,
        `X-WR-CALNAME:${escaped(name)}`,
        'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
        'X-PUBLISHED-TTL:PT1H',
      ]
    : [];
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Daybook//Daybook//EN', `METHOD:${method}`, ...feed];
  let text = '';
  for (const line of head) text += `${folded(line)}\r\n`;
  for (const entry of entries) for (const line of linesOf(entry)) text += `${folded(line)}\r\n`;
  return `${text}END:VCALENDAR\r\n`;
}
