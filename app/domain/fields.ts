import * as z from 'zod/mini';
import { isTimeZone, zoneSpelling } from './clock';
import { DomainError, type Fault } from './errors';

/** Characters as a person counts them: Unicode code points, as SQLite counts too. */
const characters = (text: string) => [...text].length;

// Half of a surrogate pair is no text either.
const control = /[\p{Cc}\p{Cs}]/u;

const tidy = z.overwrite((text: string) => text.normalize('NFC').trim());

/** A text of one line, NFC and trimmed, of `min` to `max` characters. `name` begins the sentence of each fault. */
export function line(name: string, max: number, min = 1) {
  return z.string(`${name} is missing.`).check(
    tidy,
    z.refine((text) => characters(text) >= min, {
      error: min === 1 ? `${name} is missing.` : `${name} needs at least ${min} characters.`,
    }),
    z.refine((text) => characters(text) <= max, `${name} can have at most ${max} characters.`),
    z.refine((text) => !control.test(text), `${name} has characters that can't be shown.`),
  );
}

/** Any object, for what has to be looked at before its fields are read. A list is none, and neither is null. */
export const anyObject = z.record(z.string(), z.unknown());

/** A text that must be there, such as an id, taken as it was sent. */
export const given = (name: string) =>
  z.string(`${name} is missing.`).check(z.refine((text) => text.trim() !== '', `${name} is missing.`));

/** A text of one line that has a usual value where it is left out or blank. */
export function lineOr(name: string, max: number, usual: string) {
  const usually = z.pipe(
    z.optional(z.nullable(z.string(`${name} must be text.`))),
    z.transform((text) => text?.trim() || usual),
  );
  return z.pipe(usually, line(name, max));
}

/** A text that may have several lines, or be left out: null where it is blank. */
export function paragraph(name: string, max: number) {
  const text = z.string(`${name} must be text.`).check(
    z.overwrite((text) => text.normalize('NFC').replaceAll(/\r\n?/g, '\n').trim()),
    z.refine((text) => characters(text) <= max, `${name} can have at most ${max} characters.`),
    z.refine((text) => !control.test(text.replaceAll('\n', '')), `${name} has characters that can't be shown.`),
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

/** The name of an IANA time zone, as given; undefined where it is left open. */
export const timeZone = z.pipe(
  z.optional(z.nullable(z.string('Time zone must be text.').check(z.trim()))),
  z.transform((zone, context): string | undefined => {
    if (!zone) return undefined;
    if (!isTimeZone(zone))
      context.issues.push({ code: 'custom', input: zone, message: `There is no time zone "${zone}".` });
    return zoneSpelling(zone);
  }),
);

/** Past the end of every list, and small enough that the rows before it are still a whole number to SQLite. */
const lastPage = 1e9;

/** A page of a list, counted from 0; the first where it is left out. */
export const page = z.pipe(
  z.optional(z.string()),
  z.transform((text, context): number => {
    if (text === undefined) return 0;
    if (!/^\d+$/.test(text)) {
      context.issues.push({ code: 'custom', input: text, message: 'Page must be a whole number of at least 0.' });
    }
    return Math.min(Number(text), lastPage);
  }),
);

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

/**
 * Reads what came from outside by a schema.
 * @param alsoWrong what else is wrong with an input that the schema refuses
 * @throws DomainError invalid, with one fault per broken rule
 */
export function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  alsoWrong: () => Fault[] = () => [],
): z.output<Schema> {
  const read = z.safeParse(schema, input, { error: sayWhatToSend });
  if (read.success) return read.data;
  const faults = read.error.issues.map(
    ({ path, message }): Fault => ({ field: path.length > 0 ? String(path[0]) : null, message }),
  );
  throw new DomainError('invalid', [...faults, ...alsoWrong()]);
}
