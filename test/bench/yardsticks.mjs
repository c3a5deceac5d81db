import worker from './worker.js';

/*
 * Stands before the built Worker, for the benchmark only. Below `/-/` it answers by itself, and does as little as a Worker can: nothing,
 * one row read, one row written, or the booking of a time. `/-/database` opens D1 and leaves the Worker alone.
 */

export * from './worker.js';

const sql = {
  read: 'SELECT id, username FROM accounts WHERE id = ?1',
  write: 'INSERT INTO bench_rows (id) VALUES (?1)',
  book: BOOK,
};

export default {
  async fetch(request, env, context) {
    if (!request.url.includes('/-/')) return worker.fetch(request, env, context);
    const { pathname, searchParams } = new URL(request.url);
    const ask = async (name, from, ...values) => {
      const session = env.DB.withSession(from);
      const [result] = await session.batch([session.prepare(sql[name]).bind(...values)]);
      return Response.json(result.results);
    };
    switch (pathname) {
      case '/-/database':
        for (let times = 0; times < 19; times += 1) await ask('read', 'first-unconstrained', String(times));
        return ask('read', 'first-unconstrained', '');
      case '/-/read':
        return ask('read', 'first-unconstrained', '');
      case '/-/write':
        return ask('write', 'first-primary', crypto.randomUUID());
      case '/-/book':
        return ask('book', 'first-primary', searchParams.get('slot'), searchParams.get('account'), Date.now());
      default:
        return new Response('Nothing read.');
    }
  },
};
