import { invalid } from '../errors';

/*
 * Reads tables as spreadsheets and other programs write them (RFC 4180, and what they make of it). 60 lines of our own: what libraries
 * add is streams, workers and types of cells, and we must say where a file is cut off.
 */

/** The text of a file: UTF-8, or what Windows wrote before it. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** A cell by what stands behind it: quoted, with doubled quotes and line breaks inside; or all up to the next separator. */
const cells = {
  ',': /(?:"((?:[^"]|"")*)"[^,\r\n]*|([^,\r\n]*))(,|\r\n?|\n|$)/y,
  ';': /(?:"((?:[^"]|"")*)"[^;\r\n]*|([^;\r\n]*))(;|\r\n?|\n|$)/y,
  '\t': /(?:"((?:[^"]|"")*)"[^\t\r\n]*|([^\t\r\n]*))(\t|\r\n?|\n|$)/y,
};
type Separator = keyof typeof cells;
const separators = Object.keys(cells) as Separator[];

/** The separator: the sign that the first line has most of, outside of quotes. */
function separatorOf(text: string): Separator {
  const [line = ''] = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r\n?|\n/, 1);
  const count = (sign: string) => line.split(sign).length;
  return separators.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/**
 * Reads the rows of a table; rows with nothing in them are left out.
 * @throws DomainError invalid: the file ends inside of a quoted cell
 */
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
  if (row.length > 0 && row.some((value) => value !== '')) rows.push(row);
  return rows;
}
