import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { D1 } from './d1';
import { root } from './root';
import { importWrangler } from './wrangler';

// The local server, the tests and a deployment apply the same files in the same order, and note them in the same
// journal. A file and its note take effect together, or not at all: locally as one batch, remotely as one import.

// wrangler's table of applied migrations.
export const journal = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

export const readJournal = 'SELECT name FROM d1_migrations';

export type AppliedMigration = { name: string };

/** `note` is the statement that adds the migration to the journal. */
export type Migration = { name: string; sql: string; note: string };

function allMigrations(): Migration[] {
  const folder = join(root, 'migrations');
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => ({
    name,
    sql: readFileSync(join(folder, name), 'utf8'),
    note: `INSERT INTO d1_migrations (name) VALUES ('${name}')`,
  }));
}

export function migrationsAfter(journaled: AppliedMigration[]): Migration[] {
  const applied = new Set(journaled.map(({ name }) => name));
  return allMigrations().filter(({ name }) => !applied.has(name));
}

/** Reads a journal. @returns the migrations that it names, and names in it that are not migrations of ours */
export function migrationsIn(journaled: AppliedMigration[]): { known: Migration[]; unknown: string[] } {
  const applied = new Set(journaled.map(({ name }) => name));
  const migrations = allMigrations().filter(({ name }) => applied.delete(name));
  return { known: migrations, unknown: [...applied].sort() };
}

export async function statementsOf({ sql }: Pick<Migration, 'sql'>): Promise<string[]> {
  const { unstable_splitSqlQuery } = await importWrangler();
  return unstable_splitSqlQuery(sql);
}

export async function batchOf(migration: Migration): Promise<string[]> {
  return [...(await statementsOf(migration)), migration.note];
}

/** Brings a database up to date, or to the last of these migrations. */
export async function migrate(d1: D1, upTo: Migration[] = allMigrations()): Promise<void> {
  await d1.prepare(journal).run();
  const { results } = await d1.prepare(readJournal).all<AppliedMigration>();
  const applied = new Set(results.map(({ name }) => name));
  for (const migration of upTo.filter(({ name }) => !applied.has(name))) {
    await d1.batch((await batchOf(migration)).map((statement) => d1.prepare(statement)));
  }
}
