import type { D1Database, D1DatabaseSession, D1Result } from '@cloudflare/workers-types';
import { fillPlaceholders } from 'drizzle-orm';
import { isBookmarkRefused, isTransient, storageError, ValueTooLarge } from './errors';
import { type Built, ready, Statement } from './statement';

/** Counts what one request asks of the database; Server-Timing prints it where TIMING=on. */
export type Tally = { trips: number; statements: number; rowsRead: number; rowsWritten: number; milliseconds: number };

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
  /** Providers whose public page shows something else since this request: what is kept of it is dropped. */
  readonly changedPages = new Set<string>();
  readonly tally: Tally = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0 };
  private session: D1DatabaseSession;
  private waiting: Waiting[] = [];
  private hasReplica = false;

  /** @param from the bookmark of an earlier response, or where to read first */
  constructor(
    private readonly d1: D1Database,
    private from: string,
  ) {
    this.session = d1.withSession(from);
  }

  /** True where a copy of the database has answered, which may lack what was written a moment ago. */
  get isFromReplica(): boolean {
    return this.hasReplica;
  }

  /** Asks the primary from now on, and counts on. */
  beginAtPrimary(): void {
    this.from = 'first-primary';
    this.session = this.d1.withSession(this.from);
    this.hasReplica = false;
  }

  /** The bookmark of this session; null before its first trip. */
  get bookmark(): string | null {
    return this.session.getBookmark();
  }

  /**
   * Runs the statements in order, as one transaction, together with the others of this tick. Each write in this product
   * is safe to repeat, so a batch that fails by one of D1's transient errors is sent up to three times.
   * @throws RuleBroken where a constraint, trigger or refusal fails the batch; StorageUnavailable where D1 does not
   * respond; ValueTooLarge; StatementFailed where a statement is at fault
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
      this.hasReplica ||= meta.served_by_primary === false;
    }
    return results;
  }
}
