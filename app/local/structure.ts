import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStructure, type StructurePart, structureOf } from '../../db/structure';
import { withRules } from '../domain/shared-rules.server';
import { atDesk } from './at-desk';
import { migrate, migrationsAfter } from './migrations';
import { Refusal, script } from './refusal';
import { root } from './root';

// `npm run structure` writes the triggers and views of db/behaviour, with the rules that they name, into the newest migration,
// below its tables, and then db/structure.sql. Tests only compare them, so whoever changes one gets a diff that shows it.

const heading = `----------------------------------------------------------------------------------------------------------------------
-- Triggers and views: \`npm run structure\` writes them here from db/behaviour.
`;

const head = `-- Written by \`npm run structure\`: the migrations by their SHA-256, and the schema that they make together.
-- It is for people, who find no whole table in any migration once a later one has altered it, and for tests: that the migrations
-- make this, that none of them has changed unnoticed, and which tables have triggers that change a public page.
`;

function writeBehaviour(): void {
  const folder = join(root, 'db/behaviour');
  const files = readdirSync(folder).sort();
  const behaviour = files.map(
    (name) => `\n-- db/behaviour/${name}\n\n${withRules(readFileSync(join(folder, name), 'utf8'))}`,
  );
  const newest = migrationsAfter([]).at(-1);
  if (!newest) throw new Refusal('There are no migrations.');
  const [tables = ''] = newest.sql.split(heading);
  writeFileSync(join(root, 'migrations', newest.name), `${tables.trimEnd()}\n\n${heading}${behaviour.join('')}`);
}

await script(async () => {
  writeBehaviour();
  const folder = mkdtempSync(join(tmpdir(), 'daybook-'));
  try {
    const parts = await atDesk(folder, async (d1) => {
      await migrate(d1);
      return (await d1.prepare(readStructure).all<StructurePart>()).results;
    });
    const hashes = migrationsAfter([]).map(
      ({ name, sql }) => `-- ${createHash('sha256').update(sql).digest('hex')} migrations/${name}\n`,
    );
    const file = join(root, 'db/structure.sql');
    writeFileSync(file, `${head}${hashes.join('')}${structureOf(parts)}`);
    process.stdout.write('db/structure.sql is written.\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
