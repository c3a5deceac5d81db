import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** SQL: a row for each line of a note, with its place as `key` and its text as `value`. No row if the note is null. */
export const linesOf = (note: SQLWrapper): SQL => sql`json_each(
  iif(${note} IS NULL, NULL, '[' || replace(replace(json_quote(${note}), '\\\\', '\\u005c'), '\\n', '","') || ']'))`;

const beforeNumber = 'Also: ';

/** The line of a note that keeps a second number of a merged card. */
export const lineOfNumber = (phone: string): string => beforeNumber + phone;

/** SQL: as lineOfNumber; null without a number. */
export const numberLine = (phone: SQLWrapper): SQL => sql`(${sql.raw(`'${beforeNumber}'`)} || ${phone})`;

/** SQL: the lines of a note that meet a condition on `line.value`; null if none is left. */
export const linesWhere = (note: SQLWrapper, condition: SQL): SQL => sql`nullif(trim((
  SELECT group_concat(value, char(10)) FROM (SELECT line.value FROM ${linesOf(note)} AS line WHERE ${condition} ORDER BY line.key)),
  char(10)), '')`;
