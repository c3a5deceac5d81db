import type { D1Database, D1Result } from '@cloudflare/workers-types';
import { Column, is, type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';

/*
 * Turns a query of Drizzle into a statement that serves all requests. Its text and values come from Drizzle's public
 * methods. How a row is read comes from private ones, because Drizzle looks up the decoder of each value of each row.
 * test/domain/statement.test.ts compares these rows with Drizzle's own, and fails where an upgrade changes them.
 */

/** Builds queries. It has no connection, so it serves all requests: `Db.run` sends what it builds. */
export const orm = drizzle({ prepare: () => null } as unknown as D1Database);

/** A query as Drizzle builds it. */
export type Built = BatchItem<'sqlite'>;
type Published = { toSQL(): Query } | { getQuery(): Query };

type Decoder = { mapFromDriverValue(value: unknown): unknown };
type Field = { path: string[]; field: Column | (SQL & { decoder: Decoder }) | { sql: { decoder: Decoder } } };
/** Drizzle's private knowledge of how to read the columns of a row, in their order. */
type Prepared = { mapResult(result: unknown, isFromBatch: boolean): unknown; fields?: Field[] };

type Row = Record<string, unknown>;
/** A query that can be sent: its text, its values, and the function that reads its rows. */
export type Ready = Pick<Query, 'sql' | 'params'> & { rows: (result: D1Result) => unknown };

/** Prepares a query for sending. */
export function ready(built: Built): Ready {
  const published = built as unknown as Published;
  const { sql, params } = 'toSQL' in published ? published.toSQL() : published.getQuery();
  const prepared = (built as unknown as { _prepare(): Prepared })._prepare();
  const { fields } = prepared;
  if (!fields) return { sql, params, rows: (result) => prepared.mapResult(result, true) };
  const isFlat = fields.every(({ path }) => path.length === 1);
  const read = isFlat ? reading(fields) : (result: D1Result) => prepared.mapResult(result, true);
  return {
    sql,
    params,
    rows(result) {
      const [row] = result.results as Row[];
      if (row) refuseUnlessWhole(row, fields);
      return read(result);
    },
  };
}

/** D1 gives a row as an object. Of two columns with one name it keeps one, and the values after it would shift. */
function refuseUnlessWhole(row: Row, fields: Field[]): void {
  const names = Object.keys(row);
  if (names.length === fields.length) return;
  const wanted = fields.map(({ path }) => path.join('.'));
  throw new Error(`Two columns have one name: ${wanted.join(', ')} came as ${names.join(', ')}`);
}

/** Reads rows as Drizzle does, but finds out how a column is read once, and not for each value of each row. */
function reading(fields: Field[]): Ready['rows'] {
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

/** A statement with its values; `Rows` is the type of its result. */
export class Statement<Rows> {
  declare readonly rows: Rows;
  constructor(
    readonly ready: Ready,
    readonly values: Record<string, unknown>,
  ) {}
}

/**
 * Makes a statement that is built on its first use, and gets new values from then on: building takes more of a
 * request's processor time than sending. `given` has a placeholder for each value.
 */
export const statement =
  <Values extends Record<string, unknown>>() =>
  <Of extends Built>(build: (given: { [Name in keyof Values]: Placeholder }) => Of) => {
    let built: Ready | undefined;
    return (values: Values): Statement<Of['_']['result']> => {
      built ??= ready(build(placeholders as { [Name in keyof Values]: Placeholder }));
      return new Statement(built, values);
    };
  };

/** As `statement`, but builds a statement for each shape; a shape is a few plain values. */
export const statementBy =
  <Shape, Values extends Record<string, unknown>>() =>
  <Of extends Built>(build: (shape: Shape, given: { [Name in keyof Values]: Placeholder }) => Of) => {
    const made = new Map<string, (values: Values) => Statement<Of['_']['result']>>();
    return (shape: Shape, values: Values): Statement<Of['_']['result']> => {
      const key = JSON.stringify(shape);
      const fill = made.get(key) ?? statement<Values>()((given) => build(shape, given));
      made.set(key, fill);
      return fill(values);
    };
  };

const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) });
