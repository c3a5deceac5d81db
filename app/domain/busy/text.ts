import type { Local } from './rules';

// Reads the text of a calendar (RFC 5545, 3.1).

export type Property = { name: string; parameters: Map<string, string>; value: string };
export type Component = { name: string; properties: Property[]; components: Component[] };

export const textOf = ({ properties }: Component, name: string): string =>
  properties.find((property) => property.name === name)?.value ?? '';

// A quoted value may contain the signs that otherwise end a parameter.
const parameterPattern = /;([^=;:]+)=((?:"[^"]*"|[^;:"])*)/y;

function propertyOf(line: string): Property | undefined {
  const [name = ''] = /^[\w-]+/.exec(line) ?? [];
  const parameters = new Map<string, string>();
  parameterPattern.lastIndex = name.length;
  let end = name.length;
  for (let match = parameterPattern.exec(line); match; match = parameterPattern.exec(line)) {
    parameters.set((match[1] as string).toUpperCase(), (match[2] as string).replaceAll('"', ''));
    end = parameterPattern.lastIndex;
  }
  return name !== '' && line[end] === ':'
    ? { name: name.toUpperCase(), parameters, value: line.slice(end + 1) }
    : undefined;
}

/** Reads a component, such as an event, with all that is inside it. It skips lines that it can't read. */
export function parseComponent(text: string): Component {
  const top: Component = { name: '', properties: [], components: [] };
  const open = [top];
  for (const line of text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const property = propertyOf(line);
    if (!property) continue;
    const parent = open.at(-1) as Component;
    if (property.name === 'BEGIN') {
      const component: Component = { name: property.value.trim().toUpperCase(), properties: [], components: [] };
      parent.components.push(component);
      open.push(component);
    } else if (property.name === 'END') {
      if (open.length > 1) open.pop();
    } else parent.properties.push({ ...property, value: property.value.trim() });
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
