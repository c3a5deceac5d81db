import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atDesk } from './at-desk';
import { backupOf } from './backup-file';
import { Refusal, script } from './refusal';
import { wrangler } from './wrangler';

/*
 * `npm run backup -- <file>` writes the database of DATA_DIR into a file of SQL; with `--remote`, that of the account.
 * What is in the file is in nobody's log and in no repository: only its owner may read it.
 */
const words = process.argv.slice(2);
const isRemote = words.includes('--remote');
const [file] = words.filter((word) => !word.startsWith('--'));
const dataDir = process.env.DATA_DIR || '.data';

async function backUp(path: string): Promise<void> {
  const part = `${path}.part`;
  // Made before anything is in it, so that at no moment anybody else may read it.
  writeFileSync(part, '', { mode: 0o600 });
  try {
    if (isRemote) wrangler('d1', 'export', 'DB', '--remote', '--skip-confirmation', '--output', part);
    else writeFileSync(part, await atDesk(dataDir, backupOf));
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
