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
  // Comments leave blank lines behind.
  return sorted.map(({ type, sql }) => `${type === 'table' ? '\n' : ''}${sql.replaceAll(/^\s*\n/gm, '')};\n`).join('');
}
