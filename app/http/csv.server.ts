import { stringify } from 'csv-stringify/browser/esm/sync';
import { type Instant, machineText } from '../domain/time/clock';

/** Rows as a CSV file (RFC 4180) that is safe to open in a spreadsheet: no cell is taken for a formula. */
export function csvFile(name: string, rows: (string | number)[][]): Response {
  return new Response(stringify(rows, { bom: true, escape_formulas: true, record_delimiter: 'windows' }), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    },
  });
}

/** When, for a cell; empty where it has not happened. */
export const instantWords = (at: Instant | null) => (at === null ? '' : machineText(at));
