import { expect, test } from 'vitest';
import { ibanWords, isIban } from '../../../app/domain/profile/iban';
import { payeeAfter, payeeChange } from '../../../app/domain/profile/payee';

const valid = [
  ['Germany', 'DE89 3704 0044 0532 0130 00'],
  ['Portugal', 'PT50 0002 0123 1234 5678 9015 4'],
  ['France', 'FR14 2004 1010 0505 0001 3M02 606'],
  ['the Netherlands', 'NL91 ABNA 0417 1643 00'],
  ['Norway', 'NO93 8601 1117 947'],
  ['Malta', 'MT84 MALT 0110 0001 2345 MTLC AST0 01S'],
] as const;

const read = (iban: string) => payeeChange.payTo.safeParse({ iban, name: 'Karla' });

test.each(valid)('an IBAN of %s is taken', (_, iban) => {
  expect(isIban(iban.replaceAll(' ', ''))).toBe(true);
});

test.each(valid)('an IBAN of %s with another digit is refused', (_, iban) => {
  const other = iban.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));

  expect(read(other).success).toBe(false);
});

test('two digits that changed places are refused', () => {
  expect(read('DE89 3704 0044 0532 0310 00').success).toBe(false);
});

test.each(['', 'DE89', 'hello', '89DE370400440532013000', 'DE89370400440532013000DE89370400440532013000'])(
  'what is no IBAN is refused: "%s"',
  (iban) => {
    expect(read(iban).success).toBe(false);
  },
);

test('an IBAN is read with spaces and in lower case', () => {
  expect(read(' de89 3704 0044 0532 0130 00 ').data).toEqual({ iban: 'DE89370400440532013000', name: 'Karla' });
});

test('an IBAN is shown in groups of four', () => {
  expect(ibanWords('NO9386011117947')).toBe('NO93 8601 1117 947');
});

const link = { link: 'https://pay.example' };
const account = { iban: 'NO9386011117947', name: 'Karla' };
test.each([
  ['a link takes the place of an account', account, { payLink: 'https://pay.example' }, link],
  ['an account takes the place of a link', link, { payTo: account }, account],
  ['null clears the payee that it names', link, { payLink: null }, null],
  ['null for the other kind clears nothing', link, { payTo: null }, link],
  ['what is left out stays', account, {}, account],
])('%s', (_, before, change, after) => {
  expect(payeeAfter(before, change)).toEqual(after);
});
