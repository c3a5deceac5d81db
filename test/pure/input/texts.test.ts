import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortKey } from '../../../app/domain/input/fold';
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

test('whatever is typed makes no formula and no row of its own, whichever sign the spreadsheet parts cells at', async () => {
  const signs = [...'=+-@＝;,"\'\t\r\n ab1', '""', '";', '\r\n'];
  const typed = fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(typed, typed, typed), { minLength: 1, maxLength: 3 }), async (rows) => {
      const file = await fileOf(...rows);
      const read = readCsv(file);
      const bare = (cells: string[][]) => cells.map((row) => row.map((cell) => cell.replaceAll("'", '')));
      expect(bare(read)).toEqual(bare(rows));
      const cells = ([',', ';', '\t'] as const).flatMap((separator) => readCsv(file, separator).flat());
      expect(cells.filter(isFormula)).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test('a cell of blank lines takes no longer than its length', async () => {
  const blank = await fileOf([`a${'\n'.repeat(200_000)}a`]);
  expect(blank.length).toBeGreaterThan(200_000);
});

const byKey = (names: string[]) => names.sort((one, other) => compareText(sortKey(one), sortKey(other)));

test('names are listed A to Z, with the letters that have marks beside those that have none', () => {
  const read =
    'Ægir, Afonso, Alva, Álvaro, Ângela, Čapek, Cem, Dora, Đorđe, Dosta, Eva, ÉVA, Éva B, Hakim, Ħal, Ham, Isa, Işık, Ismet, ' +
    'Łukasz, Luz, Odo, Œdipe, Of, Østby, Otto, Zoë, Zoé 2';
  expect(byKey(read.split(', ').reverse()).join(', ')).toBe(read);
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
