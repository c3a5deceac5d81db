import * as z from 'zod/mini';
import { DomainError, type Fault, invalid } from '../errors';
import { isTimeZone, type LocalDate, localTimePattern, parseWireDate, wireDatePattern } from '../time/clock';
import { zoneSpelling } from '../time/zones';
import { limits } from './limits';

/** Counts characters as people and SQLite do: Unicode code points. */
export const characters = (text: string) => [...text].length;

// Cs: half of a surrogate pair is no text.
const control = /[\p{Cc}\p{Cs}]/u;

/** A sign that leaves ink: no space, no mark without its letter, and none of the letters that are drawn as nothing. */
const visible = /(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]/u;

const tidy = z.overwrite((text: string) => text.normalize('NFC').trim());

/*
 * Each rule carries its JSON Schema for the OpenAPI document. zod's own checks bring theirs; ours use `z.meta` and
 * `register`.
 */

/** A text of one line, NFC and trimmed, of `min` to `max` characters. `name` begins the sentence of each fault. */
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

/** The name of a person or a place: a line with something to see. */
export const seenName = (name: string, max: number) =>
  line(name, max).check(
    z.refine((text) => text === '' || visible.test(text), `${name} needs a character that can be seen.`),
  );

/** One address, as mail takes it: a name, an @ and a domain, without spaces or other signs that would end it. */
const addressPattern = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]{2,}$/;

/** Whether a text is one address that mail can take. */
export const isEmail = (text: string): boolean =>
  characters(text) <= limits.email && addressPattern.test(text) && !control.test(text);

/** An e-mail address; null where it is left out or blank. */
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
      } else if (!addressPattern.test(address) || control.test(address)) {
        context.issues.push({ code: 'custom', input: address, message: 'That is no e-mail address.' });
      }
      return address;
    }),
  )
  .register(z.globalRegistry, { maxLength: limits.email });

/** True for an object whose fields can be looked at; a list and null are none. */
export const isObject = (sent: unknown): sent is Record<string, unknown> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

/** A required text, such as an id, unchanged. */
export const given = (name: string) => z.string(`${name} is missing.`).check(z.regex(/\S/, `${name} is missing.`));

/** A text of one line that gets the `usual` value where it is missing or blank. */
export function lineOr(name: string, max: number, usual: string) {
  const usually = z.pipe(
    z.optional(z.nullable(z.string(`${name} must be text.`))),
    z.transform((text) => text?.trim() || usual),
  );
  return z.pipe(usually, line(name, max)).register(z.globalRegistry, { maxLength: max });
}

/** A text of several lines as we store it: NFC, trimmed, with LF at the end of each line. */
export const tidyLines = (text: string) => text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

/** True where a text of several lines has characters that can't be shown. */
export const hasControls = (text: string) => control.test(text.replaceAll('\n', ''));

/** The beginning of a text, for a message. */
export const beginning = (text: string) => [...text].slice(0, 60).join('');

/** An optional text of several lines; null where it is missing or blank. */
export function paragraph(name: string, max: number) {
  const text = z.string(`${name} must be text.`).check(
    z.overwrite(tidyLines),
    z.refine((text) => characters(text) <= max, `${name} can have at most ${max} characters.`),
    z.refine((text) => !hasControls(text), `${name} has characters that can't be shown.`),
    z.meta({ maxLength: max }),
  );
  return z.pipe(
    z.optional(z.nullable(text)),
    z.transform((said): string | null => said || null),
  );
}

/** The texts in a list of input that may hold anything. */
export const textsAmong = (list: unknown[]): string[] =>
  list.filter((one): one is string => typeof one === 'string' && one !== '');

/**
 * A rule for a list as a whole. It runs even where single entries have faults, so one response names all faults; the
 * entries may then be anything.
 */
export const listRule = (judge: (list: unknown[], complain: (message: string) => void) => void) =>
  z.superRefine<unknown[]>((list, context) => judge(list, (message) => context.addIssue(message)), {
    when: ({ value }) => Array.isArray(value),
  });

/** The JSON Schema of such a date. */
export const wireDateWords = { pattern: wireDatePattern.source, description: 'A date, MM-DD-YYYY.' };

/**
 * A date in the API's form.
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

/** A time of day; `example` appears in the message. */
export const clockTime = (name: string, example: string) =>
  z.string(`${name} is missing.`).check(z.regex(localTimePattern, `${name} must be a time of day such as ${example}.`));

/** A whole number from `min` to `max`, as a number or as text; null where it is missing or blank. */
export function wholeNumber(words: string, min: number, max: number) {
  return z
    .pipe(
      z.optional(z.unknown()),
      z.transform((sent, context): number | null => {
        if (sent === undefined || sent === null || sent === '') return null;
        const isRead = typeof sent === 'number' || typeof sent === 'string';
        const number = isRead && /^\d{1,6}$/.test(String(sent).trim()) ? Number(sent) : Number.NaN;
        if (!(number >= min && number <= max)) context.issues.push({ code: 'custom', input: sent, message: words });
        return number;
      }),
    )
    .register(z.globalRegistry, { type: ['integer', 'null'], minimum: min, maximum: max });
}

/** The id of a template; null where it is missing or blank. */
export const templateId = z.pipe(
  z.optional(z.nullable(z.string('The template must be given by its id.'))),
  z.transform((id): string | null => id || null),
);

/** The name of an IANA time zone; undefined where it is missing. */
export const timeZone = z.pipe(
  z.optional(z.nullable(z.string('Time zone must be text.').check(z.trim()))),
  z.transform((zone, context): string | undefined => {
    if (!zone) return undefined;
    if (isTimeZone(zone)) return zoneSpelling(zone);
    context.issues.push({ code: 'custom', input: zone, message: `There is no time zone "${zone}".` });
    return undefined;
  }),
);

/** True where a parameter is `true`, false for anything else. */
export const flag = z
  .pipe(
    z.optional(z.string()),
    z.transform((text) => text === 'true'),
  )
  .register(z.globalRegistry, { type: 'boolean' });

/** A page after the end of each list. SQLite can still count the rows before it in a whole number. */
const lastPage = 1e9;

/** The page of a list, from 0; 0 where it is missing. */
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

/** How many rows a page of any list holds. */
export const pageSize = 20;

/** Cuts one page out of the `pageSize + 1` rows that were read, and says whether there are more. */
export type Page<Row> = { rows: Row[]; hasMore: boolean };
export function pageOf<Row>(read: Row[]): Page<Row> {
  return { rows: read.slice(0, pageSize), hasMore: read.length > pageSize };
}

/** The message for a whole input of the wrong kind, where its schema has none. */
const sayWhatToSend: z.core.$ZodErrorMap = ({ code, path }) =>
  code === 'invalid_type' && !path?.length ? 'Send an object with the fields of this call.' : undefined;

/**
 * The longest list that we look at, far longer than any rule allows: judging each entry costs time, and so does each
 * message.
 */
const longestList = 10_000;

/** True where the input holds a longer list, as deep as our inputs go. */
function hasLongList(input: unknown, depth = 3): boolean {
  if (depth === 0 || typeof input !== 'object' || input === null) return false;
  const within: unknown[] = Array.isArray(input) ? input : Object.values(input);
  return within.length > longestList || within.some((one) => hasLongList(one, depth - 1));
}

/** The most faults that we return; nobody reads more. */
const mostFaults = 500;

/**
 * Reads input by a schema.
 * @param alsoWrong finds more faults in an input that the schema refuses
 * @throws DomainError invalid, with one fault for each broken rule, or the first 500 and how many more there are
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
