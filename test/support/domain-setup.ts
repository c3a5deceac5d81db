import { applyD1Migrations, env, reset } from 'cloudflare:test';
import { beforeAll } from 'vitest';

/** Files share a runtime, which takes longer to start than most of them to run; each finds the tables empty. */
beforeAll(async () => {
  await reset();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});
