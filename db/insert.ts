import { Column, getTableColumns, is, Placeholder, SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { orm } from './statement';

type Source<Value> = Value | SQL | Placeholder | Column;
type Sources<Table extends SQLiteTable> = {
  [Name in keyof Table['$inferInsert']]: Source<Table['$inferInsert'][Name]>;
};

/**
 * `INSERT … SELECT` with values by the names of columns. A column without a value gets its default, else null.
 * @param from the rest of the SELECT: FROM, WHERE and so on
 */
export function insertFrom<Table extends SQLiteTable>(table: Table, values: Sources<Table>, from: SQL) {
  const selected = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = (values as Record<string, unknown>)[name] ?? column.default ?? null;
    return is(value, SQL) || is(value, Placeholder) || is(value, Column)
      ? sql`${value}`
      : sql`${sql.param(value, column)}`;
  });
  return orm.insert(table).select(sql`SELECT ${sql.join(selected, sql`, `)} ${from}`);
}
