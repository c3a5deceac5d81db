import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvFile } from '../../../app/http/csv.server';
import { isFormula, readCsv } from '../../support/csv';

const fileOf = async (...rows: (string | number)[][]) => {
  const file = csvFile('guests', rows);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
};

test.each([
  ['vegan\n=1+1', "vegan\n'=1+1"],
  ['vegan\r\n@SUM(A1)', "vegan\r\n'@SUM(A1)"],
  ['=cmd|calc;x', "'=cmd|calc;x"],
  ['Bo;=1+1;c', "Bo;'=1+1;c"],
  ['Bo;"=1+1"', 'Bo;"\'=1+1"'],
  ['Bo; -1', "Bo; '-1"],
  ['a\t+1', "a\t'+1"],
  ['\t=1', "'\t'=1"],
  ['－1', "'－1"],
  ['1-2=3', '1-2=3'],
  ['who@where.example', 'who@where.example'],
  ['Zoë, "the" reader', 'Zoë, "the" reader'],
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
