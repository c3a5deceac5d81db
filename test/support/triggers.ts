import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { forgetAll, stored } from './history';
import { renewTables } from './new-tables';

/** Runs one statement of SQL as it stands. */
export const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

export type Row = Record<string, string | number | null>;

// D1 binds numbers as REAL, which a table turns into its INTEGER, and a view does not.
const placeOf = (value: unknown) => (typeof value === 'number' ? 'CAST(? AS INTEGER)' : '?');

/** Inserts one row into a table, or into a view that is a procedure. */
export const put = (table: string, row: Row) => {
  const values = Object.values(row);
  return run(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${values.map(placeOf)})`, ...values);
};

/** The values of the only column that this selects. */
export const valuesOf = async (sql: string, ...values: unknown[]) =>
  (await stored<Row>(sql, ...values)).map((row) => Object.values(row)[0]);

/** A calendar feed of an account, which has not changed yet. */
export const feed = (account: string) =>
  put('feeds', { account_id: account, key_hash: account, seed: 'seed', made_at: 0 });

/** How often the feed of an account has changed. */
export const changesOf = async (account: string) =>
  (await valuesOf('SELECT version FROM feeds WHERE account_id = ?', account))[0];

/** The same trigger without what it does. A view still needs one that takes what is written into it. */
const idle = (made: string) => made.replace(/\bBEGIN\b.*$/s, 'BEGIN SELECT 1; END');

/**
 * A test of one trigger of db/behaviour: the scene, which begins with empty tables and says by itself what must hold, succeeds
 * with the trigger and fails without it.
 */
export function keeps(trigger: string, what: string, scene: () => Promise<void>): void {
  test(`${trigger}: ${what}`, async () => {
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
