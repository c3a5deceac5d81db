import { msg } from '@lingui/core/macro';
import { invalid } from '../errors';
import { excerpt } from '../input/fields';

// Reads tables as spreadsheets and other programs write them. docs/decisions/people.md says why no library does.

const bytesOfSample = 4096;

/** Whether zero bytes show UTF-16, which begins without a mark in some files. Other text has no zero bytes. */
function wideEncodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [at, byte] of bytes.subarray(0, bytesOfSample).entries())
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [first, second] = zeros as [number, number];
  if (first === second) return undefined;
  return second > first ? 'utf-16le' : 'utf-16be';
}

// More letters of UTF-8 than broken ones: a file that is cut off inside of a letter, or was put together from two.
function isMostlyUtf8(text: string): boolean {
  const broken = text.split('\ufffd').length - 1;
  return (text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0) > broken;
}

/** Decodes UTF-16 or UTF-8, or Windows' own encoding if it is neither. What can't be read becomes U+FFFD. */
export function textOf(bytes: Uint8Array): string {
  const wide = wideEncodingOf(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  const text = new TextDecoder().decode(bytes);
  return !text.includes('\ufffd') || isMostlyUtf8(text) ? text : new TextDecoder('windows-1252').decode(bytes);
}

const separators = [',', ';', '\t', '|'] as const;
type Separator = (typeof separators)[number];

// A quoted cell has doubled quotes and line breaks inside, and at most blanks around it. Any other cell ends at the
// next separator, and quotes in it are its own.
const patternsOf = (separator: Separator) => {
  const sign = separator === '|' ? '\\|' : separator;
  const blank = separator === '\t' ? ' ' : '[ \\t]';
  return {
    quoted: new RegExp(`${blank}*"([^"]*(?:""[^"]*)*)"${blank}*(${sign}|\\r\\n?|\\n|$)`, 'y'),
    plain: new RegExp(`([^${sign}\\r\\n]*)(${sign}|\\r\\n?|\\n|$)`, 'y'),
    opening: new RegExp(`${blank}*"`, 'y'),
    closed: new RegExp(`${blank}*"([^"]*(?:""[^"]*)*)"(?!")`, 'y'),
  };
};
type Patterns = ReturnType<typeof patternsOf>;
const patterns = new Map(separators.map((separator) => [separator, patternsOf(separator)]));

const signsOfSample = 65_536;
const linesOfSample = 25;

/** The sign that parts most of the first lines into equally many cells, of two such the one with more cells. */
function separatorOf(text: string): Separator {
  const lines = text
    .slice(0, signsOfSample)
    .replaceAll(/(^|[,;\t|\r\n])[ \t]*"[^"]*(?:""[^"]*)*"/g, '$1')
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, linesOfSample);
  const ranked = separators.map((sign) => {
    const linesWith = new Map<number, number>();
    for (const line of lines) {
      const count = line.split(sign).length - 1;
      if (count > 0) linesWith.set(count, (linesWith.get(count) ?? 0) + 1);
    }
    const rank = Math.max(0, ...[...linesWith].map(([count, lines]) => lines * signsOfSample + count));
    return { sign, rank };
  });
  return ranked.reduce((best, other) => (other.rank > best.rank ? other : best)).sign;
}

// Spreadsheets read the separator from such a line before the head.
const separatorLine = /^"?sep=([,;\t|])"?(?:\r\n?|\n|$)/i;

const isBlank = (row: string[]) => row.every((value) => value === '');

/**
 * Reads the rows of a file, without blank ones.
 * @throws DomainError invalid: the file ends inside of a quoted cell, or is no text
 */
export function rowsOfCsv(file: string): string[][] {
  const text = file.replace(/^\uFEFF/, '');
  if (text.includes('\0') || text.startsWith('PK\u0003\u0004')) {
    throw invalid('file', msg`The file is no table of text. In a spreadsheet, save it as CSV.`);
  }
  const [line = '', said] = separatorLine.exec(text) ?? [];
  const separator = (said as Separator | undefined) ?? separatorOf(text);
  const { quoted, plain, opening, closed } = patterns.get(separator) as Patterns;
  const match = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  /** @throws DomainError where the quotes of a cell leave open how far it goes */
  const plainCell = (at: number) => {
    if (match(opening, at)) {
      const [, content = text.slice(opening.lastIndex)] = match(closed, at) ?? [];
      const start = excerpt(content.trim().split(/[\r\n]/, 1)[0] as string);
      const isCutOff = closed.lastIndex === 0;
      if (isCutOff || /[\r\n]/.test(content)) throw invalid('file', quoteWords(rows.length + 1, start, isCutOff));
    }
    const [, value = '', end = ''] = match(plain, at) ?? [];
    return { value, end, next: plain.lastIndex };
  };
  const rows: string[][] = [];
  let row: string[] = [];
  let lastEnd = '';
  for (let at = line.length; at < text.length; ) {
    const [, content, endOfQuoted = ''] = match(quoted, at) ?? [];
    const { value, end, next } =
      content === undefined
        ? plainCell(at)
        : { value: content.replaceAll('""', '"'), end: endOfQuoted, next: quoted.lastIndex };
    row.push(value.trim());
    [at, lastEnd] = [next, end];
    if (end === separator) continue;
    if (!isBlank(row)) rows.push(row);
    row = [];
  }
  // A file without a line break at its end has an empty cell after its last separator.
  if (!isBlank(row)) rows.push([...row, '']);
  return lastEnd === '' || lastEnd === separator ? rows : withWholeLastRow(rows);
}

const quoteWords = (row: number, start: string, isCutOff: boolean) =>
  isCutOff
    ? msg`The file is cut off: row ${row} ends inside of a quoted cell, or the second quote of “${start}” is missing.`
    : msg`Row ${row} has a quoted cell with other quotes inside of it, at “${start}”. Please write them twice.`;

// A last row that ends with its line is whole: some programs leave out empty cells at the end of a row.
function withWholeLastRow(rows: string[][]): string[][] {
  const last = rows.at(-1) ?? [];
  const missing = Math.max(0, (rows[0]?.length ?? 0) - last.length);
  return rows.length < 2 ? rows : [...rows.slice(0, -1), [...last, ...Array<string>(missing).fill('')]];
}
