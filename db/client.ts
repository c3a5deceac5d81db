import type { D1Database, D1DatabaseSession, D1PreparedStatement, D1Result } from '@cloudflare/workers-types';
import type { BatchItem, BatchResponse } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/d1';
import { isTransient, storageError } from './errors';

/** What the database was asked in one request; printed by Server-Timing where TIMING=on. */
export type Tally = { trips: number; statements: number; rowsRead: number; rowsWritten: number; milliseconds: number };

type Statement = BatchItem<'sqlite'>;
type Waiting = { queries: Statement[]; resolve: (results: unknown[]) => void; reject: (error: unknown) => void };

const tries = 3;

/** A thin proxy of D1's batch that counts, because Drizzle hands no `meta` back. */
function counting(session: D1DatabaseSession, tally: Tally): D1Database {
  return {
    prepare: (query: string) => session.prepare(query),
    batch: async <T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
      const began = Date.now();
      tally.trips += 1;
      tally.statements += statements.length;
      const results = await session.batch<T>(statements);
      tally.milliseconds += Date.now() - began;
      for (const { meta } of results) {
        tally.rowsRead += meta.rows_read;
        tally.rowsWritten += meta.rows_written;
      }
      return results;
    },
  } as unknown as D1Database;
}

/**
 * One request's view of D1: a session that sees what its reader has just written, and one batch for all that is asked
 * for in one tick, so that loaders that run side by side, and the check of the login, share one round trip.
 */
export class Db {
  readonly tally: Tally = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0 };
  readonly orm;
  private readonly session: D1DatabaseSession;
  private waiting: Waiting[] = [];

  /** @param from a bookmark that an earlier answer gave, or where to read from first */
  constructor(d1: D1Database, from: string) {
    this.session = d1.withSession(from);
    this.orm = drizzle(counting(this.session, this.tally));
  }

  /** How far this session has read and written; null before its first trip. */
  get bookmark(): string | null {
    return this.session.getBookmark();
  }

  /**
   * Runs the statements in order, as one transaction, together with whatever else is asked for in this tick.
   * Every write in this product is safe to repeat, so what D1 calls transient is sent up to three times.
   * @throws RuleBroken where a constraint, trigger or refusal fails the batch; StorageUnavailable for anything else
   */
  run<const Queries extends Statement[]>(...queries: Queries): Promise<BatchResponse<Queries>> {
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
      for (const { reject } of asked) reject(error);
    }
  }

  private async attempt(queries: Statement[]): Promise<unknown[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.orm.batch(queries as [Statement, ...Statement[]]);
      } catch (error) {
        if (attempt === tries || !isTransient(error)) throw storageError(error);
        await new Promise((resume) => setTimeout(resume, 50 * 2 ** attempt * (0.5 + Math.random())));
      }
    }
  }
}
