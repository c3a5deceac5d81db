import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atDesk } from './at-desk';
import { backupFromServer } from './backup-door';
import { withEnd } from './backup-end';
import { backupOf } from './backup-file';
import { Refusal, script } from './refusal';
import { readSchema, type SchemaPart } from './schema';
import { wrangler } from './wrangler';

// `npm run backup -- <file>` writes the database of DATA_DIR into a file of SQL; with `--remote`, the account's
// database. A server may go on running: the file shows one moment.
const args = process.argv.slice(2);
const isRemote = args.includes('--remote');
const [file] = args.filter((arg) => !arg.startsWith('--'));
const dataDir = process.env.DATA_DIR || '.data';

// Cloudflare writes the triggers last, so an export without one of them has broken off.
async function backUpRemotely(part: string): Promise<void> {
  const [found]: { results: SchemaPart[] }[] = JSON.parse(
    wrangler('d1', 'execute', 'DB', '--remote', '--yes', '--json', '--command', readSchema),
  );
  wrangler('d1', 'export', 'DB', '--remote', '--skip-confirmation', '--output', part);
  const text = readFileSync(part, 'utf8');
  const lacking = (found?.results ?? []).filter(({ name }) => !text.includes(name));
  if (lacking.length > 0) throw new Refusal(`The export broke off: ${lacking[0]?.name} is not in it. Try again.`);
  writeFileSync(part, await withEnd(text));
}

async function backUp(path: string): Promise<void> {
  const part = `${path}.part`;
  // First made as an empty file for its owner alone, so that nobody else can ever read it.
  writeFileSync(part, '', { mode: 0o600 });
  try {
    if (isRemote) await backUpRemotely(part);
    else writeFileSync(part, (await backupFromServer(dataDir)) ?? (await atDesk(dataDir, backupOf)));
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

await script(async () => {
  if (!file) throw new Refusal('Name a file: npm run backup -- daybook.sql');
  if (existsSync(file)) throw new Refusal(`${file} is there already. Name another file.`);
  if (!isRemote && !existsSync(join(dataDir, 'v3'))) throw new Refusal(`${dataDir} has no database.`);
  await backUp(file);
  process.stdout.write(
    `${file} is the backup. Keep the secrets too, in another place${isRemote ? '' : ` (${join(dataDir, 'secrets.json')})`}: without PASSWORD_PEPPER nobody can log in.\n`,
  );
});
