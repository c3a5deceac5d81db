import { withEnd } from './backup-end';
import type { D1 } from './d1';
import { dump } from './database';

// D1 takes statements of up to 100,000 bytes. Each character of a piece takes at most three.
const [longestStatement, longestPiece] = [90_000, 20_000];

// Writes a value without line ends, because some programs change those.
function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `X'${Buffer.from(value).toString('hex')}'`;
  const parts = String(value).split(/([\r\n\0])/);
  const written = parts
    .filter((part) => part !== '')
    .map((part) => (/^[\r\n\0]$/.test(part) ? `char(${part.charCodeAt(0)})` : `'${part.replaceAll("'", "''")}'`));
  return written.join(' || ') || "''";
}

// Cuts a text into pieces, but never through a pair of surrogates.
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + longestPiece;
    const to = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

// The restore puts a row that is too long for one statement together from a table of pieces.
function insertsOf(table: string, row: Record<string, unknown>): string[] {
  const columns = Object.keys(row).map((name) => `"${name}"`);
  const insert = (values: string[]) => `INSERT INTO "${table}" (${columns.join(', ')}) VALUES (${values.join(', ')})`;
  const fullInsert = insert(Object.values(row).map(literal));
  if (Buffer.byteLength(fullInsert) < longestStatement) return [fullInsert];
  const pieces: string[] = [];
  const values = Object.values(row).map((value) => {
    if (typeof value !== 'string' || value.length < 1000) return literal(value);
    const places = piecesOf(value).map((piece) => pieces.push(piece) - 1);
    return places.map((place) => `(SELECT text FROM backup_pieces WHERE place = ${place})`).join(' || ');
  });
  return [
    'CREATE TABLE backup_pieces (place INTEGER PRIMARY KEY, text TEXT)',
    ...pieces.map((piece, place) => `INSERT INTO backup_pieces VALUES (${place}, ${literal(piece)})`),
    insert(values),
    'DROP TABLE backup_pieces',
  ];
}

// Rows stand before the triggers, which would otherwise run for them again. We don't use `wrangler d1 export`, because
// it confuses line ends with the letters \n in texts.
export async function backupOf(d1: D1): Promise<string> {
  const schema = await d1
    .prepare(`SELECT type, name, sql FROM sqlite_master
      WHERE sql IS NOT NULL AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' ORDER BY rowid`)
    .all<{ type: string; name: string; sql: string }>();
  const sqlOf = (isWanted: (type: string) => boolean) =>
    schema.results.filter(({ type }) => isWanted(type)).map(({ sql }) => sql);
  const rows = Object.entries(await dump(d1));
  const statements = [
    'PRAGMA defer_foreign_keys = TRUE',
    ...sqlOf((type) => type === 'table'),
    ...rows.flatMap(([table, ofTable]) =>
      (ofTable as Record<string, unknown>[]).flatMap((row) => insertsOf(table, row)),
    ),
    ...sqlOf((type) => type !== 'table'),
  ];
  return withEnd(`${statements.join(';\n')};\n`);
}

export async function restoreInto(d1: D1, statements: string[]): Promise<void> {
  await d1.batch(statements.map((statement) => d1.prepare(statement)));
}

export const countTables = `SELECT count(*) AS tables FROM sqlite_master
  WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'`;
