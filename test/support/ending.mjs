import worker from './worker.js';

/*
 * Stands before the built Worker, and ends every session of an account right before one round trip of a request. X-Ends names
 * the account, X-Ends-Before the round trip, from 1.
 */

export * from './worker.js';

const ending = (session, env, { at, username }) => {
  let trips = 0;
  return {
    getBookmark: () => session.getBookmark(),
    prepare: (sql) => session.prepare(sql),
    batch: async (statements) => {
      trips += 1;
      if (trips === at) {
        await env.DB.prepare(
          'DELETE FROM sessions WHERE account_id = (SELECT id FROM accounts WHERE username_folded = ?)',
        )
          .bind(username)
          .run();
      }
      return session.batch(statements);
    },
  };
};

export default {
  fetch(request, env, context) {
    const at = Number(request.headers.get('X-Ends-Before'));
    if (!at) return worker.fetch(request, env, context);
    const end = { at, username: request.headers.get('X-Ends') };
    const withSession = (from) => ending(env.DB.withSession(from), env, end);
    return worker.fetch(request, { ...env, DB: { withSession } }, context);
  },
};
