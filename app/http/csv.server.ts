import { type Instant, machineText } from '../domain/time/clock';

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

/** Makes a CSV file (RFC 4180) that is safe to open in a spreadsheet: no cell is a formula. */
export function csvFile(name: string, rows: (string | number)[][]): Response {
  const lines = rows.map((row) => `${row.map(cell).join(',')}\r\n`);
  // Spreadsheets know UTF-8 by the byte order mark.
  return new Response(`\uFEFF${lines.join('')}`, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    },
  });
}

/** An instant for a cell; empty where there is none. */
export const instantWords = (at: Instant | null) => (at === null ? '' : machineText(at));
