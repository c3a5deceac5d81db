import type { D1Database } from '@cloudflare/workers-types';
import { fillPlaceholders } from 'drizzle-orm';
import { Db } from './client';
import { type Built, ready, Statement } from './statement';

const nowhere = { withSession: () => ({ getBookmark: () => null }) } as unknown as D1Database;

/** Stands in for the database before the first request. It builds each statement as for D1, and finds nothing. */
export class NoDb extends Db {
  constructor() {
    super(nowhere, '');
  }

  protected override async runInOrder(queries: (Built | Statement<unknown>)[]): Promise<unknown[]> {
    return queries.map((query) => {
      const { ready: built, values } = query instanceof Statement ? query : new Statement(ready(query), {});
      fillPlaceholders(built.params, values);
      return built.rows({ results: [] } as never);
    });
  }
}
