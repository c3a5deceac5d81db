import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atDesk } from './at-desk';
import { readBackup } from './backup-end';
import { countTables, restoreInto } from './backup-file';
import type { D1 } from './d1';
import { Refusal, script } from './refusal';
import { wrangler } from './wrangler';

// `npm run restore -- <file>` reads a backup into the database of DATA_DIR; with `--remote`, into the account's. The
// database must be empty, so nothing is overwritten. The next start or deployment applies later migrations.
const args = process.argv.slice(2);
const [file] = args.filter((arg) => !arg.startsWith('--'));
const dataDir = process.env.DATA_DIR || '.data';

const notEmpty = (place: string) =>
  new Refusal(`${place} is not empty, so nothing was restored. Restore into a new one.`);

/** Reads a complete backup. @throws Refusal if it is not complete */
async function readWhole(path: string): Promise<string[]> {
  const read = await readBackup(readFileSync(path, 'utf8'));
  if ('fault' in read) throw new Refusal(`${path} is no whole backup, so nothing was restored: ${read.fault}`);
  return read.statements;
}

async function locally(path: string): Promise<void> {
  const statements = await readWhole(path);
  await atDesk(dataDir, async (d1: D1) => {
    const { results } = await d1.prepare(countTables).all<{ tables: number }>();
    if (results[0]?.tables !== 0) throw notEmpty(`The database of ${dataDir}`);
    try {
      await restoreInto(d1, statements);
    } catch (error) {
      throw new Refusal(`${path} is no whole backup, so nothing was restored: ${String(error)}`);
    }
  });
  if (existsSync(join(dataDir, 'secrets.json'))) return;
  process.stdout.write(`Now put the secrets of the old data folder into ${join(dataDir, 'secrets.json')}.\n`);
}

async function remotely(path: string): Promise<void> {
  await readWhole(path);
  const execute = (...options: string[]) => wrangler('d1', 'execute', 'DB', '--remote', '--yes', ...options);
  const [counted]: { results: { tables: number }[] }[] = JSON.parse(execute('--json', '--command', countTables));
  if (counted?.results[0]?.tables !== 0) throw notEmpty('The database of the account');
  execute('--file', path);
}

await script(async () => {
  if (!file) throw new Refusal('Name the backup: npm run restore -- daybook.sql');
  if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`);
  if (args.includes('--remote')) await remotely(file);
  else await locally(file);
  process.stdout.write(`${file} is restored.\n`);
});
