import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journal, migrationsAfter, readJournal } from './database';
import { Refusal, script } from './refusal';
import { root } from './root';

/**
 * Brings the D1 of wrangler.toml up to date: `--remote` that of the account, `--local --persist-to <folder>` one like it.
 * `wrangler d1 migrations apply` sends a file to D1's query endpoint, which takes it apart at semicolons, those within
 * triggers too (workers-sdk issues 15178 and 15690); what is imported as a file arrives whole, or not at all.
 */
const where = process.argv.slice(2);

/** Runs `wrangler d1 execute`, and returns what it prints on stdout. @throws Refusal where it fails, with its words */
function execute(...what: string[]): string {
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [wrangler, 'd1', 'execute', 'DB', ...where, '--yes', ...what],
    { cwd: root, encoding: 'utf8', stdio: ['inherit', 'pipe', 'pipe'], env: { ...process.env, WRANGLER_LOG: 'log' } },
  );
  if (status !== 0) throw new Refusal(`D1 could not be migrated.\n${stderr}${stdout}`);
  return stdout;
}

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
