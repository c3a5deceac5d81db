import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { D1 } from '../../app/local/d1';
import { root } from '../../app/local/root';

/*
 * A server's D1 for tests. Miniflare's own asks workerd ten times for a statement and stops this thread while it waits, which
 * takes as long as two pages; this one asks once.
 */

type Result = { results: Record<string, unknown>[] };

class Statement {
  constructor(
    private readonly ask: (statements: Statement[]) => Promise<Result[]>,
    readonly sql: string,
    readonly values: unknown[] = [],
  ) {}

  bind(...values: unknown[]): Statement {
    const odd = values.find((value) => value !== null && !['string', 'number', 'boolean'].includes(typeof value));
    if (odd !== undefined || values.includes(undefined)) throw new Error(`D1 takes no ${typeof odd}: ${this.sql}`);
    return new Statement(this.ask, this.sql, values);
  }

  async all(): Promise<Result> {
    const [result] = await this.ask([this]);
    return result as Result;
  }

  run = this.all;

  async first(column?: string): Promise<unknown> {
    const [row] = (await this.all()).results;
    if (row && column !== undefined && !(column in row)) throw new Error(`There is no column ${column}: ${this.sql}`);
    return (column === undefined ? row : row?.[column]) ?? null;
  }
}

/** What a server needs so that `d1At` works. */
export const door = { before: readFileSync(join(root, 'test/support/d1-statements.mjs'), 'utf8') };

export function d1At(url: string): D1 {
  const ask = (statements: Statement[]) =>
    new Promise<Result[]>((resolve, reject) => {
      const call = request(new URL('/d1-door', url), { method: 'POST', agent: false }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const result = JSON.parse(Buffer.concat(chunks).toString());
        if (response.statusCode === 200) resolve(result);
        else reject(new Error(result.message));
      });
      call.once('error', reject);
      call.end(JSON.stringify(statements.map(({ sql, values }) => ({ sql, values }))));
    });
  const d1 = { prepare: (sql: string) => new Statement(ask, sql), batch: ask };
  return d1 as unknown as D1;
}
