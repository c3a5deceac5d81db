import { DurableObject } from 'cloudflare:workers';
import type { D1Database } from '@cloudflare/workers-types';
import { remixPage } from './yardstick-page';

type Env = { DB: D1Database; ROW: string };

/** One read of one row by its key. */
export type Read = () => Promise<{ id: string; starts_at: number }>;

/** Takes the place of the product's, so that both are served with the same bindings. */
export class Hasher extends DurableObject {}

/* What the product is measured against: as little as a Worker, and a Remix app, can do with one trip to D1. */
export default {
  async fetch(request: Request, { DB, ROW }: Env): Promise<Response> {
    const session = DB.withSession('first-unconstrained');
    const read: Read = async () => {
      const one = session.prepare('SELECT id, starts_at FROM slots WHERE id = ?1').bind(ROW);
      const [
        {
          results: [row],
        } = { results: [] },
      ] = await session.batch<{ id: string; starts_at: number }>([one]);
      if (!row) throw new Error('The row to read is missing.');
      return row;
    };
    const { pathname } = new URL(request.url);
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
    return new Response('Nothing read.');
  },
};
