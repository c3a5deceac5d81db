import { env, reset } from 'cloudflare:test';
import { beforeAll } from 'vitest';

/** Files share a runtime, which takes longer to start than most of them to run; each finds the tables empty. */
beforeAll(async () => {
  await reset();
  for (const { statements } of env.TEST_MIGRATIONS) await env.DB.batch(statements.map((one) => env.DB.prepare(one)));
});
