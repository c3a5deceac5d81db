import type { Miniflare, SharedOptions, WorkerOptions } from 'miniflare';
import type { D1 } from './d1';

type Desk = { d1: D1; ready: () => Promise<void>; dispose: () => Promise<void> };

/** A statement on its way: the SQL and the bound values. */
type Sent = [sql: string, values: unknown[]];
type Result = { results: Record<string, unknown>[]; meta: unknown; success: boolean };
type Reply = { results: Result[] } | { message: string; cause?: string };

const worker = `export default {
  async fetch(request, { DB }) {
    try {
      const statements = await request.json();
      return Response.json({ results: await DB.batch(statements.map(([sql, values]) => DB.prepare(sql).bind(...values))) });
    } catch (error) {
      return Response.json({ message: error.message, cause: error.cause?.message });
    }
  },
};`;

/**
 * Opens the database of a data folder that nobody serves. Miniflare's own D1 for Node waits for a response at each
 * `prepare` and `bind`, so the demo data takes three times as long; this one sends a batch at once.
 */
export function openDesk(Runtime: typeof Miniflare, shared: SharedOptions, served: WorkerOptions): Desk {
  const { compatibilityDate, d1Databases } = served;
  const runtime = new Runtime({ ...shared, modules: true, script: worker, compatibilityDate, d1Databases });
  return {
    d1: new DeskD1(runtime) as unknown as D1,
    ready: async () => void (await runtime.ready),
    dispose: () => runtime.dispose(),
  };
}

/** The part of D1 that the seed and the migrations use. A session is the database itself, which has no replicas. */
class DeskD1 {
  constructor(private readonly runtime: Miniflare) {}

  prepare(sql: string): Statement {
    return new Statement(this, sql, []);
  }

  withSession(): this {
    return this;
  }

  getBookmark(): null {
    return null;
  }

  async batch(statements: Statement[]): Promise<Result[]> {
    const body = JSON.stringify(statements.map(({ sql, values }): Sent => [sql, values]));
    const response = await this.runtime.dispatchFetch('http://desk/', { method: 'POST', body });
    const reply = (await response.json()) as Reply;
    if ('message' in reply) throw new Error(reply.message, { cause: new Error(reply.cause ?? reply.message) });
    return reply.results;
  }
}

class Statement {
  constructor(
    private readonly d1: DeskD1,
    readonly sql: string,
    readonly values: unknown[],
  ) {}

  bind(...values: unknown[]): Statement {
    return new Statement(this.d1, this.sql, values);
  }

  async all(): Promise<Result> {
    const [result] = await this.d1.batch([this]);
    return result ?? { results: [], meta: {}, success: true };
  }

  run(): Promise<Result> {
    return this.all();
  }

  async first(): Promise<Record<string, unknown> | null> {
    return (await this.all()).results[0] ?? null;
  }
}
