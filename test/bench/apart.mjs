import worker from './worker.js';

/*
 * Stands before the built Worker, for the benchmark only. `/-/database` opens D1 and leaves the Worker alone, so that the
 * processor time of the request after it is that of the Worker.
 */

export * from './worker.js';

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== '/-/database') return worker.fetch(request, env, context);
    const session = env.DB.withSession('first-unconstrained');
    for (let times = 0; times < 20; times += 1) {
      await session.batch([session.prepare('SELECT id, username FROM accounts WHERE id = ?').bind(String(times))]);
    }
    return new Response(null, { status: 204 });
  },
};
