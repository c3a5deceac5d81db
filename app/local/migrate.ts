import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journal, migrationsAfter, readJournal } from './migrations';
import { script } from './refusal';
import { wrangler } from './wrangler';

/**
 * Brings the D1 of wrangler.toml up to date: with `--remote` the one of the account, with `--local --persist-to
 * <folder>` a local copy. `wrangler d1 migrations apply` sends a file to D1's query endpoint, which splits it at
 * semicolons, those within triggers too (workers-sdk issues 15178 and 15690). An imported file arrives whole, or not at
 * all.
 */
const where = process.argv.slice(2);

const execute = (...what: string[]) => wrangler('d1', 'execute', 'DB', ...where, '--yes', ...what);

await script(async () => {
  const answers: { results: { name: string }[] }[] = JSON.parse(
    execute('--json', '--command', `${journal};${readJournal}`),
  );
  const folder = mkdtempSync(join(tmpdir(), 'daybook-'));
  try {
    for (const { name, sql, note } of migrationsAfter(answers.at(-1)?.results ?? [])) {
      writeFileSync(join(folder, name), `${sql}\n${note};\n`);
      execute('--file', join(folder, name));
      process.stdout.write(`${name} is applied.\n`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
