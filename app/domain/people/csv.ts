import { invalid } from '../errors';

// Reads tables as spreadsheets and other programs write them. Libraries add streams, workers and types, but don't
// notice that a file is cut off.

/** Decodes UTF-8, or Windows' own encoding if it is not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

// A cell is quoted, with doubled quotes and line breaks inside, or it ends at the next separator.
const cells = {
  ',': /(?:"((?:[^"]|"")*)"[^,\r\n]*|([^,\r\n]*))(,|\r\n?|\n|$)/y,
  ';': /(?:"((?:[^"]|"")*)"[^;\r\n]*|([^;\r\n]*))(;|\r\n?|\n|$)/y,
  '\t': /(?:"((?:[^"]|"")*)"[^\t\r\n]*|([^\t\r\n]*))(\t|\r\n?|\n|$)/y,
};
type Separator = keyof typeof cells;
const separators = Object.keys(cells) as Separator[];

// The sign that occurs most in the first line, outside of quotes.
function separatorOf(text: string): Separator {
  const [line = ''] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r\n?|\n/, 1);
  const count = (sign: string) => line.split(sign).length;
  return separators.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/** Reads the rows of a file, without blank ones. @throws DomainError invalid: the file ends inside of a quoted cell */
export function rowsOfCsv(file: string): string[][] {
  const text = file.replace(/^\uFEFF/, '');
  const separator = separatorOf(text);
  const rows: string[][] = [];
  const cell = cells[separator];
  cell.lastIndex = 0;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const [, quoted, plain = '', end = ''] = cell.exec(text) ?? [];
    if (quoted === undefined && plain.trimStart().startsWith('"')) {
      throw invalid('file', `The file is cut off: row ${rows.length + 1} ends inside of a quoted cell.`);
    }
    row.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end !== separator) {
      if (row.some((value) => value !== '')) rows.push(row);
      row = [];
    }
  }
  // A file without a line break at its end has an empty cell after its last separator.
  if (row.some((value) => value !== '')) rows.push([...row, '']);
  return rows;
}
