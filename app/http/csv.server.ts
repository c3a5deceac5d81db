import type { Parts } from '../domain/parts';
import { type Instant, machineText } from '../domain/time/clock';
import { sendPieces } from './pieces.server';

/**
 * What a spreadsheet takes for a formula: one of these signs at the start of a cell, also after blanks and quotes. A
 * spreadsheet may also split cells at semicolons or tabs; then quoted line breaks end its rows. The pattern looks for
 * the sign first and behind it second: the other way round, blank lines take quadratic time.
 */
const formula = /[=+\-@＝＋－＠](?<=(?:^|[;\t\r\n])[\s"]*.)|^(?=[\t\r])/g;

/**
 * Makes a cell that each spreadsheet reads as text: an apostrophe before a formula, quotes around a cell with a
 * separator.
 */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.replace(formula, "'$&");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Row = (string | number)[];
const linesOf = (rows: Row[]) => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
// Spreadsheets know UTF-8 by the byte order mark.
const mark = '\uFEFF';

const headersOf = (name: string) => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="${name}.csv"`,
});

/** Makes a CSV file (RFC 4180) that is safe to open in a spreadsheet: no cell is a formula. */
export const csvFile = (name: string, rows: Row[]): Response =>
  new Response(mark + linesOf(rows), { headers: headersOf(name) });

const notWhole = 'This file is not whole: something went wrong on our side. Please download it again.';

/** As csvFile, of more rows than can be held at once; one that breaks off says so in its last row. @param id of the request */
export function csvInParts(name: string, head: Row, rows: Parts<Row>, id: string): Promise<Response> {
  async function* pieces() {
    yield mark + linesOf([head]);
    try {
      for await (const some of rows) yield linesOf(some);
    } catch (error) {
      yield linesOf([[notWhole]]);
      throw error;
    }
  }
  return sendPieces(pieces(), id, headersOf(name));
}

/** An instant for a cell; empty where there is none. */
export const instantWords = (at: Instant | null) => (at === null ? '' : machineText(at));
