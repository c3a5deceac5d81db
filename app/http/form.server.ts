import type { Actor } from '../domain/accounts/accounts';
import { limits } from '../domain/input/limits';
import { isLocalDate, isTimeZone, wireDate } from '../domain/time/clock';
import { kibibyte, readBody } from './body.server';

/** What a form sent, each field as the list of its values. */
export type Typed = Record<string, string[]>;

/** In bytes, and in fields. */
type FormLimit = { size: number; fields: number };

/** For whoever has logged in here before: what the API takes at most, three times, and every option of every question ticked. */
const knownLimit: FormLimit = {
  // Most bytes of a text that is not English are three in a form.
  size: 3 * 512 * kibibyte,
  fields: limits.template.questions * limits.template.options + 100,
};

/** For strangers: each field is read, judged and sent back, which takes processor time. */
const strangersLimit: FormLimit = { size: 64 * kibibyte, fields: 1000 };

/** At least as many fields as there are, counted without reading them. */
const countFields = (text: string, type: string) =>
  1 + [...text.matchAll(/^multipart/i.test(type) ? /content-disposition/gi : /&/g)].length;

/**
 * Reads a form's fields, or gives the status to refuse it with: 413 where it is too large, 400 where it is no form. Files are
 * no part of any of our forms.
 * @param isKnown whether the form comes from a browser in which somebody has logged in
 */
export async function readForm(request: Request, isKnown: boolean): Promise<Typed | 400 | 413> {
  const limit = isKnown ? knownLimit : strangersLimit;
  // Without a prototype, because a field may have the name of an object's method, such as `constructor`.
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

/** One value per field, but for the named lists, as the schemas take them. */
export function fields(typed: Typed, ...lists: string[]): Record<string, string | string[]> {
  const single = Object.entries(typed).map(([name, values]) => [name, values[0] ?? ''] as const);
  return { ...Object.fromEntries(single), ...Object.fromEntries(lists.map((name) => [name, typed[name] ?? []])) };
}

/** What was typed without passwords, which are never sent back. */
export function withoutPasswords(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !/password/i.test(name)));
}

/**
 * The one-time key of a form as it was filled in: of the key of its page and all that was typed but passwords. So whoever
 * goes back and changes something sends another form. One that carries no key is taken as sent for the first time.
 */
export async function onceOf(typed: Typed): Promise<string> {
  if (!typed.once?.[0]) return crypto.randomUUID();
  const typedFields = Object.entries(withoutPasswords(typed)).sort(([one], [other]) => (one < other ? -1 : 1));
  // A script sends ends of lines as they are, a browser by itself writes them anew.
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
