import { env, reset } from 'cloudflare:test';

/** Makes the tables anew, empty. The reset skips a database that slept for ten seconds, as after a file without a query, so it is woken first. */
export async function renewTables(): Promise<void> {
  await env.DB.prepare('SELECT 1').run();
  await reset();
  for (const { statements } of env.TEST_MIGRATIONS) await env.DB.batch(statements.map((one) => env.DB.prepare(one)));
}
