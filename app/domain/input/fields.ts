import * as z from 'zod/mini';
import { DomainError, type Fault, invalid } from '../errors';
import { isTimeZone, type LocalDate, localTimePattern, parseWireDate, wireDatePattern } from '../time/clock';
import { zoneSpelling } from '../time/zones';

/** Characters as a person counts them: Unicode code points, as SQLite counts too. */
export const characters = (text: string) => [...text].length;

// Half of a surrogate pair is no text either.
const control = /[\p{Cc}\p{Cs}]/u;

const tidy = z.overwrite((text: string) => text.normalize('NFC').trim());

/*
 * What JSON Schema has words for stands beside each rule, for the OpenAPI document: zod's own checks bring theirs along,
 * `z.meta` and `register` say it of our own.
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

/** Any object, for what has to be looked at before its fields are read. A list is none, and neither is null. */
export const isObject = (sent: unknown): sent is Record<string, unknown> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

/** A text that must be there, such as an id, taken as it was sent. */
export const given = (name: string) => z.string(`${name} is missing.`).check(z.regex(/\S/, `${name} is missing.`));

/** A text of one line that has a usual value where it is left out or blank. */
export function lineOr(name: string, max: number, usual: string) {
  const usually = z.pipe(
    z.optional(z.nullable(z.string(`${name} must be text.`))),
    z.transform((text) => text?.trim() || usual),
  );
  return z.pipe(usually, line(name, max)).register(z.globalRegistry, { maxLength: max });
}

/** A text as it is stored where it may have several lines: NFC, trimmed, lines ended in one way. */
export const tidyLines = (text: string) => text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

/** Whether a text of several lines has characters that can't be shown. */
export const hasControls = (text: string) => control.test(text.replaceAll('\n', ''));

/** The beginning of a text, for a message. */
export const beginning = (text: string) => [...text].slice(0, 60).join('');

/** A text that may have several lines, or be left out: null where it is blank. */
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

/** The texts among what was sent, which may be anything where it has faults. */
export const textsAmong = (list: unknown[]): string[] =>
  list.filter((one): one is string => typeof one === 'string' && one !== '');

/**
 * A rule on a list as a whole, judged even where some of its entries have faults of their own, so that one answer names
 * every fault. Those entries may be anything.
 */
export const listRule = (judge: (list: unknown[], complain: (message: string) => void) => void) =>
  z.superRefine<unknown[]>((list, context) => judge(list, (message) => context.addIssue(message)), {
    when: ({ value }) => Array.isArray(value),
  });

/** What JSON Schema can say of such a date. */
export const wireDateWords = { pattern: wireDatePattern.source, description: 'A date, MM-DD-YYYY.' };

/**
 * A date of the calendar, written as the API does.
 * @param text what a text must be before it is read
 * @param wrong what is said of one that is no date
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

/** A time of day; `example` is one of the kind. */
export const clockTime = (name: string, example: string) =>
  z.string(`${name} is missing.`).check(z.regex(localTimePattern, `${name} must be a time of day such as ${example}.`));

/** A whole number from `min` to `max`, as a number or as text; null where it is left out or blank. */
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

/** A template by its id; null where it is left out or blank. */
export const templateId = z.pipe(
  z.optional(z.nullable(z.string('The template must be given by its id.'))),
  z.transform((id): string | null => id || null),
);

/** The name of an IANA time zone, as given; undefined where it is left open. */
export const timeZone = z.pipe(
  z.optional(z.nullable(z.string('Time zone must be text.').check(z.trim()))),
  z.transform((zone, context): string | undefined => {
    if (!zone) return undefined;
    if (isTimeZone(zone)) return zoneSpelling(zone);
    context.issues.push({ code: 'custom', input: zone, message: `There is no time zone "${zone}".` });
    return undefined;
  }),
);

/** Past the end of every list, and small enough that the rows before it are still a whole number to SQLite. */
const lastPage = 1e9;

/** A page of a list, counted from 0; the first where it is left out. */
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

/** The rows of one page out of `pageSize + 1` that were read, and whether there are more. */
export type Page<Row> = { rows: Row[]; hasMore: boolean };
export function pageOf<Row>(read: Row[]): Page<Row> {
  return { rows: read.slice(0, pageSize), hasMore: read.length > pageSize };
}

/** What is said where a whole input is of the wrong kind and its schema has no words for that. */
const sayWhatToSend: z.core.$ZodErrorMap = ({ code, path }) =>
  code === 'invalid_type' && !path?.length ? 'Send an object with the fields of this call.' : undefined;

/** How many entries a list may have at all, far more than any rule allows: judging them costs, and so does telling. */
const longestList = 10_000;

/** Whether a list in it, as deep as our inputs go, is longer than that. */
function hasLongList(input: unknown, depth = 3): boolean {
  if (depth === 0 || typeof input !== 'object' || input === null) return false;
  const within: unknown[] = Array.isArray(input) ? input : Object.values(input);
  return within.length > longestList || within.some((one) => hasLongList(one, depth - 1));
}

/** How many faults of one input are told; nobody reads more. */
const mostFaults = 500;

/**
 * Reads what came from outside by a schema.
 * @param alsoWrong what else is wrong with an input that the schema refuses
 * @throws DomainError invalid, with one fault per broken rule, or the first 500 and how many more there are
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
