import worker from './worker.js';

/*
 * Stands before the built Worker and writes down each statement that it sends to D1, once, with its query plan,
 * for test/support/plans.ts.
 */

export * from './worker.js';

const known = new Set();

function recording(session) {
  const sent = new Map();
  return {
    getBookmark: () => session.getBookmark(),
    prepare: (sql) => {
      const statement = session.prepare(sql);
      return {
        bind: (...values) => {
          const bound = statement.bind(...values);
          sent.set(bound, { sql, values });
          return bound;
        },
      };
    },
    batch: async (statements) => {
      for (const statement of statements) {
        const { sql, values } = sent.get(statement);
        if (known.has(sql)) continue;
        known.add(sql);
        const { results } = await session
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .bind(...values)
          .all();
        console.log(`plan ${JSON.stringify({ sql, steps: results.map(({ detail }) => detail) })}`);
      }
      return session.batch(statements);
    },
  };
}

export default {
  fetch: (request, env, context) =>
    worker.fetch(request, { ...env, DB: { withSession: (from) => recording(env.DB.withSession(from)) } }, context),
};
