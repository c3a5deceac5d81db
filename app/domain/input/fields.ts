import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { DomainError, type Fault, invalid } from '../errors';
import {
  isTimeZone,
  type LocalDate,
  type LocalTime,
  localTimePattern,
  parseWireDate,
  wireDatePattern,
} from '../time/clock';
import { zoneSpelling } from '../time/zones';
import type { Words } from '../words/words';
import { lowerCased } from './fold';
import { limits, pageSize } from './limits';

/** The number of Unicode code points, as SQLite counts them. */
export const characters = (text: string) => [...text].length;

// Control characters, and halves of surrogate pairs (Cs), which are no text.
const control = /[\p{Cc}\p{Cs}]/u;

/** A letter, digit or sign that people can see. The four excluded letters look like blanks. */
const visible = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;

// Invisible signs in places where they are allowed: joiners in some scripts and in emoji, variant selectors, and the
// tags of flags.
const joined =
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{M}])\u200c(?=\p{L})|(?<=\p{M})\u200d|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Extended_Pictographic}\p{Script=Han}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\p{Script=Mongolian})[\u180b-\u180d]|(?<=\u{1f3f4})[\u{e0061}-\u{e007a}]{2,6}\u{e007f}/gu;

/** Signs that nobody sees, or that turn the direction of text. With them one name could look like another. */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]/u;

const hasHidden = (text: string): boolean => hidden.test(text.replaceAll(joined, ''));

const trimmed = z.overwrite((text: string) => text.normalize('NFC').trim());

/** Words as zod carries them, which knows only texts; `parse` reads them again. */
export const fault = (words: Words): string => (typeof words === 'string' ? words : JSON.stringify(words));

/** The words that an issue of zod carries. */
export const carriedWords = (carried: string): Words =>
  carried.startsWith('{') ? (JSON.parse(carried) as Words) : carried;

const missing = (name: Words) => fault(msg`${name} is missing.`);
export const mustBeText = (name: Words) => fault(msg`${name} must be text.`);
const notShown = (name: Words) => msg`${name} has characters that can't be shown.`;

/** 'Notes can have at most 1,000 characters.' */
export const tooLong = (name: Words, max: number): Words =>
  msg`${name} can have at most ${plural({ max }, { one: '# character', other: '# characters' })}.`;

// zod's own checks add themselves to the JSON Schema of the OpenAPI document; ours use `z.meta` or `register`.

/** One line, NFC and trimmed, of `min` to `max` characters. Each fault begins with `name`. */
export function line(name: Words, max: number, min = 1) {
  const isMissing = missing(name);
  const isTooShort = fault(
    msg`${name} needs at least ${plural({ min }, { one: '# character', other: '# characters' })}.`,
  );
  return z.string(isMissing).check(
    trimmed,
    z.refine((text) => characters(text) >= min, { error: min === 1 ? isMissing : isTooShort }),
    z.refine((text) => characters(text) <= max, fault(tooLong(name, max))),
    z.refine((text) => !control.test(text), fault(notShown(name))),
    z.meta({ minLength: min, maxLength: max }),
  );
}

/** The name of a person or place. Something of it must be visible, and nothing hidden. */
export const seenName = (name: Words, max: number) =>
  line(name, max).check(
    z.refine((text) => text === '' || visible.test(text), fault(msg`${name} needs a character that can be seen.`)),
    z.refine(
      (text) => !visible.test(text) || !hasHidden(text),
      fault(msg`${name} has hidden characters, or ones that turn its direction. Please type it without them.`),
    ),
  );

/** An address without spaces and without signs that would end it in a mail. */
const addressPattern = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]{2,}$/;

// Letters of any script are typed; after IDNA these are left. Digits at the end would make it a number of a machine.
const typedDomain = /^(?:[\w.-]|[^\0-\x7f])+$/;
const sentDomain = /^(?:[a-z\d_-]+\.)+(?!\d+$)[a-z\d-]{2,}$/;

/** The domain as mail is sent to it: in ASCII, by IDNA. */
function domainAsSent(domain: string): string | null {
  if (!typedDomain.test(domain) || !URL.canParse(`http://${domain}`)) return null;
  const { hostname } = new URL(`http://${domain}`);
  if (!sentDomain.test(hostname)) return null;
  return domain.toLowerCase() === hostname ? domain : hostname;
}

/**
 * An e-mail address as mail is sent to it, which is how we store, compare and count it: two spellings of one mailbox
 * would be two people with limits of their own. Wide and other forms of letters become plain ones, in the domain IDNA
 * does that. ASCII letters stay as typed, because the database folds them. Null for what is no address.
 */
