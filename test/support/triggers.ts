import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { forgetAll } from './history';
import { renewTables } from './new-tables';

/** Runs one statement of SQL as it stands. */
export const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** The same trigger without what it does. A view still needs one that takes what is written into it. */
const idle = (made: string) => made.replace(/\bBEGIN\b.*$/s, 'BEGIN SELECT 1; END');

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
    await run(idle(made));
    try {
      await expect(scene(), `without ${trigger}`).rejects.toThrow();
    } finally {
      await run(`DROP TRIGGER ${trigger}`);
      await run(made);
      // A scene may leave what the trigger never lets come about, and no other statement can undo.
      await forgetAll().catch(renewTables);
    }
  });
}
