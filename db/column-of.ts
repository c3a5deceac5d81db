import { is, SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** A table of the code or its name in the statement; none if only one table there has the column. */
export type Of<Column extends string> = string | SQL | { [column in Column]: SQLWrapper };

/** SQL: a column of a row. @param column as the code calls it */
export function columnOf<Column extends string>(row: Of<Column> | undefined, column: Column): SQL {
  if (row !== undefined && typeof row !== 'string' && !is(row, SQL)) return sql`${row[column]}`;
  const name = sql.raw(column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  if (row === undefined) return name;
  return sql`${typeof row === 'string' ? sql.raw(row) : row}.${name}`;
}
