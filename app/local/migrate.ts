import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atDesk } from './at-desk';
import { type AppliedMigration, journal, migrationsAfter, readJournal } from './migrations';
import { script } from './refusal';
import { checkHistory, readSchema, type SchemaPart } from './schema';
import { wrangler } from './wrangler';

// `wrangler d1 migrations apply` sends a file to D1's query endpoint, which splits it at each semicolon, even inside
// triggers (workers-sdk issues 15178 and 15690). An import arrives whole or not at all. `--remote` migrates the
// account's database, `--local --persist-to <folder>` a local copy.
const target = process.argv.slice(2);

const execute = (...options: string[]) => wrangler('d1', 'execute', 'DB', ...target, '--yes', ...options);

await script(async () => {
  const outputs: { results: unknown[] }[] = JSON.parse(
    execute('--json', '--command', `${journal};${readJournal};${readSchema}`),
  );
  const [journaled = [], schema = []] = outputs.slice(-2).map(({ results }) => results) as [
    AppliedMigration[],
    SchemaPart[],
  ];
  const folder = mkdtempSync(join(tmpdir(), 'daybook-'));
  try {
    await atDesk(folder, (_, desk) => checkHistory('The database of wrangler.toml', { journaled, schema }, desk));
    for (const { name, sql, note } of migrationsAfter(journaled)) {
      writeFileSync(join(folder, name), `${sql}\n${note};\n`);
      execute('--file', join(folder, name));
      process.stdout.write(`${name} is applied.\n`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
