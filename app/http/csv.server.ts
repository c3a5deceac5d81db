import { type Instant, machineText } from '../domain/time/clock';

/**
 * What a spreadsheet would take for a formula: one of these signs at the start of a cell, behind blanks and quotes too. A
 * spreadsheet may also part cells at semicolons or tabs, and then it ends rows at line breaks that are quoted for commas.
 * The sign comes first, and what stands before it second: the other way round, blank lines take the square of their number.
 */
const formula = /[=+\-@＝＋－＠](?<=(?:^|[;\t\r\n])[\s"]*.)|^(?=[\t\r])/g;

/** A cell that is text in every spreadsheet: an apostrophe stands before each formula, quotes around each separator. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.replace(formula, "'$&");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as a CSV file (RFC 4180) that is safe to open in a spreadsheet: no cell is taken for a formula. */
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

/** When, for a cell; empty where it has not happened. */
export const instantWords = (at: Instant | null) => (at === null ? '' : machineText(at));
