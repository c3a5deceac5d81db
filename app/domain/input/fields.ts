import * as z from 'zod/mini';
import { DomainError, type Fault, invalid } from '../errors';
import { isTimeZone, type LocalDate, localTimePattern, parseWireDate, wireDatePattern } from '../time/clock';
import { zoneSpelling } from '../time/zones';
import { lowerCased } from './fold';
import { limits } from './limits';

/** Unicode code points, as people and SQLite count them. */
export const characters = (text: string) => [...text].length;

// Cs is half of a surrogate pair, and no text.
const control = /[\p{Cc}\p{Cs}]/u;

/** Leaves ink: no space, no mark without its letter, and none of the letters that are drawn as nothing. */
const visible = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Signs without ink that belong where they are: joiners between letters of scripts that join and in emoji, the variants of
 * emoji and of Han and Mongolian letters, and the letters behind the black flag.
 */
const joined =
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{M}])\u200c(?=\p{L})|(?<=\p{M})\u200d|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Extended_Pictographic}\p{Script=Han}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=[0-9#*])\ufe0f(?=\u20e3)|(?<=\p{Script=Mongolian})[\u180b-\u180d]|(?<=\u{1f3f4})[\u{e0061}-\u{e007a}]{2,6}\u{e007f}/gu;

/** Signs that nobody sees, or that turn the direction of their neighbours, so that a name reads other than it was typed. */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]/u;

const hasHidden = (text: string): boolean => hidden.test(text.replaceAll(joined, ''));

const tidy = z.overwrite((text: string) => text.normalize('NFC').trim());

/*
 * Each rule carries its JSON Schema for the OpenAPI document. zod's own checks bring theirs; ours use `z.meta` and
 * `register`.
 */

/** One line of text, NFC and trimmed, of `min` to `max` characters. `name` begins the sentence of each fault. */
export function line(name: string, max: number, min = 1) {
  return z.string(`${name} is missing.`).check(
    tidy,
    z.refine((text) => characters(text) >= min, {
      error: min === 1 ? `${name} is missing.` : `${name} needs at least ${min} characters.`,
    }),
    z.refine((text) => characters(text) <= max, `${name} can have at most ${max} characters.`),
    z.refine((text) => !control.test(text), `${name} has characters that can't be shown.`),
    z.meta({ minLength: min, maxLength: max }),
  );
}

/** A line for the name of a person or place, with something to see and nothing hidden. */
export const seenName = (name: string, max: number) =>
  line(name, max).check(
    z.refine((text) => text === '' || visible.test(text), `${name} needs a character that can be seen.`),
    z.refine(
      (text) => !visible.test(text) || !hasHidden(text),
      `${name} has hidden characters, or ones that turn its direction. Please type it without them.`,
    ),
  );

/** A name, an @ and a domain, without spaces and other signs that would end the address in a mail. */
const addressPattern = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]{2,}$/;

/** True for an address that mail can take. */
export const isEmail = (text: string): boolean =>
  characters(text) <= limits.email && addressPattern.test(text) && !control.test(text) && !hidden.test(text);

/** An e-mail address; null if left out or blank. */
export const email = z
  .pipe(
    z.optional(z.nullable(z.string('E-mail must be text.').check(tidy))),
    z.transform((address, context): string | null => {
      if (!address) return null;
      if (characters(address) > limits.email) {
        context.issues.push({
          code: 'custom',
          input: address,
          message: `E-mail can have at most ${limits.email} characters.`,
        });
      } else if (!isEmail(address)) {
        context.issues.push({ code: 'custom', input: address, message: 'That is no e-mail address.' });
      }
      // The database folds ASCII alone, so that these letters have one case from the start.
      return address.replace(/[^\0-\x7f]+/g, lowerCased);
    }),
  )
  .register(z.globalRegistry, { maxLength: limits.email });

const phoneWords = 'A phone number has digits, spaces and + - ( ) / only, 3 to 40 in all.';

