import worker from './worker.js';

/* Stands before the built Worker, for the benchmark only, and prints each batch that it sends to D1. */

export * from './worker.js';

const printing = (session) => {
  const sent = new Map();
  return {
    getBookmark: () => session.getBookmark(),
    prepare: (sql) => ({
      bind: (...values) => {
        const bound = session.prepare(sql).bind(...values);
        sent.set(bound, { sql, values });
        return bound;
      },
    }),
    batch: (statements) => {
      console.log(`batch ${JSON.stringify(statements.map((statement) => sent.get(statement)))}`);
      return session.batch(statements);
    },
  };
};

export default {
  fetch: (request, env, context) =>
    worker.fetch(request, { ...env, DB: { withSession: (from) => printing(env.DB.withSession(from)) } }, context),
};
