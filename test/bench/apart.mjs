import worker from './worker.js';

/*
 * Stands before the built Worker, for the benchmark only. `/-/database` opens D1 and leaves the Worker alone, so that the
 * processor time of the request after it is that of the Worker. `/-/read` is the yardstick: one row read, and nothing else.
 */

export * from './worker.js';

export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/-/')) return worker.fetch(request, env, context);
    const session = env.DB.withSession('first-unconstrained');
    for (let times = pathname === '/-/read' ? 19 : 0; times < 20; times += 1) {
      await session.batch([session.prepare('SELECT id, username FROM accounts WHERE id = ?').bind(String(times))]);
    }
    return new Response('Read.');
  },
};
