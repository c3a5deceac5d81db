/** A table, index, trigger or view, as SQLite stores it. */
export type StructurePart = { type: string; name: string; table: string; sql: string };

export const readStructure = `SELECT type, name, tbl_name AS "table", sql FROM sqlite_master
  WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'`;

const order = ['table', 'index', 'trigger'];
const keyOf = ({ type, name, table }: StructurePart) =>
  `${type === 'view' ? 'views' : `tables ${table}`} ${order.indexOf(type)} ${name}`;

/** Writes each table with its indexes and triggers, by name, and then the views. */
export function structureOf(parts: StructurePart[]): string {
  const sorted = parts
    .map((part) => ({ key: keyOf(part), ...part }))
    .sort((part, other) => (part.key < other.key ? -1 : 1));
  return sorted.map(({ type, sql }) => `${type === 'table' ? '\n' : ''}${withoutGaps(sql)};\n`).join('');
}

// Comments leave blank lines behind.
const withoutGaps = (sql: string) => sql.replaceAll(/^\s*\n/gm, '');

/** A trigger or view, from the statement that makes it. @throws Error for any other statement */
function partOf(statement: string): StructurePart {
  const sql = statement.trim().replace(/;$/, '');
  const [, type, name] = /^CREATE (TRIGGER|VIEW) (\w+)/.exec(sql) ?? [];
  if (!type || !name) throw new Error(`This makes no trigger and no view: ${sql}`);
  const [, table = name] = type === 'TRIGGER' ? (/ ON (\w+)/.exec(sql) ?? []) : [];
  return { type: type.toLowerCase(), name, table, sql };
}

/**
 * What a migration does so that a schema has these triggers and views, and no others: those that differ go and come anew, and
 * those on a view with it, since SQLite drops them along.
 * @param parts the schema before
 * @param statements `CREATE TRIGGER` and `CREATE VIEW`, without comments
 */
export function changesTo(parts: StructurePart[], statements: string[]): string[] {
  const wanted = statements.map(partOf);
  const isIn = (list: StructurePart[]) => (part: StructurePart) =>
    list.some(({ name, sql }) => name === part.name && withoutGaps(sql) === withoutGaps(part.sql));
  const before = parts.filter(({ type }) => type === 'trigger' || type === 'view');
  const goneViews = new Set(
    before.filter((part) => part.type === 'view' && !isIn(wanted)(part)).map(({ name }) => name),
  );
  const goes = (part: StructurePart) => !isIn(wanted)(part) || (part.type === 'trigger' && goneViews.has(part.table));
  const stays = before.filter((part) => !goes(part));
  // Triggers first, since those on a view are gone with it.
  const gone = before.filter(goes).sort((part, other) => (part.type < other.type ? -1 : 1));
  return [
    ...gone.map(({ type, name }) => `DROP ${type.toUpperCase()} ${name};`),
    ...wanted.filter((part) => !isIn(stays)(part)).map(({ sql }) => `${sql};`),
  ];
}
