import worker from './worker.js';

/*
 * Stands before the built Worker, for the benchmark only, and puts a distance between it and D1: each batch waits as many
 * milliseconds as the request says in X-Distance.
 */

export * from './worker.js';

const far = (session, milliseconds) => ({
  getBookmark: () => session.getBookmark(),
  prepare: (sql) => session.prepare(sql),
  batch: async (statements) => {
    await new Promise((resume) => setTimeout(resume, milliseconds));
    return session.batch(statements);
  },
});

export default {
  fetch(request, env, context) {
    const distance = Number(request.headers.get('X-Distance') ?? 0);
    const withSession = (from) => far(env.DB.withSession(from), distance);
    return worker.fetch(request, { ...env, DB: { withSession } }, context);
  },
};
