import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { orm } from './statement';

/* Reads a list that is too large for one result of D1 in parts: first the ids of each part, then its rows. */

/** In bytes; the last row of a part may pass it. */
export const partSize = 1_000_000;

/** SQL: the bytes of a text; 0 for null. */
export const bytesOf = (text: SQL | SQLiteColumn) => sql<number>`coalesce(length(CAST(${text} AS BLOB)), 0)`;

/** SQL: a sum, in nested halves, because D1 allows an expression only a hundred levels. */
export function sumOf(terms: SQL[]): SQL {
  const half = terms.length >> 1;
  return half === 0 ? sql.join(terms) : sql`(${sumOf(terms.slice(0, half))} + ${sumOf(terms.slice(half))})`;
}

type Rows = { id: SQLiteColumn; size: SQL; condition: SQL | undefined; order: SQL };

/**
 * Selects the parts of a list, in its order: the ids of each part as JSON text, and its bytes. `size` gives the bytes
 * of a row.
 */
export function selectParts(table: SQLiteTable, { id, size, condition, order }: Rows) {
  const upTo = sql`sum(${size}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)`;
  const sized = orm
    .select({
      rowId: sql<string>`${id}`.as('row_id'),
      size: sql<number>`${size}`.as('size'),
      // D1 binds each number as one with decimals, so the quotient must be cut to a whole number.
      part: sql<number>`CAST(${upTo} / ${partSize} AS INTEGER)`.as('part'),
    })
    .from(table)
    .where(condition)
    .as('sized');
  return orm
    .select({
      ids: sql<string>`json_group_array(${sized.rowId})`.as('ids'),
      bytes: sql<number>`sum(${sized.size})`.as('bytes'),
    })
    .from(sized)
    .groupBy(sql`${sized.part}`)
    .orderBy(sql`${sized.part}`);
}

export const isOfPart = (id: SQLiteColumn, ids: string | Placeholder) =>
  sql`${id} IN (SELECT value FROM json_each(${ids}))`;
