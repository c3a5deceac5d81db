import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { D1 } from './d1';
import { root } from './root';

/*
 * What the local server, the tests and a deployment apply: the same files, in the same order, noted in the same journal.
 * Each file takes effect whole, together with its note, or not at all: locally as one batch, remotely as one import
 * (migrate.ts).
 */

/** wrangler's table of applied migrations. */
export const journal = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

export const readJournal = 'SELECT name FROM d1_migrations';

/** A migration: its file's name and text, and the statement that notes it in the journal. */
type Migration = { name: string; sql: string; note: string };

/** The migrations that the journal lacks, in order. */
export function migrationsAfter(noted: { name: string }[]): Migration[] {
  const applied = new Set(noted.map(({ name }) => name));
  const folder = join(root, 'migrations');
  const waiting = readdirSync(folder).filter((name) => name.endsWith('.sql') && !applied.has(name));
  return waiting.sort().map((name) => ({
    name,
    sql: readFileSync(join(folder, name), 'utf8'),
    note: `INSERT INTO d1_migrations (name) VALUES ('${name}')`,
  }));
}

/** The statements of a migration and its note, for one batch. */
export async function batchOf({ sql, note }: Migration): Promise<string[]> {
  const { unstable_splitSqlQuery } = await import('wrangler');
  return [...unstable_splitSqlQuery(sql), note];
}

/** Applies the migrations that `wrangler d1 migrations apply` would apply, and notes them where wrangler looks. */
export async function migrate(d1: D1): Promise<void> {
  await d1.prepare(journal).run();
  const { results } = await d1.prepare(readJournal).all<{ name: string }>();
  for (const migration of migrationsAfter(results)) {
    await d1.batch((await batchOf(migration)).map((statement) => d1.prepare(statement)));
  }
}
