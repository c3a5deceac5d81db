import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Vars } from './configuration';
import type { D1 } from './d1';
import type { Secrets } from './folder';

// This file exists while the demo data is being made and nobody else has written.
const marker = (dataDir: string) => join(dataDir, 'seeding');

/** Removes a book in which the demo data was broken off. Nobody else has written to it. */
export function discardHalfSeeded(dataDir: string): void {
  if (!existsSync(marker(dataDir))) return;
  rmSync(join(dataDir, 'v3'), { recursive: true, force: true });
  rmSync(marker(dataDir));
}

/** Call this when somebody writes: from now on the book stays, also if the demo data is broken off. */
export const unmarkHalfSeeded = (dataDir: string): void => rmSync(marker(dataDir), { force: true });

export async function setMailLimits(d1: D1, { MAIL_LIMITS }: Vars): Promise<void> {
  const lift = "INSERT INTO lifted_limits (name) VALUES ('mail') ON CONFLICT DO NOTHING";
  await d1.batch([d1.prepare(MAIL_LIMITS === 'off' ? lift : 'DELETE FROM lifted_limits')]);
}

export const hasAccounts = async (d1: D1): Promise<boolean> =>
  (await d1.prepare('SELECT 1 AS found FROM accounts LIMIT 1').first()) !== null;

export const markHalfSeeded = (dataDir: string): void => writeFileSync(marker(dataDir), '');

/** Adds the demo data to a book without accounts, for which `markHalfSeeded` was called. */
export async function addDemo(
  d1: D1,
  dataDir: string,
  { PASSWORD_PEPPER }: Secrets,
  say?: (line: string) => void,
): Promise<void> {
  const { seed } = await import('./demo/book');
  say?.('Making the demo data …');
  const began = Date.now();
  await seed({ d1, pepper: PASSWORD_PEPPER, now: Date.now() });
  unmarkHalfSeeded(dataDir);
  say?.(`Made the demo data in ${((Date.now() - began) / 1000).toFixed(1)} s.`);
}

type Statement = ReturnType<D1['prepare']>;
const prepared = new WeakMap<D1, Map<string, Statement>>();

// Prepares a statement once. Miniflare stops this thread for each `prepare`. If two threads get in each other's way, it
// returns the result of one call for the next call, from then on.
function prepareOnce(d1: D1, text: string): Statement {
  const statements = prepared.get(d1) ?? new Map<string, Statement>();
  prepared.set(d1, statements);
  const statement = statements.get(text) ?? d1.prepare(text);
  statements.set(text, statement);
  return statement;
}

export async function dump(d1: D1): Promise<Record<string, unknown[]>> {
  const { results: tables } = await prepareOnce(
    d1,
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`,
  ).all<{ name: string }>();
  const dumped = await d1.batch(tables.map(({ name }) => prepareOnce(d1, `SELECT * FROM "${name}"`)));
  return Object.fromEntries(tables.map(({ name }, index) => [name, dumped[index]?.results ?? []]));
}
