import { expect, test } from 'vitest';
import { codeWords } from '../../../app/domain/bookings/paper-codes';
import { linksBy } from '../../../app/domain/links.server';

const codes = Array.from({ length: 200 }, (_, at) => linksBy('a secret').codeOf(`seed ${at}`));

test('a code for paper is ten letters and digits', () => {
  for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{10}$/);
});

test('no letter of a code looks like another', () => {
  expect(codes.join('')).not.toMatch(/[ILO01]/);
});

test('no code comes twice', () => {
  expect(new Set(codes).size).toBe(codes.length);
});

test('a code is read in two halves', () => {
  expect(codeWords('ABCDEFGHJK')).toBe('ABCDE-FGHJK');
});
