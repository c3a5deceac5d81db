import type { Actor } from '../domain/accounts/accounts';
import { limits } from '../domain/input/limits';
import { isLocalDate, isTimeZone, wireDate } from '../domain/time/clock';
import { kibibyte, readBody } from './body.server';

/** The fields of a form, each as the list of its values. */
export type Typed = Record<string, string[]>;

/** In bytes, and in fields. */
type FormLimit = { size: number; fields: number };

/**
 * For browsers in which someone has logged in: three times what the API takes, and each option of each question ticked.
 */
const knownLimit: FormLimit = {
  // A form writes most bytes of a text that is not English as three.
  size: 3 * 512 * kibibyte,
  fields: limits.template.questions * limits.template.options + 100,
};

/** For strangers: we read, judge and return each field, which takes processor time. */
const strangersLimit: FormLimit = { size: 64 * kibibyte, fields: 1000 };

/** Counts the fields without reading them; the count is never too low. */
const countFields = (text: string, type: string) =>
  1 + [...text.matchAll(/^multipart/i.test(type) ? /content-disposition/gi : /&/g)].length;

/**
 * Reads a form's fields, or returns the status that refuses it: 413 where it is too large, 400 where it is no form.
 * None of our forms has files.
 * @param isKnown true where the form comes from a browser in which someone has logged in
 */
export async function readForm(request: Request, isKnown: boolean): Promise<Typed | 400 | 413> {
  const limit = isKnown ? knownLimit : strangersLimit;
  // No prototype: a field may have the name of an object's method, such as `constructor`.
  const typed: Typed = Object.create(null);
  const type = request.headers.get('Content-Type') ?? '';
  const text = await readBody(request, limit.size);
  if (typeof text === 'number') return text;
  if (countFields(text, type) > limit.fields) return 413;
  if (text === '') return typed;
  const form = await new Response(text, { headers: { 'Content-Type': type } }).formData().catch(() => null);
  if (!form) return 400;
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue;
    typed[name] ??= [];
    typed[name].push(value);
  }
  return typed;
}

/** One value for each field, and a list for each of the named fields, as the schemas take them. */
export function fields(typed: Typed, ...lists: string[]): Record<string, string | string[]> {
  const single = Object.entries(typed).map(([name, values]) => [name, values[0] ?? ''] as const);
  return { ...Object.fromEntries(single), ...Object.fromEntries(lists.map((name) => [name, typed[name] ?? []])) };
}

/** The fields without passwords, which we never send back. */
export function withoutPasswords(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !/password/i.test(name)));
}

/**
 * The one-time key of a filled-in form: it covers the key of its page and all that was typed except passwords. So
 * someone who goes back and changes a field sends a new form. A form without a key gets a random one.
 */
export async function onceOf(typed: Typed): Promise<string> {
  if (!typed.once?.[0]) return crypto.randomUUID();
  const typedFields = Object.entries(withoutPasswords(typed)).sort(([one], [other]) => (one < other ? -1 : 1));
  // A script sends line breaks unchanged, a browser rewrites them.
  const words = JSON.stringify(typedFields).replaceAll('\\r\\n', '\\n');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(words));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A form's fields with the dates of its pickers, which browsers send as YYYY-MM-DD, as the API writes them. */
export function withWireDates(sent: Record<string, string | string[]>, ...names: string[]) {
  const dates = names.map((name) => {
    const picked = sent[name];
    return [name, typeof picked === 'string' && isLocalDate(picked) ? wireDate(picked) : picked] as const;
  });
  return { ...sent, ...Object.fromEntries(dates) };
}

/** The actor in the zone that the form says it has shown; as they are where it says none. */
export function inShownZone(actor: Actor, typed: Typed): Actor {
  const timeZone = typed.zone?.[0];
  return timeZone && isTimeZone(timeZone) ? { ...actor, timeZone, isZoneShown: true } : actor;
}
