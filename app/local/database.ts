import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secrets } from './folder';
import { root } from './root';
import type { D1 } from './server';

/** wrangler's table of applied migrations. */
export const journal = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

export const readJournal = 'SELECT name FROM d1_migrations';

/** The migrations that the journal lacks, in order, each with the statement that notes it there. */
export function migrationsAfter(noted: { name: string }[]): { name: string; sql: string; note: string }[] {
  const applied = new Set(noted.map(({ name }) => name));
  const folder = join(root, 'migrations');
  const waiting = readdirSync(folder).filter((name) => name.endsWith('.sql') && !applied.has(name));
  return waiting.sort().map((name) => ({
    name,
    sql: readFileSync(join(folder, name), 'utf8'),
    note: `INSERT INTO d1_migrations (name) VALUES ('${name}')`,
  }));
}

/**
 * Applies the migrations that `wrangler d1 migrations apply` would apply, and notes them where wrangler looks: each
 * file whole or not at all.
 */
export async function migrate(d1: D1): Promise<void> {
  const { unstable_splitSqlQuery } = await import('wrangler');
  await d1.prepare(journal).run();
  const { results } = await d1.prepare(readJournal).all<{ name: string }>();
  for (const { sql, note } of migrationsAfter(results)) {
    await d1.batch([...unstable_splitSqlQuery(sql), note].map((statement) => d1.prepare(statement)));
  }
}

/** This file exists while the demo data is being written. */
const marker = (dataDir: string) => join(dataDir, 'seeding');

/**
 * Deletes a database whose demo data is incomplete because a start was broken off. Nobody else could have written to
 * it.
 */
export function discardHalfSeeded(dataDir: string): void {
  if (!existsSync(marker(dataDir))) return;
  rmSync(join(dataDir, 'v3'), { recursive: true, force: true });
  rmSync(marker(dataDir));
}

/** Adds the demo data to a database without accounts; returns whether it did. */
export async function seedIfEmpty(
  d1: D1,
  dataDir: string,
  { PASSWORD_PEPPER }: Secrets,
  say?: (line: string) => void,
): Promise<boolean> {
  if ((await d1.prepare('SELECT 1 AS found FROM accounts LIMIT 1').first()) !== null) return false;
  const { seed } = await import('../../db/seed');
  say?.('Making the demo data, this takes a few seconds …');
  writeFileSync(marker(dataDir), '');
  await seed({ d1, pepper: PASSWORD_PEPPER, now: Date.now() });
  rmSync(marker(dataDir));
  return true;
}

/** Reads the whole database: the rows of each table by its name. */
export async function dump(d1: D1): Promise<Record<string, unknown[]>> {
  const { results: tables } = await d1
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`,
    )
    .all<{ name: string }>();
  const dumped = await d1.batch(tables.map(({ name }) => d1.prepare(`SELECT * FROM "${name}"`)));
  return Object.fromEntries(tables.map(({ name }, index) => [name, dumped[index]?.results ?? []]));
}
