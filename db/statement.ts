import type { D1Database, D1Result } from '@cloudflare/workers-types';
import { Column, is, type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import { type PageChange, pageChangeIn } from './changed-pages';

// Turns a query of Drizzle into a statement that serves all requests. Its text and values come from Drizzle's public
// methods. Rows are read by private ones, because Drizzle looks up the decoder of each value in each row.
// test/domain/db/statement.test.ts compares the rows with Drizzle's own, and fails if an upgrade changes them.

/** Builds queries, without a connection: `Db.run` sends them. */
export const orm = drizzle({ prepare: () => null } as unknown as D1Database);

export type Built = BatchItem<'sqlite'>;
type Published = { toSQL(): Query } | { getQuery(): Query };

type Decoder = { mapFromDriverValue(value: unknown): unknown };
type Field = { path: string[]; field: Column | (SQL & { decoder: Decoder }) | { sql: { decoder: Decoder } } };
/** Drizzle's private reader of rows, and its columns in order. */
type Prepared = { mapResult(result: unknown, isFromBatch: boolean): unknown; fields?: Field[] };

type Row = Record<string, unknown>;
type Ready = Pick<Query, 'sql' | 'params'> & {
  pageChange: PageChange | undefined;
  rows: (result: D1Result) => unknown;
};

export function ready(built: Built): Ready {
  const published = built as unknown as Published;
  const { sql, params } = 'toSQL' in published ? published.toSQL() : published.getQuery();
  const prepared = (built as unknown as { _prepare(): Prepared })._prepare();
  const { fields } = prepared;
  const pageChange = pageChangeIn(sql);
  if (!fields) return { sql, params, pageChange, rows: (result) => prepared.mapResult(result, true) };
  const isFlat = fields.every(({ path }) => path.length === 1);
  const read = isFlat ? rowReader(fields) : (result: D1Result) => prepared.mapResult(result, true);
  return {
    sql,
    params,
    pageChange,
    rows(result) {
      const [row] = result.results as Row[];
      if (row) refuseUnlessWhole(row, fields);
      return read(result);
    },
  };
}

// D1 returns a row as an object. If two columns have the same name, it keeps one of them, and the values after it would
// shift.
function refuseUnlessWhole(row: Row, fields: Field[]): void {
  const names = Object.keys(row);
  if (names.length === fields.length) return;
  const expected = fields.map(({ path }) => path.join('.'));
  throw new Error(`Two columns have one name: ${expected.join(', ')} came as ${names.join(', ')}`);
}

/** Reads rows as Drizzle does, but looks up each column's decoder once, not once for each value. */
function rowReader(fields: Field[]): Ready['rows'] {
  const columns = fields.map(({ path, field }) => ({
    name: String(path[0]),
    decoder: is(field, Column) ? field : 'sql' in field ? field.sql.decoder : field.decoder,
  }));
  return ({ results }) =>
    (results as Row[]).map((row) => {
      const read: Row = {};
      let place = 0;
      for (const key in row) {
        const { name, decoder } = columns[place++] as (typeof columns)[number];
        const value = row[key];
        read[name] = value === null ? null : decoder.mapFromDriverValue(value);
      }
      return read;
    });
}

export class Statement<Rows> {
  declare readonly rows: Rows;
  constructor(
    readonly ready: Ready,
    readonly values: Record<string, unknown>,
  ) {}
}

export type Placeholders<Values> = { [Name in keyof Values]: Placeholder };

/**
 * A statement that is built on first use, because building it takes more processor time than sending it. `build` gets a
 * placeholder for each value.
 */
export const statement =
  <Values extends Record<string, unknown>>() =>
  <Of extends Built>(build: (params: Placeholders<Values>) => Of) => {
    let built: Ready | undefined;
    return (values: Values): Statement<Of['_']['result']> => {
      built ??= ready(build(placeholders as Placeholders<Values>));
      return new Statement(built, values);
    };
  };

/** A statement for each shape; a shape is a few plain values. */
export const statementBy =
  <Shape, Values extends Record<string, unknown>>() =>
  <Of extends Built>(build: (shape: Shape, params: Placeholders<Values>) => Of) => {
    const statements = new Map<string, (values: Values) => Statement<Of['_']['result']>>();
    return (shape: Shape, values: Values): Statement<Of['_']['result']> => {
      const key = JSON.stringify(shape);
      const fill = statements.get(key) ?? statement<Values>()((params) => build(shape, params));
      statements.set(key, fill);
      return fill(values);
    };
  };

const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) });
