import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortKey, withoutAccents, wordsOf } from '../../../app/domain/input/fold';
import { plainName } from '../../../app/domain/messages/plain-names';
import { csvFile } from '../../../app/http/csv.server';
import { isFormula, readCsv } from '../../support/csv';
import { compareText } from '../../support/naive';

const fileOf = async (...rows: (string | number)[][]) => {
  const file = csvFile('guests', rows);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
};

test.each([
  ['vegan\n=1+1', "vegan\n'=1+1"],
  ['=cmd|calc;x', "'=cmd|calc;x"],
  ['Bo;"=1+1"', 'Bo;"\'=1+1"'],
  ['－1', "'－1"],
  ['1-2=3', '1-2=3'],
  ['who@where.example', 'who@where.example'],
])('%j stands in a cell as %j', async (typed, shown) => {
  expect(readCsv(await fileOf([typed, 2, 'end'], ['next']))).toEqual([[shown, '2', 'end'], ['next']]);
});

describe('whatever is typed', () => {
  const signs = [...'=+-@＝;,"\'\t\r\n ab1', '""', '";', '\r\n'];
  const typed = fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map((parts) => parts.join(''));
  const anyRows = fc.array(fc.tuple(typed, typed, typed), { minLength: 1, maxLength: 3 });
  const checkFile = (check: (file: string, rows: string[][]) => void) =>
    fc.assert(
      fc.asyncProperty(anyRows, async (rows) => check(await fileOf(...rows), rows)),
      { numRuns: 2_000 },
    );

  test('makes no row and no cell of its own', async () => {
    const withoutMarks = (cells: string[][]) => cells.map((row) => row.map((cell) => cell.replaceAll("'", '')));

    await checkFile((file, rows) => {
      expect(withoutMarks(readCsv(file))).toEqual(withoutMarks(rows));
    });
  });

  test.each([',', ';', '\t'] as const)('makes no formula where a spreadsheet parts cells at %j', async (separator) => {
    await checkFile((file) => {
      expect(readCsv(file, separator).flat().filter(isFormula)).toEqual([]);
    });
  });
});

test('a cell of blank lines takes no longer than its length', async () => {
  const blank = await fileOf([`a${'\n'.repeat(200_000)}a`]);

  expect(blank.length).toBeGreaterThan(200_000);
});

const sortByKey = (names: string[]) => names.sort((one, other) => compareText(sortKey(one), sortKey(other)));

test('names are listed A to Z, with the letters that have marks beside those that have none', () => {
  const sorted =
    'Ægir, Afonso, Alva, Álvaro, Ângela, Čapek, Cem, Dora, Đorđe, Dosta, Eva, ÉVA, Éva B, Hakim, Ħal, Ham, Isa, Işık, Ismet, ' +
    'Łukasz, Luz, Odo, Œdipe, Of, Østby, Otto, Zoë, Zoé 2';

  expect(sortByKey(sorted.split(', ').reverse()).join(', ')).toBe(sorted);
});

test.each([
  [
    'Greek, with the letters that have an accent beside those that have none',
    'Αναστασία, Άννα, Ζωή, Ηλίας, Ωμέγα, Ώρα',
  ],
  ['Russian, with Ё beside Е and Й beside И', 'Ева, Ёж, Ежов, Елена, Ёлка, Йа, Ия, Яна'],
  ['Ukrainian, with the letters that Russian lacks after Я', 'Ганна, Петро, Яна, Євген, Іван, Їжак, Ґалаґан'],
  ['Arabic, with each Alif that has a Hamza or a Madda before all letters', 'آدم, أحمد, إبراهيم, امينة, بدر, ياسمين'],
  ['Arabic, with a vowel sign as a letter after all others', 'محمد, محمود, مُحمد'],
  ['Persian, with the letters that Arabic lacks after Yeh', 'بدر, ياسمين, پريسا'],
  ['of four scripts, by their place in Unicode', 'Zoë, Ζωή, Яна, ياسمين'],
])('names are listed in %s', (_, sorted) => {
  expect(sortByKey(sorted.split(', ').reverse()).join(', ')).toBe(sorted);
});

test.each([
  ['Zoé', 'zoe'],
  ['Zoe\u0301', 'zoe'],
  ['Łukasz Żak', 'lukasz zak'],
  ['Straße', 'strasse'],
  ['Ægir Sørensen', 'aegir sorensen'],
  ['Nguyễn Thị Đào', 'nguyen thi dao'],
])('%s without accents is %s', (name, plain) => {
  expect(withoutAccents(name)).toBe(plain);
});

test('the words of a search are apart, the longest first', () => {
  expect(wordsOf(' Ünal,  Zoé ')).toEqual(['unal', 'zoe']);
});

test.each([
  ['Dr. Ana M. de la Cruz', 'Dr. Ana M. de la Cruz'],
  ['김 민준', '김 민준'],
  ['Salon Anna www.salon', 'Salon Anna'],
  ['evil．com ｗｗｗ.evil evil。com evil｡com', ''],
  ['bücher.de пример.рф', ''],
  ['1.2.3.44 me@mail.test', ''],
  ['Call +1 (555) 010-1234 now', 'Call now'],
  ['Buy cheap pills today, all of them, for half the price', 'Buy cheap pills today, all of them, for'],
  ['a'.repeat(80), ''],
])('%s is %s in mail', (name, shown) => {
  expect(plainName(name)).toBe(shown);
});