/** A phone number; null if left out or blank. */
export const phone = z
  .pipe(
    z.optional(z.nullable(z.string('Phone must be text.').check(tidy))),
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

/** The digits by which phone numbers are compared, without the plus or zeros of a call from abroad; null for no number. */
export const digitsOf = (phone: string | null): string | null => phone?.replace(/\D/g, '').replace(/^0+/, '') || null;

/** True for an object with fields, not for a list or null. */
export const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

/** A required text, unchanged. */
export const given = (name: string) => z.string(`${name} is missing.`).check(z.regex(/\S/, `${name} is missing.`));

/** A line of text; `usual` if missing or blank. */
export function lineOr(name: string, max: number, usual: string) {
  const usually = z.pipe(
    z.optional(z.nullable(z.string(`${name} must be text.`))),
    z.transform((text) => text?.trim() || usual),
  );
  return z.pipe(usually, line(name, max)).register(z.globalRegistry, { maxLength: max });
}

/** Several lines as we store them: NFC, trimmed, each ending in LF. */
export const tidyLines = (text: string) => text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

/** True for characters that can't be shown, except line breaks. */
export const hasControls = (text: string) => control.test(text.replaceAll('\n', ''));

/** The beginning of a text, for a message. */
export const beginning = (text: string) => [...text].slice(0, 60).join('');

/** Several lines of text; null if missing or blank. */
export function paragraph(name: string, max: number) {
  const text = z.string(`${name} must be text.`).check(
    z.overwrite(tidyLines),
    z.refine((text) => characters(text) <= max, `${name} can have at most ${max} characters.`),
    z.refine((text) => !hasControls(text), `${name} has characters that can't be shown.`),
    z.meta({ maxLength: max }),
  );
  return z.pipe(
    z.optional(z.nullable(text)),
    z.transform((lines): string | null => lines || null),
  );
}

/** The texts in a list that may hold anything. */
export const textsAmong = (list: unknown[]): string[] =>
  list.filter((entry): entry is string => typeof entry === 'string' && entry !== '');

/** A whole number, which calls send as a number and forms as text; NaN for anything else. @param digits at most */
export function wholeNumberIn(sent: unknown, digits = 6): number {
  // Objects are not turned into text: their `toString` may be no function.
  const text = typeof sent === 'number' ? `${sent}` : typeof sent === 'string' ? sent.trim() : '';
  return /^\d+$/.test(text) && text.length <= digits ? Number(text) : Number.NaN;
}

/**
 * A rule for a list as a whole. It runs even if single entries have faults, so that one response names all faults; the
 * entries may then be anything.
 */
export const listRule = (judge: (list: unknown[], complain: (message: string) => void) => void) =>
  z.superRefine<unknown[]>((list, context) => judge(list, (message) => context.addIssue(message)), {
    when: ({ value }) => Array.isArray(value),
  });

/** The JSON Schema of the API's dates. */
export const wireDateWords = { pattern: wireDatePattern.source, description: 'A date, MM-DD-YYYY.' };

/**
 * A date as the API writes it.
 * @param text the rule for the text before we read it
 * @param wrong the message for a text that is no date
 */
export const wireDate = (text: z.ZodMiniString<string>, wrong: (text: string) => string) =>
  z
    .pipe(
      text,
      z.transform((text, context): LocalDate => {
        const date = parseWireDate(text);
        if (!date) context.issues.push({ code: 'custom', input: text, message: wrong(text) });
        return date ?? '';
      }),
    )
    .register(z.globalRegistry, wireDateWords);

/** 'HH:mm'; `example` appears in the message. */
export const clockTime = (name: string, example: string) =>
  z.string(`${name} is missing.`).check(z.regex(localTimePattern, `${name} must be a time of day such as ${example}.`));

/** A whole number from `min` to `max`; null if missing or blank. */
export function wholeNumber(words: string, min: number, max: number) {
  return z
    .pipe(
      z.optional(z.unknown()),
      z.transform((sent, context): number | null => {
        if (sent === undefined || sent === null || sent === '') return null;
        const number = wholeNumberIn(sent);
        if (!(number >= min && number <= max)) context.issues.push({ code: 'custom', input: sent, message: words });
        return number;
      }),
    )
    .register(z.globalRegistry, { type: ['integer', 'null'], minimum: min, maximum: max });
}

/** Null if missing or blank. */
export const templateId = z.pipe(
  z.optional(z.nullable(z.string('The template must be given by its id.'))),
  z.transform((id): string | null => id || null),
);

/** Undefined if missing or blank. */
export const serviceId = z
  .pipe(
    z.optional(z.nullable(z.string('The service must be given by its id.'))),
    z.transform((id): string | undefined => id || undefined),
  )
  .register(z.globalRegistry, { type: ['string', 'null'] });

/** True or false, as such or as text; a ticked box sends `on`. `usual` if left out. */
export const yesOrNo = (name: string, usual = false) =>
  z.pipe(
    z.optional(z.nullable(z.literal([true, false, 'true', 'false', 'on'], `${name} must be true or false.`))),
    z.transform((sent) => {
      const answer = sent ?? usual;
      return answer === true || answer === 'true' || answer === 'on';
    }),
  );

/** The name of an IANA time zone; undefined if missing. */
export const timeZone = z.pipe(
  z.optional(z.nullable(z.string('Time zone must be text.').check(z.trim()))),
  z.transform((zone, context): string | undefined => {
    if (!zone) return undefined;
    if (isTimeZone(zone)) return zoneSpelling(zone);
    context.issues.push({ code: 'custom', input: zone, message: `There is no time zone "${zone}".` });
    return undefined;
  }),
);

/** True for the parameter `true`, false for anything else. */
export const flag = z
  .pipe(
    z.optional(z.string()),
    z.transform((text) => text === 'true'),
  )
  .register(z.globalRegistry, { type: 'boolean' });

/** Beyond the end of every list, and small enough for SQLite to count its rows. */
const lastPage = 1e9;

/** The page of a list, from 0, which it is if missing. */
export const page = z
  .pipe(
    z.optional(z.string()),
    z.transform((text, context): number => {
      if (text === undefined) return 0;
      if (!/^\d+$/.test(text)) {
        context.issues.push({ code: 'custom', input: text, message: 'Page must be a whole number of at least 0.' });
      }
      return Math.min(Number(text), lastPage);
    }),
  )
  .register(z.globalRegistry, { type: 'integer', minimum: 0, description: 'Which page, counted from 0; 0 if absent.' });

/** The count in an address such as `?created=4`; null for anything else. */
export const countIn = (text: string | null): number | null => (text && /^\d{1,6}$/.test(text) ? Number(text) : null);

/** Rows of one page of any list. */
export const pageSize = 20;

export type Page<Row> = { rows: Row[]; hasMore: boolean };
export function pageOf<Row>(read: Row[]): Page<Row> {
  return { rows: read.slice(0, pageSize), hasMore: read.length > pageSize };
}

/** The message for an input that is no object, if its schema has none. */
const sayWhatToSend: z.core.$ZodErrorMap = ({ code, path }) =>
  code === 'invalid_type' && !path?.length ? 'Send an object with the fields of this call.' : undefined;

/**
 * Longer lists are refused unread, because checking each entry takes time, and so does each message. No rule allows lists
 * of nearly that length.
 */
const longestList = 10_000;

/** @param depth as deep as our inputs go */
function hasLongList(input: unknown, depth = 3): boolean {
  if (depth === 0 || typeof input !== 'object' || input === null) return false;
  const within: unknown[] = Array.isArray(input) ? input : Object.values(input);
  return within.length > longestList || within.some((entry) => hasLongList(entry, depth - 1));
}

/** Nobody reads more. */
const mostFaults = 500;

/**
 * Reads input by a schema.
 * @param alsoWrong finds more faults in an input that the schema refuses
 * @throws DomainError invalid, with a fault for each broken rule; after 500 only the number of the rest
 */
export function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  alsoWrong: () => Fault[] = () => [],
): z.output<Schema> {
  if (hasLongList(input)) throw invalid(null, `A list can have at most ${longestList} entries.`);
  const read = z.safeParse(schema, input, { error: sayWhatToSend });
  if (read.success) return read.data;
  const { issues } = read.error;
  const faults = issues
    .slice(0, mostFaults)
    .map(({ path, message }): Fault => ({ field: path.length > 0 ? String(path[0]) : null, message }));
  const more = issues.length - faults.length;
  if (more > 0) faults.push({ field: null, message: `There are ${more} more faults like these.` });
  throw new DomainError('invalid', [...faults, ...alsoWrong()]);
}
