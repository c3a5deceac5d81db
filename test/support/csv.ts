/**
 * Reads a file as spreadsheets do. They split cells at commas, or at semicolons in countries with decimal commas. A quote
 * at the start of a cell holds separators and line breaks until the next single quote, any other is a sign like others.
 */
export function readCsv(text: string, separator: ',' | ';' | '\t' = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      const end = endOfQuote(text, at);
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    const rest = /^[^\r\n]*/.exec(text.slice(at))?.[0].split(separator)[0] ?? '';
    row.push(cell + rest);
    at += rest.length;
    if (text[at] === separator) {
      at += 1;
      if (at < text.length) continue;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    rows.push(row);
    row = [];
  }
  return rows;
}

function endOfQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end < 0 ? text.length : end;
}

/** True for a cell that a spreadsheet would compute instead of showing it. */
export const isFormula = (cell: string): boolean => /^[\s"]*[=+\-@＝＋－＠]/.test(cell);
