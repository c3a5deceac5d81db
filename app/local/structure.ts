import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStructure, type StructurePart, structureOf } from '../../db/structure';
import { atDesk } from './at-desk';
import { migrate, migrationsAfter } from './migrations';
import { Refusal, script } from './refusal';
import { root } from './root';

// `npm run structure` writes db/structure.sql. Tests only compare it with the migrations, so whoever changes a
// migration gets a diff that shows it.
await script(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-'));
  try {
    const parts = await atDesk(folder, async (d1) => {
      await migrate(d1);
      return (await d1.prepare(readStructure).all<StructurePart>()).results;
    });
    const hashes = migrationsAfter([]).map(
      ({ name, sql }) => `-- ${createHash('sha256').update(sql).digest('hex')} migrations/${name}\n`,
    );
    if (hashes.length === 0) throw new Refusal('There are no migrations.');
    const file = join(root, 'db/structure.sql');
    const heading =
      '-- Written by `npm run structure`: the migrations by their SHA-256, and the schema that they make.\n';
    writeFileSync(file, `${heading}${hashes.join('')}${structureOf(parts)}`);
    process.stdout.write('db/structure.sql is written.\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
