import { env, reset } from 'cloudflare:test';
import { beforeAll } from 'vitest';

/**
 * Files share a runtime, which takes longer to start than most of them to run; each finds the tables empty. The reset
 * passes over a database that slept for ten seconds, as it does under a file that asks for nothing: so it is woken first.
 */
beforeAll(async () => {
  await env.DB.prepare('SELECT 1').run();
  await reset();
  for (const { statements } of env.TEST_MIGRATIONS) await env.DB.batch(statements.map((one) => env.DB.prepare(one)));
});
