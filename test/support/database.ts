import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secrets } from './folder';
import { root } from './root';
import type { D1 } from './server';

/** Brings the tables up to date, and puts the demo data in where that is wanted and nobody has an account yet. */
export async function prepareDatabase(d1: D1, { PASSWORD_PEPPER }: Secrets, seeding: boolean): Promise<boolean> {
  await migrate(d1);
  if (!seeding || (await hasAccounts(d1))) return false;
  const { seed } = await import('../../db/seed');
  await seed({ d1, pepper: PASSWORD_PEPPER, now: Date.now() });
  return true;
}

/** Whether somebody can log in. */
export async function hasAccounts(d1: D1): Promise<boolean> {
  return (await d1.prepare('SELECT 1 FROM accounts LIMIT 1').first()) !== null;
}

/** Applies what `wrangler d1 migrations apply` would, and notes it where wrangler looks: each migration whole or not at all. */
async function migrate(d1: D1): Promise<void> {
  const { unstable_splitSqlQuery } = await import('wrangler');
  await d1.exec(
    'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
  );
  const { results } = await d1.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const folder = join(root, 'migrations');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql') && !applied.has(name));
  for (const name of files.sort()) {
    const statements = unstable_splitSqlQuery(readFileSync(join(folder, name), 'utf8'));
    await d1.batch([
      ...statements.map((statement) => d1.prepare(statement)),
      d1.prepare('INSERT INTO d1_migrations (name) VALUES (?1)').bind(name),
    ]);
  }
}
