import type { D1 } from './d1';
import { type AppliedMigration, journal, migrationsIn, readJournal, statementsOf } from './migrations';
import { Refusal } from './refusal';

/** A table, index or trigger, as SQLite keeps it. */
export type SchemaPart = { type: string; name: string; sql: string };

// Without the journal, which belongs to wrangler.
export const readSchema = `SELECT type, name, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'`;

/** Makes a schema in a new database, reads it, and throws the database away. */
export type SchemaBuilder = { build: (statements: string[]) => Promise<SchemaPart[]> };

/** A database's schema, and the migrations in its journal. */
type DatabaseState = { schema: SchemaPart[]; journaled: AppliedMigration[] };

// Spaces and comments don't matter to a database.
const plain = (sql: string) => sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();

/** The names of parts that differ, or that only one schema has, such as `table slots`. */
function differences(before: SchemaPart[], after: SchemaPart[]): string[] {
  const sqlOf = (parts: SchemaPart[]) => new Map(parts.map(({ type, name, sql }) => [`${type} ${name}`, plain(sql)]));
  const [mine, theirs] = [sqlOf(before), sqlOf(after)];
  return [...new Set([...mine.keys(), ...theirs.keys()])].filter((part) => mine.get(part) !== theirs.get(part)).sort();
}

const beginningOf = (names: string[]) =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');

/**
 * Checks that this version of Daybook can use the database.
 * @param place words such as `The database of .data`
 * @throws Refusal if another version made it, or somebody changed its tables by hand
 */
export async function checkHistory(
  place: string,
  { schema, journaled }: DatabaseState,
  builder: SchemaBuilder,
): Promise<void> {
  const { known, unknown } = migrationsIn(journaled);
  if (unknown.length > 0) {
    throw new Refusal(
      `${place} was made by a later or another version of Daybook: this one does not know ${beginningOf(unknown)}. Run that version, or use another database. Nothing was changed.`,
    );
  }
  const statements = await Promise.all(known.map(statementsOf));
  const wrong = differences(await builder.build(statements.flat()), schema);
  if (wrong.length === 0) return;
  throw new Refusal(
    `${place} is not what the migrations of this version make: ${beginningOf(wrong)} differ${wrong.length === 1 ? 's' : ''}. Run the version of Daybook that made it, or use another database. Nothing was changed.`,
  );
}

export async function readDatabaseState({ d1 }: { d1: D1 }): Promise<DatabaseState> {
  await d1.prepare(journal).run();
  const [names, parts] = await d1.batch([d1.prepare(readJournal), d1.prepare(readSchema)]);
  return { journaled: (names?.results ?? []) as AppliedMigration[], schema: (parts?.results ?? []) as SchemaPart[] };
}
