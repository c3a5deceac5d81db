import { DurableObject } from 'cloudflare:workers';
import type { D1Database } from '@cloudflare/workers-types';
import type { Step } from './bare-booking';
import { remixPage } from './yardstick-page';

type Env = { DB: D1Database; ROW: string; BOOK: Step[] };

/** One read of one row by its key. */
export type Read = () => Promise<{ id: string; starts_at: number }>;

/** They take the place of the product's, so that both are served with the same bindings. */
export class Hasher extends DurableObject {}
export class Outbox extends DurableObject {}

const randomText = (length: number) => (crypto.randomUUID() + crypto.randomUUID()).replaceAll('-', '').slice(0, length);

/** Sends the batch of a booking, and answers with the last row that it read. */
async function book(url: URL, { DB, BOOK }: Env): Promise<Response> {
  const session = DB.withSession('first-primary');
  const given = (own: NonNullable<Step['values'][number]['own']>) =>
    typeof own === 'number' ? randomText(own) : url.searchParams.get(own);
  const results = await session.batch(
    BOOK.map(({ sql, values }) =>
      session.prepare(sql).bind(...values.map(({ fixed, own }) => (own ? given(own) : fixed))),
    ),
  );
  return Response.json(results.at(-1)?.results[0]);
}

/* What the product is measured against: as little as a Worker, and a Remix app, can do with one trip to D1. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { DB, ROW } = env;
    const session = DB.withSession('first-unconstrained');
    const read: Read = async () => {
      const one = session
        .prepare('SELECT id, starts_at FROM slots WHERE provider_id = ?1 ORDER BY starts_at LIMIT 1')
        .bind(ROW);
      const [
        {
          results: [row],
        } = { results: [] },
      ] = await session.batch<{ id: string; starts_at: number }>([one]);
      if (!row) throw new Error('The row to read is missing.');
      return row;
    };
    const url = new URL(request.url);
    const { pathname } = url;
    if (pathname === '/remix') return remixPage(request, read);
    if (pathname === '/read') {
      const { id, starts_at } = await read();
      return new Response(`<!doctype html><title>One read</title><p>${id} ${starts_at}`, {
        headers: { 'Content-Type': 'text/html; charset=utf-8' },
      });
    }
    if (pathname === '/write') {
      const id = crypto.randomUUID();
      await DB.withSession('first-primary').batch([DB.prepare('INSERT INTO bench_rows (id) VALUES (?1)').bind(id)]);
      return Response.json({ id });
    }
    if (pathname === '/book') return book(url, env);
    return new Response('Nothing read.');
  },
};
