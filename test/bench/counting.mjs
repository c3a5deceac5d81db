import worker from './worker.js';

/*
 * Stands before the built Worker, for the benchmark only, and prints what each run of the hourly job asks of D1. Its batch
 * with the number in STOP_AT fails, and with it the run.
 */

export * from './worker.js';

const counted = (session, sum) => ({
  getBookmark: () => session.getBookmark(),
  prepare: (sql) => session.prepare(sql),
  batch: async (statements) => {
    sum.trips += 1;
    sum.statements += statements.length;
    if (sum.trips === STOP_AT) throw new Error('The benchmark stops here.');
    const results = await session.batch(statements);
    for (const { meta } of results) {
      sum.read += meta.rows_read;
      sum.written += meta.rows_written;
    }
    return results;
  },
});

export default {
  fetch: (request, env, context) => worker.fetch(request, env, context),
  async scheduled(event, env, context) {
    const sum = { trips: 0, statements: 0, read: 0, written: 0 };
    const withSession = (from) => counted(env.DB.withSession(from), sum);
    try {
      await worker.scheduled(event, { ...env, DB: { withSession } }, context);
    } finally {
      console.log(`counted ${JSON.stringify(sum)}`);
    }
  },
};