export function addressAsSent(text: string): string | null {
  const typed = text.normalize('NFKC').trim();
  const [name = '', domain = '', ...others] = typed.split('@');
  const sentTo = domainAsSent(domain);
  if (sentTo === null || others.length > 0 || control.test(typed) || hidden.test(typed)) return null;
  const address = `${name.replace(/[^\0-\x7f]+/g, lowerCased)}@${sentTo}`;
  return addressPattern.test(address) && characters(address) <= limits.email ? address : null;
}

export const email = z
  .pipe(
    z.optional(z.nullable(z.string(mustBeText(msg`E-mail`)).check(trimmed))),
    z.transform((typed, context): string | null => {
      if (!typed) return null;
      const address = addressAsSent(typed);
      if (address === null) {
        const message =
          characters(typed) > limits.email ? tooLong(msg`E-mail`, limits.email) : msg`That is no e-mail address.`;
        context.issues.push({ code: 'custom', input: typed, message: fault(message) });
      }
      return address;
    }),
  )
  .register(z.globalRegistry, { maxLength: limits.email });

const phoneWords = fault(msg`A phone number has digits, spaces and + - ( ) / only, 3 to 40 in all.`);

export const phone = z
  .pipe(
    z.optional(z.nullable(z.string(mustBeText(msg`Phone`)).check(trimmed))),
    z.transform((number, context): string | null => {
      if (!number) return null;
      const { min, max } = limits.phone;
      const isPhone = /^[\d +\-()/]+$/.test(number) && number.length >= min && number.length <= max;
      if (!isPhone || digitsOf(number) === null)
        context.issues.push({ code: 'custom', input: number, message: phoneWords });
      return number;
    }),
  )
  .register(z.globalRegistry, { maxLength: limits.phone.max });

/** The digits of a phone number without + or leading zeros, to compare numbers; null without a number. */
export const digitsOf = (phone: string | null): string | null => phone?.replace(/\D/g, '').replace(/^0+/, '') || null;

export const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

export const requiredText = (name: Words) => z.string(missing(name)).check(z.regex(/\S/, missing(name)));

/** A line of text; `usual` if it is missing or blank. */
export function lineOr(name: Words, max: number, usual: string) {
  const textOrUsual = z.pipe(
    z.optional(z.nullable(z.string(mustBeText(name)))),
    z.transform((text) => text?.trim() || usual),
  );
  return z.pipe(textOrUsual, line(name, max)).register(z.globalRegistry, { maxLength: max });
}

/** Normalizes a text: NFC, trimmed, each line ending in LF. */
export const tidyLines = (text: string) => text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

export const hasControls = (text: string) => control.test(text.replaceAll('\n', ''));

export const excerpt = (text: string) => [...text].slice(0, 60).join('');

export function paragraph(name: Words, max: number) {
  const text = z.string(mustBeText(name)).check(
    z.overwrite(tidyLines),
    z.refine((text) => characters(text) <= max, fault(tooLong(name, max))),
    z.refine((text) => !hasControls(text), fault(notShown(name))),
    z.meta({ maxLength: max }),
  );
  return z.pipe(
    z.optional(z.nullable(text)),
    z.transform((lines): string | null => lines || null),
  );
}

export const textsAmong = (list: unknown[]): string[] =>
  list.filter((entry): entry is string => typeof entry === 'string' && entry !== '');

/** Reads a number of a call, or the text of a form; NaN for anything else. */
export function wholeNumberIn(value: unknown, digits = 6): number {
  // We don't turn objects into text, because their `toString` may not be a function.
  const text = typeof value === 'number' ? `${value}` : typeof value === 'string' ? value.trim() : '';
  return /^\d+$/.test(text) && text.length <= digits ? Number(text) : Number.NaN;
}

/** Checks a list as a whole even if some entries have faults, so that one response names all faults. */
export const listRule = (check: (list: unknown[], complain: (message: Words) => void) => void) =>
  z.superRefine<unknown[]>((list, context) => check(list, (message) => context.addIssue(fault(message))), {
    when: ({ value }) => Array.isArray(value),
  });

export const wireDateWords = { pattern: wireDatePattern.source, description: 'A date, MM-DD-YYYY.' };

export const wireDate = (text: z.ZodMiniString<string>, wrong: (text: string) => Words) =>
  z
    .pipe(
      text,
      z.transform((text, context): LocalDate => {
        const date = parseWireDate(text);
        if (!date) context.issues.push({ code: 'custom', input: text, message: fault(wrong(text)) });
        return date ?? '';
      }),
    )
    .register(z.globalRegistry, wireDateWords);

/** A time as 'HH:mm'. `example` appears in the message. */
export const clockTime = (name: Words, example: LocalTime) => {
  const time: Words = { clock: example };
  const noTime = fault(msg`${name} must be a time of day such as ${time}.`);
  return z.string(missing(name)).check(z.regex(localTimePattern, noTime));
};

