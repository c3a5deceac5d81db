// The last line of a backup has the number of tables, indexes and triggers, and of each table's rows. So we notice a
// file that was cut off.

import { importWrangler } from './wrangler';

type End = { schema: number; rows: Record<string, number> };

const opening = '-- The end of a Daybook backup: ';

const insert = /^INSERT INTO "?(\w+)"?/i;
const make = /^CREATE /i;

// The restore puts rows that are too long for one statement together in this table.
const pieces = 'backup_pieces';

function countsOf(statements: string[]): End {
  const counts: End = { schema: 0, rows: {} };
  for (const statement of statements) {
    if (make.test(statement) && !statement.startsWith(`CREATE TABLE ${pieces}`)) counts.schema += 1;
    const table = insert.exec(statement)?.[1];
    if (table && table !== pieces) counts.rows[table] = (counts.rows[table] ?? 0) + 1;
  }
  return counts;
}

async function split(sql: string): Promise<string[]> {
  const { unstable_splitSqlQuery } = await importWrangler();
  return unstable_splitSqlQuery(sql);
}

export async function withEnd(sql: string): Promise<string> {
  return `${sql}${opening}${JSON.stringify(countsOf(await split(sql)))}\n`;
}

/** Reads a backup. @returns its statements, or why it is not complete */
export async function readBackup(text: string): Promise<{ statements: string[] } | { fault: string }> {
  const at = text.lastIndexOf(`\n${opening}`);
  const [, written] = at < 0 ? [] : (/^\n.*?: (\{.*\})\n$/.exec(text.slice(at)) ?? []);
  if (!written)
    return { fault: 'its last line, which counts its rows, is missing. It was cut off, or has another origin.' };
  const statements = await split(text.slice(0, at + 1));
  const [end, counted] = [JSON.parse(written) as End, countsOf(statements)];
  if (end.schema !== counted.schema) {
    return { fault: `it has ${counted.schema} tables, indexes and triggers in place of ${end.schema}.` };
  }
  const tables = new Set([...Object.keys(end.rows), ...Object.keys(counted.rows)]);
  const wrong = [...tables].find((table) => end.rows[table] !== counted.rows[table]);
  if (!wrong) return { statements };
  return { fault: `it has ${counted.rows[wrong] ?? 0} rows of ${wrong} in place of ${end.rows[wrong] ?? 0}.` };
}
