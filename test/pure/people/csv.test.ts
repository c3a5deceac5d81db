import { describe, expect, test } from 'vitest';
import { rowsOfCsv, textOf } from '../../../app/domain/people/csv';

const bytesOf = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding));
const swapped = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());

describe('the encoding of a file', () => {
  const text = 'Name;Ort\r\nJörg Öz;Köln\r\n';

  test.each<[name: string, bytes: Uint8Array]>([
    ['UTF-8', bytesOf(text, 'utf8')],
    ['UTF-8 with a mark', bytesOf(`\ufeff${text}`, 'utf8')],
    ['UTF-16, low bytes first', bytesOf(text, 'utf16le')],
    ['UTF-16, low bytes first, with a mark', bytesOf(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, high bytes first', swapped(text)],
    ['UTF-16, high bytes first, with a mark', swapped(`\ufeff${text}`)],
    ['windows-1252', bytesOf(text, 'latin1')],
  ])('is found for %s', (_, bytes) => {
    expect(textOf(bytes)).toBe(text);
  });

  test('is found for UTF-16 of another script', () => {
    expect(textOf(bytesOf('Имя;Почта\n', 'utf16le'))).toBe('Имя;Почта\n');
  });

  test('stays UTF-8 where a file is cut off inside of a letter', () => {
    expect(textOf(bytesOf('Jörg Öz, Kö', 'utf8').slice(0, -1))).toBe('Jörg Öz, K\ufffd');
  });
});

describe('the cells of a row', () => {
  const name = 'name,note\n';

  test.each<[shape: string, file: string, rows: string[][]]>([
    [
      'a blank before a quote',
      'a,b\nOna, "x"',
      [
        ['a', 'b'],
        ['Ona', 'x'],
      ],
    ],
    [
      'blanks on both sides of quotes',
      'a,b,c\nOna,  "x, y"\t,z',
      [
        ['a', 'b', 'c'],
        ['Ona', 'x, y', 'z'],
      ],
    ],
    [
      'quotes inside of a cell',
      `${name}Ona,5" nails`,
      [
        ['name', 'note'],
        ['Ona', '5" nails'],
      ],
    ],
    [
      'a quoted word before others',
      `${name}"Bo" Holm,x`,
      [
        ['name', 'note'],
        ['"Bo" Holm', 'x'],
      ],
    ],
    [
      'doubled quotes and lines',
      `${name}Ona,"a ""b""\r\nc"`,
      [
        ['name', 'note'],
        ['Ona', 'a "b"\r\nc'],
      ],
    ],
    [
      'lines with all ends',
      'a,b\r\n1,2\n3,4\r5,6',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
    ],
    [
      'tabs',
      'a\tb\n1, 2\t"3\t4"',
      [
        ['a', 'b'],
        ['1, 2', '3\t4'],
      ],
    ],
    [
      'semicolons beside commas',
      'a;b\n1,5;2,5\n3,5;4,5',
      [
        ['a', 'b'],
        ['1,5', '2,5'],
        ['3,5', '4,5'],
      ],
    ],
    [
      'upright lines',
      'a|b\n1|2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a line that says the separator',
      'sep=;\r\na;b,c\r\n1;2,3',
      [
        ['a', 'b,c'],
        ['1', '2,3'],
      ],
    ],
    ['a title above', 'Clients, all\n\na;b;c\n1;2;3', [['Clients, all'], ['a', 'b', 'c'], ['1', '2', '3']]],
    ['fewer cells in a last row with an end', 'a,b,c\n1\n2\n', [['a', 'b', 'c'], ['1'], ['2', '', '']]],
    ['fewer cells in a last row without an end', 'a,b,c\n1\n2', [['a', 'b', 'c'], ['1'], ['2']]],
    [
      'blank rows',
      'a,b\n,\n\n1,2\n , \n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
  ])('are read with %s', (_, file, rows) => {
    expect(rowsOfCsv(file)).toEqual(rows);
  });

  test.each([
    ['in its last cell', 'a,b\n1,2\n3,"She said', 'cut off: row 3'],
    ['before more rows', 'a,b\n1,"She\n3,4\n', 'cut off: row 2'],
    ['after doubled quotes', 'a,b\n1,"She said ""hi', 'cut off: row 2'],
  ])('are refused where a quote is not closed %s', (_, file, words) => {
    expect(() => rowsOfCsv(file)).toThrow(words);
  });

  test('are refused where quotes leave open how far a cell goes', () => {
    expect(() => rowsOfCsv('a,b\n1,"one\nline "two" of it"\n')).toThrow('Row 2 has a quoted cell with other quotes');
  });

  test.each([
    ['a workbook', 'PK\u0003\u0004name'],
    ['bytes that are no text', 'name\0\0'],
  ])('are refused in %s', (_, file) => {
    expect(() => rowsOfCsv(file)).toThrow('save it as CSV');
  });

  // A reader that looks at each sign more than a few times would not end before the test does.
  test.each<[sign: string, rows: number]>([
    ['"', 2],
    ['"a', 2],
    ['"a"b,', 2],
    ['""b,', 2],
    [', ', 1],
    [' ', 1],
    ['x"\n', 200_001],
  ])('of many %j take no longer than their length', (sign, rows) => {
    expect(rowsOfCsv(`a,b\n${sign.repeat(200_000)}`)).toHaveLength(rows);
  });
});
