import type { D1Database, D1DatabaseSession, D1Result } from '@cloudflare/workers-types';
import { fillPlaceholders } from 'drizzle-orm';
import type { ChangedPages } from './changed-pages';
import { isBookmarkRefused, isTransient, storageError, ValueTooLarge } from './errors';
import { type Built, ready, Statement } from './statement';

/** What a request has asked of the database; Server-Timing shows it if TIMING=on. */
export type Tally = { trips: number; statements: number; rowsRead: number; rowsWritten: number; milliseconds: number };

type Query = Built | Statement<unknown>;
type Results<Queries extends Query[]> = {
  [Place in keyof Queries]: Queries[Place] extends Statement<infer Rows>
    ? Rows
    : Queries[Place] extends Built
      ? Queries[Place]['_']['result']
      : never;
};
/** Statements, or lists of them, by name, in the order in which they run. An undefined statement has no result. */
export type Named = { readonly [name: string]: Query | readonly Query[] | undefined };
type NamedResult<Entry> = Entry extends readonly Query[]
  ? Results<[Entry[number]]>[0][]
  : Entry extends Query
    ? Results<[Entry]>[0]
    : never;
export type NamedResults<Queries extends Named> = {
  [Name in keyof Queries]:
    | (undefined extends Queries[Name] ? undefined : never)
    | NamedResult<NonNullable<Queries[Name]>>;
};
type Waiting = { queries: Query[]; resolve: (results: unknown[]) => void; reject: (error: unknown) => void };

const tries = 3;

const isNamed = (query: Query | Named | undefined): query is Named =>
  query !== undefined && Object.getPrototypeOf(query) === Object.prototype;

/**
 * The database for one request. Its session sees what the reader has just written. All statements of one tick go out as
 * one batch. So loaders that run side by side share a round trip with each other, and with the check of the session.
 */
export class Db {
  readonly tally: Tally = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0 };
  private session: D1DatabaseSession;
  private waiting: Waiting[] = [];
  private hasReplica = false;

  /**
   * @param from where to read first: the bookmark of an earlier response, or one of D1's own words
   * @param changedPages collects the providers whose public page the statements change; a job drops no pages, and has none
   */
  constructor(
    private readonly d1: D1Database,
    private from: string,
    readonly changedPages?: ChangedPages,
  ) {
    this.session = d1.withSession(from);
  }

  /** True if a replica has answered, which may lack the latest writes. */
  get isFromReplica(): boolean {
    return this.hasReplica;
  }

  beginAtPrimary(): void {
    this.from = 'first-primary';
    this.session = this.d1.withSession(this.from);
    this.hasReplica = false;
  }

  get bookmark(): string | null {
    return this.session.getBookmark();
  }

  /**
   * Runs the statements in order, as one transaction, together with the others of this tick. Each write of this product
   * is safe to repeat, so after a transient error of D1 the batch is sent again, up to three times in all. Results have
   * the names of their statements: `const { saved, owner } = await db.run({ saved: …, owner: … })`.
   * @throws RuleBroken if a constraint, trigger or refusal fails the batch; StorageUnavailable if D1 does not respond;
   * ValueTooLarge; StatementFailed if a statement is wrong
   */
  run<const Queries extends Query[]>(...queries: Queries): Promise<Results<Queries>>;
  run<const Queries extends Named>(queries: Queries): Promise<NamedResults<Queries>>;
  run(...queries: Query[] | [Named]): Promise<unknown> {
    const [first] = queries;
    return isNamed(first) ? this.runNamed(first) : this.runInOrder(queries as Query[]);
  }

  private async runNamed(queries: Named): Promise<Record<string, unknown>> {
    const named = Object.entries(queries).filter((entry): entry is [string, Query | Query[]] => entry[1] !== undefined);
    const results = await this.runInOrder(named.flatMap(([, query]) => query));
    let next = 0;
    const take = (query: Query | Query[]) =>
      Array.isArray(query) ? query.map(() => results[next++]) : results[next++];
    return Object.fromEntries(named.map(([name, query]) => [name, take(query)]));
  }

  protected runInOrder(queries: Query[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setTimeout(() => this.send(), 0);
      this.waiting.push({ queries, resolve, reject });
    });
  }

  private async send(): Promise<void> {
    const batches = this.waiting;
    this.waiting = [];
    try {
      const results = await this.attempt(batches.flatMap(({ queries }) => queries));
      let next = 0;
      for (const { queries, resolve } of batches) {
        resolve(results.slice(next, next + queries.length));
        next += queries.length;
      }
    } catch (error) {
      // Each group is sent again as a transaction of its own, so that only the one with the large value fails.
      const isOther = error instanceof ValueTooLarge && batches.length > 1;
      for (const { queries, resolve, reject } of batches) {
        if (isOther) this.attempt(queries).then(resolve, reject);
        else reject(error);
      }
    }
  }

  private async attempt(queries: Query[]): Promise<unknown[]> {
    const filled = queries.map((query) => (query instanceof Statement ? query : new Statement(ready(query), {})));
    const results = await this.persist(filled);
    return filled.map(({ ready }, place) => ready.rows(results[place] as D1Result));
  }

  private async persist(filled: Statement<unknown>[]): Promise<D1Result[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.batch(filled);
      } catch (error) {
        if (isBookmarkRefused(error) && !this.from.startsWith('first-')) {
          this.beginAtPrimary();
          continue;
        }
        if (attempt === tries || !isTransient(error)) throw storageError(error);
        await new Promise((resume) => setTimeout(resume, 50 * 2 ** attempt * (0.5 + Math.random())));
      }
    }
  }

  private async batch(filled: Statement<unknown>[]): Promise<D1Result[]> {
    const began = Date.now();
    this.tally.trips += 1;
    this.tally.statements += filled.length;
    const sent = filled.map(({ ready: { sql: text, params, pageChange: change }, values }) => ({
      text,
      values: fillPlaceholders(params, values),
      change,
    }));
    const results = await this.session.batch(
      sent.map(({ text, values }) => this.session.prepare(text).bind(...values)),
    );
    this.tally.milliseconds += Date.now() - began;
    sent.forEach((statement, place) => {
      this.changedPages?.add(statement, results[place] as D1Result);
    });
    for (const { meta } of results) {
      this.tally.rowsRead += meta.rows_read;
      this.tally.rowsWritten += meta.rows_written;
      this.hasReplica ||= meta.served_by_primary === false;
    }
    return results;
  }
}
