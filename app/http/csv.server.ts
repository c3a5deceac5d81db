import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Parts } from '../domain/streamed-list';
import { type Instant, machineText } from '../domain/time/clock';
import { withoutIsolates } from '../domain/words/isolated';
import { worded } from '../domain/words/worded';
import { sendPieces } from './pieces.server';

// The first sign of a formula: at the start, after blanks and quotes, or after a semicolon, tab or line break, where a
// spreadsheet may split the cell. The pattern finds the sign and then looks back; the other way round takes quadratic
// time.
const formula = /[=+\-@＝＋－＠](?<=(?:^|[;\t\r\n])[\s"]*.)|^(?=[\t\r])/g;

// An apostrophe makes a spreadsheet read a formula as text.
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = withoutIsolates(value).replace(formula, "'$&");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Row = (string | number)[];
const linesOf = (rows: Row[]) => rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
const byteOrderMark = '\uFEFF';

const headersOf = (name: string) => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="${name}.csv"`,
});

/** A CSV file (RFC 4180) in which no cell is a formula. */
export const csvFile = (name: string, rows: Row[]): Response =>
  new Response(byteOrderMark + linesOf(rows), { headers: headersOf(name) });

const brokenOff = msg`This file is not whole: something went wrong on our side. Please download it again.`;

/** Sends a CSV file while its rows are read. If reading fails, the last row says so. */
export function csvInParts(name: string, head: Row, rows: Parts<Row>, id: string, i18n: I18n): Promise<Response> {
  async function* pieces() {
    yield byteOrderMark + linesOf([head]);
    try {
      for await (const batch of rows) yield linesOf(batch);
    } catch (error) {
      yield linesOf([[worded(i18n, brokenOff)]]);
      throw error;
    }
  }
  return sendPieces(pieces(), id, headersOf(name));
}

export const instantWords = (at: Instant | null) => (at === null ? '' : machineText(at));
