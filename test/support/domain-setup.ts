import { env, reset } from 'cloudflare:test';
import { beforeAll } from 'vitest';

/**
 * Empties the tables for each file: files share a runtime, which takes longer to start than most of them to run. The reset
 * skips a database that slept for ten seconds, as after a file without a query, so it is woken first.
 */
beforeAll(async () => {
  await env.DB.prepare('SELECT 1').run();
  await reset();
  for (const { statements } of env.TEST_MIGRATIONS) await env.DB.batch(statements.map((one) => env.DB.prepare(one)));
});
