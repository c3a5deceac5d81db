import type { D1 } from './d1';
import { journal, migrationsIn, type Noted, readJournal, statementsOf } from './migrations';
import { Refusal } from './refusal';

/** A table, index or trigger, as SQLite keeps it. */
export type SchemaPart = { type: string; name: string; sql: string };

// The journal is wrangler's own.
export const readSchema = `SELECT type, name, sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'`;

/** Makes these parts in a new database, which is thrown away. */
export type Builder = { build: (statements: string[]) => Promise<SchemaPart[]> };

/** A database's schema, and the migrations in its journal. */
export type Book = { schema: SchemaPart[]; noted: Noted[] };

// Spaces and comments do nothing in a database.
const plain = (sql: string) => sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();

/** Names of parts that differ or stand in one alone, such as `table slots`. */
export function differences(before: SchemaPart[], after: SchemaPart[]): string[] {
  const sqlOf = (parts: SchemaPart[]) => new Map(parts.map(({ type, name, sql }) => [`${type} ${name}`, plain(sql)]));
  const [mine, theirs] = [sqlOf(before), sqlOf(after)];
  return [...new Set([...mine.keys(), ...theirs.keys()])].filter((part) => mine.get(part) !== theirs.get(part)).sort();
}

const beginningOf = (names: string[]) =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');

/**
 * @param place such as `The database of .data`
 * @throws Refusal if another version of Daybook made the database, or its tables were changed by hand
 */
export async function checkHistory(place: string, { schema, noted }: Book, desk: Builder): Promise<void> {
  const { known, unknown } = migrationsIn(noted);
  if (unknown.length > 0) {
    throw new Refusal(
      `${place} was made by a later or another version of Daybook: this one does not know ${beginningOf(unknown)}. Run that version, or use another database. Nothing was changed.`,
    );
  }
  const statements = await Promise.all(known.map(statementsOf));
  const wrong = differences(await desk.build(statements.flat()), schema);
  if (wrong.length === 0) return;
  throw new Refusal(
    `${place} is not what the migrations of this version make: ${beginningOf(wrong)} differ${wrong.length === 1 ? 's' : ''}. Run the version of Daybook that made it, or use another database. Nothing was changed.`,
  );
}

export async function readBook({ d1 }: { d1: D1 }): Promise<Book> {
  await d1.prepare(journal).run();
  const [names, parts] = await d1.batch([d1.prepare(readJournal), d1.prepare(readSchema)]);
  return { noted: (names?.results ?? []) as Noted[], schema: (parts?.results ?? []) as SchemaPart[] };
}
