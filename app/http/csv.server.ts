import { stringify } from 'csv-stringify/browser/esm/sync';

/** Rows as a CSV file (RFC 4180) that is safe to open in a spreadsheet: no cell is taken for a formula. */
export function csvFile(name: string, rows: (string | number)[][]): Response {
  return new Response(stringify(rows, { bom: true, escape_formulas: true, record_delimiter: 'windows' }), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    },
  });
}

/** Yes, no, or not answered, as the lists say it; and when. */
export const answerWords = (accepted: boolean | null) => (accepted === null ? 'Not Answered' : accepted ? 'Yes' : 'No');
export const instantWords = (at: number | null) => (at === null ? '' : new Date(at).toISOString());
