import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { forgetAll } from './history';

/** Runs one statement of SQL as it stands. */
export const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/**
 * A test of one trigger of db/behaviour: the scene, which begins with empty tables and says by itself what must hold, succeeds
 * with the trigger and fails without it.
 */
export function keeps(trigger: string, what: string, scene: () => Promise<void>): void {
  test(`${trigger}: ${what}`, async () => {
    await forgetAll();
    await scene();
    await forgetAll();
    const made = await env.DB.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?")
      .bind(trigger)
      .first<string>('sql');
    if (made === null) throw new Error(`There is no trigger ${trigger}.`);
    await run(`DROP TRIGGER ${trigger}`);
    // SQLite inserts nothing into a view that has no trigger at all.
    const isProcedure = made.includes('INSTEAD OF');
    if (isProcedure) await run(made.replace(/\bBEGIN\b[\s\S]*$/, 'BEGIN SELECT 1; END'));
    try {
      await expect(scene(), `without ${trigger}`).rejects.toThrow();
    } finally {
      if (isProcedure) await run(`DROP TRIGGER ${trigger}`);
      await run(made);
    }
  });
}
