import { randomBytes } from 'node:crypto';
import type { Miniflare, SharedOptions, WorkerOptions } from 'miniflare';
import type { D1 } from './d1';
import { readSchema, type SchemaBuilder, type SchemaPart } from './schema';

export type Desk = SchemaBuilder & {
  d1: D1;
  ready: () => Promise<void>;
  dispose: () => Promise<void>;
};

type BoundStatement = [sql: string, values: unknown[]];
type Result = { results: Record<string, unknown>[]; meta: unknown; success: boolean };
type Reply = { results: Result[] } | { message: string; cause?: string };

const keyHeader = 'Authorization';

// This runtime has a port of its own, so it works only for whoever has the key.
const workerFor = (key: string) => `import { DurableObject } from 'cloudflare:workers';
export class Blank extends DurableObject {
  build(statements, read) {
    for (const statement of statements) this.ctx.storage.sql.exec(statement);
    return this.ctx.storage.sql.exec(read).toArray();
  }
}
export default {
  async fetch(request, { DB, BLANK }) {
    if (request.headers.get('${keyHeader}') !== '${key}') return new Response(null, { status: 403 });
    try {
      const statements = await request.json();
      if (new URL(request.url).pathname === '/build') {
        const blank = BLANK.get(BLANK.newUniqueId());
        return Response.json({ results: [{ results: await blank.build(...statements) }] });
      }
      return Response.json({ results: await DB.batch(statements.map(([sql, values]) => DB.prepare(sql).bind(...values))) });
    } catch (error) {
      return Response.json({ message: error.message, cause: error.cause?.message });
    }
  },
};`;

/** How a desk is asked: its Worker's `fetch`. */
type Ring = (
  address: string,
  init: { method: string; headers: Record<string, string>; body: string },
) => Promise<{ json(): Promise<unknown> }>;

const askBy =
  (ring: Ring, key: string): Ask =>
  async (path, body) => {
    const response = await ring(`http://desk${path}`, {
      method: 'POST',
      headers: { [keyHeader]: key },
      body: JSON.stringify(body),
    });
    const reply = (await response.json()) as Reply;
    if ('message' in reply) throw new Error(reply.message, { cause: new Error(reply.cause ?? reply.message) });
    return reply.results;
  };

/** The Worker of a desk, for a runtime that serves others too. */
export const deskWorker = (key: string, { compatibilityDate, d1Databases }: WorkerOptions): WorkerOptions => ({
  name: 'desk',
  modules: true,
  script: workerFor(key),
  compatibilityDate,
  d1Databases,
});

// Miniflare's D1 for Node waits for a response to each `prepare` and `bind`. This one sends a whole batch at once, so
// the demo data takes a third of the time.
export const deskD1 = (ring: Ring, key: string): D1 => new DeskD1(askBy(ring, key)) as unknown as D1;

/** Opens a runtime for the database alone. */
export function openDesk(Runtime: typeof Miniflare, shared: SharedOptions, served: WorkerOptions): Desk {
  const key = randomBytes(32).toString('base64url');
  const runtime = new Runtime({
    ...shared,
    workers: [
      {
        ...deskWorker(key, served),
        durableObjects: { BLANK: { className: 'Blank', useSQLite: true } },
      },
    ],
    // Kept in memory and lost with the runtime.
    durableObjectsPersist: false,
  });
  const ring: Ring = (address, init) => runtime.dispatchFetch(address, init);
  return {
    d1: deskD1(ring, key),
    async build(statements) {
      const [schema] = await askBy(ring, key)('/build', [statements, readSchema]);
      return (schema?.results ?? []) as SchemaPart[];
    },
    ready: async () => void (await runtime.ready),
    dispose: () => runtime.dispose(),
  };
}

type Ask = (path: string, body: unknown) => Promise<Result[]>;

// The part of D1 that the demo data and the migrations use. There are no replicas, so a session is the database itself.
class DeskD1 {
  constructor(private readonly ask: Ask) {}

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
    return this.ask(
      '/',
      statements.map(({ sql, values }): BoundStatement => [sql, values]),
    );
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