export function wholeNumber(words: Words, min: number, max: number) {
  return z
    .pipe(
      z.optional(z.unknown()),
      z.transform((value, context): number | null => {
        if (value === undefined || value === null || value === '') return null;
        const number = wholeNumberIn(value);
        if (!(number >= min && number <= max))
          context.issues.push({ code: 'custom', input: value, message: fault(words) });
        return number;
      }),
    )
    .register(z.globalRegistry, { type: ['integer', 'null'], minimum: min, maximum: max });
}

export const templateId = z.pipe(
  z.optional(z.nullable(z.string(fault(msg`The template must be given by its id.`)))),
  z.transform((id): string | null => id || null),
);

/** The id of a service; undefined if missing or blank. */
export const serviceId = z
  .pipe(
    z.optional(z.nullable(z.string(fault(msg`The service must be given by its id.`)))),
    z.transform((id): string | undefined => id || undefined),
  )
  .register(z.globalRegistry, { type: ['string', 'null'] });

const trueOrFalse = (name: Words) => fault(msg`${name} must be true or false.`);

/** True or false, as a value or as text. A ticked box sends `on`. */
export const yesOrNo = (name: Words, usual = false) =>
  z.pipe(
    z.optional(z.nullable(z.literal([true, false, 'true', 'false', 'on'], trueOrFalse(name)))),
    z.transform((value) => {
      const answer = value ?? usual;
      return answer === true || answer === 'true' || answer === 'on';
    }),
  );

export const timeZone = z.pipe(
  z.optional(z.nullable(z.string(mustBeText(msg`Time zone`)).check(z.trim()))),
  z.transform((zone, context): string | undefined => {
    if (!zone) return undefined;
    if (isTimeZone(zone)) return zoneSpelling(zone);
    context.issues.push({ code: 'custom', input: zone, message: fault(msg`There is no time zone "${zone}".`) });
    return undefined;
  }),
);

/**
 * A choice in a query; blank is as absent. A word that is neither true nor false is refused, because false may be what
 * changes something.
 */
export const flag = (name: Words) =>
  z
    .pipe(
      z.optional(z.enum(['true', 'false', ''], trueOrFalse(name))),
      z.transform((text) => text === 'true'),
    )
    .register(z.globalRegistry, { type: 'boolean' });

/** No list has so many pages, and SQLite can still count that many rows. */
const lastPage = 1e9;

export const page = z
  .pipe(
    z.optional(z.string()),
    z.transform((text, context): number => {
      if (text === undefined) return 0;
      if (!/^\d+$/.test(text)) {
        const message = fault(msg`Page must be a whole number of at least 0.`);
        context.issues.push({ code: 'custom', input: text, message });
      }
      return Math.min(Number(text), lastPage);
    }),
  )
  .register(z.globalRegistry, { type: 'integer', minimum: 0, description: 'Which page, counted from 0; 0 if absent.' });

export const countIn = (text: string | null): number | null => (text && /^\d{1,6}$/.test(text) ? Number(text) : null);

export type Page<Row> = { rows: Row[]; hasMore: boolean };
export function pageOf<Row>(read: Row[]): Page<Row> {
  return { rows: read.slice(0, pageSize), hasMore: read.length > pageSize };
}

/** What is said where a field has no words of its own for it. */
const sayWhatToSend: z.core.$ZodErrorMap = ({ path }) =>
  path?.length
    ? fault(msg`“${{ field: path.join('.') }}” is not as this call takes it.`)
    : fault(msg`Send an object with the fields of this call.`);

/** A longer list is refused without reading it, because checking each entry takes time. */
const longestList = 10_000;

function hasLongList(input: unknown, depth = 3): boolean {
  if (depth === 0 || typeof input !== 'object' || input === null) return false;
  const list: unknown[] = Array.isArray(input) ? input : Object.values(input);
  return list.length > longestList || list.some((entry) => hasLongList(entry, depth - 1));
}

const mostFaults = 500;

/**
 * Reads an input by a schema.
 * @param alsoWrong finds more faults in an input that the schema refuses
 * @throws DomainError invalid, with a fault for each broken rule; of more than 500 it only gives the number
 */
export function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  alsoWrong: () => Fault[] = () => [],
): z.output<Schema> {
  if (hasLongList(input)) throw invalid(null, msg`A list can have at most ${longestList} entries.`);
  const read = z.safeParse(schema, input, { error: sayWhatToSend });
  if (read.success) return read.data;
  const { issues } = read.error;
  const faults = issues.slice(0, mostFaults).map(
    ({ path, message }): Fault => ({
      field: path.length > 0 ? String(path[0]) : null,
      message: carriedWords(message),
    }),
  );
  const more = issues.length - faults.length;
  if (more > 0) faults.push({ field: null, message: msg`There are ${more} more faults like these.` });
  throw new DomainError('invalid', [...faults, ...alsoWrong()]);
}
