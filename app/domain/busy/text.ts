// Reads the text of a calendar (RFC 5545, 3.1): lines, properties and components. It takes what other programs write
// besides: any line ends, blanks at the end of a line, lower case, and colons in a zone's name without quotes.

/** A local time in milliseconds, as if the zone were UTC. */
export type Local = number;

export type Property = { name: string; parameters: Map<string, string>; value: string };
export type Component = { name: string; properties: Property[]; components: Component[] };

/** The first value of a property, without the backslashes before commas and semicolons; blank if there is none. */
export const textOf = ({ properties }: Component, name: string): string => {
  const value = properties.find((property) => property.name === name)?.value ?? '';
  return value.includes('\\') ? value.replaceAll(/\\([\\;,])/g, '$1') : value;
};

/** Decodes a calendar. A program may fold a line inside of a letter, so folds are taken out of the bytes if need be. */
export function decodeCalendar(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  const text = new TextDecoder().decode(bytes);
  return text.includes('\uFFFD') ? new TextDecoder().decode(unfoldedBytes(bytes)) : text;
}

/** True if the first line that isn't blank begins a calendar. */
export const beginsCalendar = (text: string): boolean =>
  /^\s*BEGIN[ \t]*:[ \t]*VCALENDAR[ \t]*[\r\n]/i.test(text.slice(0, 1000));

function unfoldedBytes(bytes: Uint8Array): Uint8Array {
  const [cr, lf, blank, tab] = [13, 10, 32, 9];
  const unfolded = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const end = bytes[at] === cr && bytes[at + 1] === lf ? at + 1 : at;
    const isFold = (bytes[end] === lf || bytes[end] === cr) && (bytes[end + 1] === blank || bytes[end + 1] === tab);
    if (isFold) at = end + 1;
    else unfolded[length++] = bytes[at] as number;
  }
  return unfolded.subarray(0, length);
}

/** Ends each line with a line feed, perhaps after a carriage return. */
export function withLineFeeds(text: string): string {
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 2))
    if (text[at + 1] !== '\n') return text.replaceAll(/\r+\n?/g, '\n');
  return text;
}

export const unfolded = (text: string): string => text.replaceAll(/\r?\n[ \t]/g, '');

/** The properties whose values are dates, which neither have a colon nor differ by case. */
const ofDates = new Set(['DTSTART', 'DTEND', 'RECURRENCE-ID', 'EXDATE', 'RDATE', 'FREEBUSY']);
const isOfDates = (name: string) => ofDates.has(name);
const dateAfter = /[ \t]*\d{8}/y;

const hasDateAfter = (line: string, colon: number) => {
  dateAfter.lastIndex = colon + 1;
  return dateAfter.test(line);
};

/** The colon before the value. Programs write `TZID=(GMT+05:30) Chennai:20261204T150000` without quotes. */
function colonOf(line: string, name: string): number {
  const first = line.indexOf(':');
  if (first === line.lastIndexOf(':')) return first;
  const colons: number[] = [];
  const colonsInQuotes: number[] = [];
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (line[at] === ':') (isQuoted ? colonsInQuotes : colons).push(at);
    if (colons.length > 0 && !isOfDates(name)) break;
  }
  if (!isOfDates(name) || (colons.length === 1 && !isQuoted)) return colons[0] ?? -1;
  const found = [...colons, ...colonsInQuotes].find((colon) => hasDateAfter(line, colon));
  return found ?? colons[0] ?? -1;
}

/** The parts of a line without folds, of which the name is known and its end is a colon or a semicolon. */
export function valueIn(line: string, name: string, nameEnd: number): { value: string; colon: number } | undefined {
  const colon = line[nameEnd] === ':' ? nameEnd : colonOf(line, name);
  if (colon < 0) return undefined;
  const value = line.slice(colon + 1).trim();
  return { colon, value: isOfDates(name) && /[a-z]/.test(value) ? value.toUpperCase() : value };
}

/** Reads a line without folds; undefined if it is none of a calendar. */
export function propertyOf(line: string): Property | undefined {
  // A name may have the group of a vCard before it.
  const [start = '', name = ''] = /^(?:[\w-]+\.)*([\w-]+)[ \t]*/.exec(line) ?? [];
  if (name === '' || !/[:;]/.test(line[start.length] ?? '')) return undefined;
  const upperName = name.toUpperCase();
  const found = valueIn(line, upperName, start.length);
  return (
    found && {
      name: upperName,
      parameters: parametersOf(line.slice(start.length + 1, found.colon)),
      value: found.value,
    }
  );
}

/** Reads parameters. A quoted value may contain the signs that otherwise end one. */
function parametersOf(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  if (text === '') return parameters;
  for (const part of text.includes('"') ? (text.match(/(?:[^;"]+|"[^"]*"?)+/g) ?? []) : text.split(';')) {
    const equals = part.indexOf('=');
    if (equals < 0) continue;
    const name = part.slice(0, equals).trim().toUpperCase();
    const value = part
      .slice(equals + 1)
      .replaceAll('"', '')
      .trim();
    // Only the names of zones have letters that differ by case.
    parameters.set(name, name === 'TZID' ? value : value.toUpperCase());
  }
  return parameters;
}

/** Reads a component, such as an event, with all that is inside it. It skips lines that it can't read. */
export function parseComponent(text: string): Component {
  const top: Component = { name: '', properties: [], components: [] };
  const open = [top];
  for (const line of unfolded(text).split('\n')) {
    const property = propertyOf(line);
    if (!property) continue;
    const parent = open.at(-1) as Component;
    if (property.name === 'BEGIN') {
      const component: Component = { name: property.value.toUpperCase(), properties: [], components: [] };
      parent.components.push(component);
      open.push(component);
    } else if (property.name === 'END') {
      const place = open.findLastIndex(({ name }) => name === property.value.toUpperCase());
      if (place > 0) open.length = place;
    } else parent.properties.push(property);
  }
  return top.components[0] ?? top;
}

const localPattern = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d)(?:\.\d+)?)?Z?)?$/i;

/** Reads a local time, or a date as its midnight; undefined for any other text. 24:00 is midnight after the day. */
export function localOf(text: string): Local | undefined {
  const [, year, month, date, hours = '0', minutes = '0', seconds = '0'] = localPattern.exec(text) ?? [];
  if (!year) return undefined;
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  const at = new Date(0);
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(date));
  if (at.getUTCMonth() !== Number(month) - 1 || minute > 59 || second > 60) return undefined;
  if (hour > 23 && (hour > 24 || minute + second > 0)) return undefined;
  // A leap second counts as the second before it (RFC 5545, 3.3.12).
  return at.setUTCHours(hour, minute, Math.min(59, second));
}

const lengthPattern =
  /^([+-])?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T?(?:(\d{1,5})D)?(?:(\d{1,6}(?:\.\d+)?)H)?(?:(\d{1,6}(?:\.\d+)?)M)?(?:(\d{1,8})S)?)?$/i;

/**
 * Reads a length such as P1W or PT1H30M, and what some programs write for it, such as PT1D and P1H. Days may be longer
 * or shorter than 24 hours; the time is in milliseconds.
 */
export function lengthOf(text: string): { days: number; time: number } | undefined {
  const [all, sign, weeks = '0', days = '0', lateDays = '0', hours = '0', minutes = '0', seconds = '0'] =
    lengthPattern.exec(text) ?? [];
  // Without its T, P5M may be five months.
  if (!all || sign === '-' || (minutes !== '0' && !/T/i.test(all))) return undefined;
  return {
    days: Number(weeks) * 7 + Number(days) + Number(lateDays),
    time: Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000),
  };
}
