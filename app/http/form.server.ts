import { createHash } from 'node:crypto';
import { limits } from '../domain/input/limits';
import { textOf } from '../domain/people/csv';
import type { Actor } from '../domain/profile/accounts';
import { isLocalDate, isTimeZone, wireDate } from '../domain/time/clock';
import { kibibyte, readBlob, readBody } from './body.server';

export type Typed = Record<string, string[]>;

/** The words of a text, with spaces, commas or lines between them. */
export const wordsIn = (typed: Typed, name: string): string[] =>
  typed[name]?.[0]?.split(/[\s,]+/).filter(Boolean) ?? [];

type FormLimit = { size: number; fields: number };

// For browsers that have logged in: three times what the API accepts, and enough fields to tick all options of all
// questions.
const knownLimit: FormLimit = {
  // Text that is not English takes up to three times as many bytes in a form.
  size: 3 * 512 * kibibyte,
  fields: limits.template.questions * limits.template.options + 100,
};

// For strangers, because each field takes processor time to read, check and return.
const strangersLimit: FormLimit = { size: 64 * kibibyte, fields: 1000 };

/** Counts fields without reading them. The number may be too high, but never too low. */
const countFields = (text: string, type: string) =>
  1 + [...text.matchAll(/^multipart/i.test(type) ? /content-disposition/gi : /&/g)].length;

const isEncoded = (type: string) => /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);

/**
 * Reads a form.
 * @returns the fields, without files; 413 if it is too large, 400 if it is no form
 * @param isKnown true if the browser has logged in
 */
export async function readForm(request: Request, isKnown: boolean): Promise<Typed | 400 | 413> {
  const limit = isKnown ? knownLimit : strangersLimit;
  // The object has no prototype, because a field may be named like a method, such as `constructor`.
  const typed: Typed = Object.create(null);
  const type = request.headers.get('Content-Type') ?? '';
  const text = await readBody(request, limit.size);
  if (typeof text === 'number') return text;
  if (countFields(text, type) > limit.fields) return 413;
  if (text === '') return typed;
  const form = isEncoded(type)
    ? new URLSearchParams(text)
    : await new Response(text, { headers: { 'Content-Type': type } }).formData().catch(() => null);
  if (!form) return 400;
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue;
    typed[name] ??= [];
    typed[name].push(value);
  }
  return typed;
}

// The largest table that the API accepts.
const tableLimit = 2048 * kibibyte;
// A table takes more bytes as a text than as a file.
const tableFormLimit: FormLimit = { size: 2 * tableLimit, fields: 200 };

/**
 * Reads a form with a table as `readForm` does. The file may have up to 2 MiB, and its text becomes the field `text`.
 */
export async function readTableForm(request: Request): Promise<Typed | 400 | 413> {
  const blob = await readBlob(request, tableFormLimit.size);
  if (typeof blob === 'number') return blob;
  const typed: Typed = Object.create(null);
  if (blob.size === 0) return typed;
  const headers = { 'Content-Type': request.headers.get('Content-Type') ?? '' };
  const form = await new Response(blob, { headers }).formData().catch(() => null);
  if (!form) return 400;
  const entries = [...form] as [string, string | File][];
  if (entries.length > tableFormLimit.fields) return 413;
  let file: string | undefined;
  for (const [name, value] of entries) {
    if (typeof value === 'string') {
      typed[name] ??= [];
      typed[name].push(value);
    } else if (value.size > tableLimit) return 413;
    else if (value.size > 0) file = textOf(new Uint8Array(await value.arrayBuffer()));
  }
  const text = file ?? typed.text?.[0];
  // Browsers send a line break as two characters.
  if (text !== undefined) typed.text = [text.replaceAll(/\r\n?/g, '\n')];
  return typed;
}

/** The fields for a schema to read. @param lists names of the fields that may have several values */
export function fields(typed: Typed, ...lists: string[]): Record<string, string | string[]> {
  const single = Object.entries(typed).map(([name, values]) => [name, values[0] ?? ''] as const);
  return { ...Object.fromEntries(single), ...Object.fromEntries(lists.map((name) => [name, typed[name] ?? []])) };
}

export function withoutPasswords(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !/password/i.test(name)));
}

/**
 * A hash of everything that was typed, except passwords: a changed form has another one. If the page had no key, the
 * result is random.
 */
export function onceOf(typed: Typed): string {
  if (!typed.once?.[0]) return crypto.randomUUID();
  const typedFields = Object.entries(withoutPasswords(typed)).sort(([one], [other]) => (one < other ? -1 : 1));
  // A script sends line breaks as they are, a browser rewrites them.
  const words = JSON.stringify(typedFields).replaceAll('\\r\\n', '\\n');
  return createHash('sha256').update(words).digest('hex');
}

/** Turns dates from date pickers (YYYY-MM-DD) into the API's. */
export function withWireDates(input: Record<string, string | string[]>, ...names: string[]) {
  const dates = names.map((name) => {
    const picked = input[name];
    return [name, typeof picked === 'string' && isLocalDate(picked) ? wireDate(picked) : picked] as const;
  });
  return { ...input, ...Object.fromEntries(dates) };
}

export function inShownZone(actor: Actor, typed: Typed): Actor {
  const timeZone = typed.zone?.[0];
  return timeZone && isTimeZone(timeZone) ? { ...actor, timeZone, isZoneShown: true } : actor;
}
