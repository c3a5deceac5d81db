import worker from './worker.js';

/* Stands before the built Worker and gives D1 the statements of a test, for test/support/d1-door.ts. */

export * from './worker.js';

const run = async (request, { DB }) => {
  const statements = (await request.json()).map(({ sql, values }) => DB.prepare(sql).bind(...values));
  return statements.length === 1 ? [await statements[0].all()] : DB.batch(statements);
};

export default {
  ...worker,
  fetch: (request, env, context) =>
    request.method === 'POST' && request.url.endsWith('/d1-door')
      ? run(request, env).then(
          (results) => Response.json(results),
          ({ message }) => Response.json({ message }, { status: 500 }),
        )
      : worker.fetch(request, env, context),
};
