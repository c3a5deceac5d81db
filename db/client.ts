import type { D1Database, D1DatabaseSession, D1Result } from '@cloudflare/workers-types';
import { Column, fillPlaceholders, is, type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import { isTransient, storageError, ValueTooLarge } from './errors';

/** Counts what one request asks of the database; Server-Timing prints it where TIMING=on. */
export type Tally = { trips: number; statements: number; rowsRead: number; rowsWritten: number; milliseconds: number };

/** Builds queries. It has no connection, so it serves all requests: `Db.run` sends what it builds. */
export const orm = drizzle({ prepare: () => null } as unknown as D1Database);

type Built = BatchItem<'sqlite'>;
/** What Drizzle makes of a query: its text, what is bound, and how the columns of a row are read, in their order. */
type Prepared = { getQuery(): Query; mapResult(result: unknown, isFromBatch: boolean): unknown; fields?: Field[] };
type Decoder = { mapFromDriverValue(value: unknown): unknown };
type Field = { path: string[]; field: Column | (SQL & { decoder: Decoder }) | { sql: { decoder: Decoder } } };
type Ready = Query & { rows: (result: D1Result) => unknown };

function ready(built: Built): Ready {
  const prepared = (built as unknown as { _prepare(): Prepared })._prepare();
  const { fields } = prepared;
  const isFlat = fields?.every(({ path }) => path.length === 1);
  return {
    ...prepared.getQuery(),
    rows: fields && isFlat ? reading(fields) : (result) => prepared.mapResult(result, true),
  };
}

/** Reads rows as Drizzle does, but finds out how a column is read once, and not for each value of each row. */
function reading(fields: Field[]): Ready['rows'] {
  const columns = fields.map(({ path, field }) => ({
    name: String(path[0]),
    decoder: is(field, Column) ? field : 'sql' in field ? field.sql.decoder : field.decoder,
  }));
  return ({ results }) =>
    (results as Record<string, unknown>[]).map((row) => {
      const read: Record<string, unknown> = {};
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

type Asked = Built | Statement<unknown>;
type Answers<Queries extends Asked[]> = {
  [Place in keyof Queries]: Queries[Place] extends Statement<infer Rows>
    ? Rows
    : Queries[Place] extends Built
      ? Queries[Place]['_']['result']
      : never;
};
type Waiting = { queries: Asked[]; resolve: (results: unknown[]) => void; reject: (error: unknown) => void };

const tries = 3;

/**
 * One request's view of D1. Its session sees what the reader has just written. All statements of one tick are one
 * batch, so loaders that run side by side, and the check of the login, share one round trip.
 */
export class Db {
  readonly tally: Tally = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0 };
  private readonly session: D1DatabaseSession;
  private waiting: Waiting[] = [];

  /** @param from the bookmark of an earlier response, or where to read first */
  constructor(d1: D1Database, from: string) {
    this.session = d1.withSession(from);
  }

  /** The bookmark of this session; null before its first trip. */
  get bookmark(): string | null {
    return this.session.getBookmark();
  }

  /**
   * Runs the statements in order, as one transaction, together with the others of this tick. Each write in this product
   * is safe to repeat, so a batch that fails by one of D1's transient errors is sent up to three times.
   * @throws RuleBroken where a constraint, trigger or refusal fails the batch; ValueTooLarge; StorageUnavailable for
   * anything else
   */
  run<const Queries extends Asked[]>(...queries: Queries): Promise<Answers<Queries>> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setTimeout(() => this.send(), 0);
      this.waiting.push({ queries, resolve: resolve as Waiting['resolve'], reject });
    });
  }

  private async send(): Promise<void> {
    const asked = this.waiting;
    this.waiting = [];
    try {
      const results = await this.attempt(asked.flatMap(({ queries }) => queries));
      let next = 0;
      for (const { queries, resolve } of asked) {
        resolve(results.slice(next, next + queries.length));
        next += queries.length;
      }
    } catch (error) {
      // Only the statement with that value fails.
      const isOther = error instanceof ValueTooLarge && asked.length > 1;
      for (const { queries, resolve, reject } of asked) {
        if (isOther) this.attempt(queries).then(resolve, reject);
        else reject(error);
      }
    }
  }

  private async attempt(queries: Asked[]): Promise<unknown[]> {
    const filled = queries.map((asked) => (asked instanceof Statement ? asked : new Statement(ready(asked), {})));
    for (let attempt = 1; ; attempt++) {
      try {
        const results = await this.batch(filled);
        return filled.map(({ ready }, place) => ready.rows(results[place] as D1Result));
      } catch (error) {
        if (attempt === tries || !isTransient(error)) throw storageError(error);
        await new Promise((resume) => setTimeout(resume, 50 * 2 ** attempt * (0.5 + Math.random())));
      }
    }
  }

  /** Makes one round trip, and counts it. */
  private async batch(filled: Statement<unknown>[]): Promise<D1Result[]> {
    const began = Date.now();
    this.tally.trips += 1;
    this.tally.statements += filled.length;
    const results = await this.session.batch(
      filled.map(({ ready, values }) =>
        this.session.prepare(ready.sql).bind(...fillPlaceholders(ready.params, values)),
      ),
    );
    this.tally.milliseconds += Date.now() - began;
    for (const { meta } of results) {
      this.tally.rowsRead += meta.rows_read;
      this.tally.rowsWritten += meta.rows_written;
    }
    return results;
  }
}
