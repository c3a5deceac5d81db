import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { released } from '../../db/released';
import { changesTo, readStructure, type StructurePart, structureOf } from '../../db/structure';
import { withRules } from '../domain/shared-rules.server';
import { atDesk } from './at-desk';
import { type Migration, migrate, migrationsAfter, statementsOf } from './migrations';
import { Refusal, script } from './refusal';
import { root } from './root';

// `npm run structure` writes the triggers and views of db/behaviour, with the rules that they name, below the tables of the newest
// migration: all of them into the first one, and into a later one those that differ from what the migrations before it make. Then
// it writes db/structure.sql. Tests only compare them, so whoever changes one gets a diff that shows it.

const heading = `----------------------------------------------------------------------------------------------------------------------
-- Triggers and views: \`npm run structure\` writes them here from db/behaviour.
`;

const head = `-- Written by \`npm run structure\`: the migrations by their SHA-256, and the schema that they make together.
-- It is for people, who find no whole table in any migration once a later one has altered it, and for tests: that the migrations
-- make this, that none of them has changed unnoticed, and which tables have triggers that change a public page.
`;

const folder = join(root, 'db/behaviour');
const behaviours = readdirSync(folder)
  .sort()
  .map((name) => ({ name, sql: withRules(readFileSync(join(folder, name), 'utf8')) }));

/** Gives what the database has after these migrations. */
async function structureAfter(migrations: Migration[]): Promise<StructurePart[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'daybook-'));
  try {
    return await atDesk(dataDir, async (d1) => {
      await migrate(d1, migrations);
      return (await d1.prepare(readStructure).all<StructurePart>()).results;
    });
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** Writes into the newest migration what it lacks. @throws Refusal if that is of a release */
async function writeBehaviour(): Promise<void> {
  const all = migrationsAfter([]);
  const newest = all.at(-1);
  if (!newest) throw new Refusal('There are no migrations.');
  const isReleased = newest.name in released;
  const earlier = isReleased ? all : all.slice(0, -1);
  const [tables = ''] = newest.sql.split(heading);
  const write = (lines: string) =>
    writeFileSync(join(root, 'migrations', newest.name), `${tables.trimEnd()}\n\n${heading}${lines}`);
  if (earlier.length === 0)
    return write(behaviours.map(({ name, sql }) => `\n-- db/behaviour/${name}\n\n${sql}`).join(''));
  const statements = (await Promise.all(behaviours.map(statementsOf))).flat();
  const changes = changesTo(await structureAfter(earlier), statements);
  if (isReleased && changes.length === 0) return;
  if (isReleased)
    throw new Refusal(
      `${newest.name} is of a release and stays as it is. Begin a migration after it, empty if no table changes, for:\n${changes.map((change) => change.split('\n')[0]).join('\n')}`,
    );
  if (changes.length === 0 && tables.replaceAll(/--.*$/gm, '').trim() === '')
    throw new Refusal(`${newest.name} has nothing to change: delete it, and run this again.`);
  // What was written here before may be wanted no more.
  write(changes.length > 0 ? `\n${changes.join('\n\n')}\n` : '');
}

await script(async () => {
  await writeBehaviour();
  const parts = await structureAfter(migrationsAfter([]));
  const hashes = migrationsAfter([]).map(
    ({ name, sql }) => `-- ${createHash('sha256').update(sql).digest('hex')} migrations/${name}\n`,
  );
  const file = join(root, 'db/structure.sql');
  writeFileSync(file, `${head}${hashes.join('')}${structureOf(parts)}`);
  process.stdout.write('db/structure.sql is written.\n');
});
