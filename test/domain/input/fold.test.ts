import { expect, test } from 'vitest';
import { fold, sortKey } from '../../../app/domain/input/fold';
import { compareText } from '../../support/naive';

const byKey = (names: string[]) => names.sort((one, other) => compareText(sortKey(one), sortKey(other)));

test('names are listed A to Z, with the letters that have marks beside those that have none', () => {
  const read = [
    'Ægir',
    'Afonso',
    'Alva',
    'Álvaro',
    'Ângela',
    'Čapek',
    'Cem',
    'Dora',
    'Đorđe',
    'Dosta',
    'Eva',
    'ÉVA',
    'Éva B',
    'Hakim',
    'Ħal',
    'Ham',
    'Isa',
    'Işık',
    'Ismet',
    'Łukasz',
    'Luz',
    'Odo',
    'Œdipe',
    'Of',
    'Østby',
    'Otto',
    'Zoë',
    'Zoé 2',
  ];
  expect(byKey([...read].reverse())).toEqual(read);
});

test('the marks that are letters of other scripts are kept', () => {
  expect(byKey(['कृ', 'कि', 'का'])).toEqual(['का', 'कि', 'कृ']);
  expect(sortKey('कि')).toBe('कि');
  expect(sortKey('한글')).toBe('한글');
});

test('a name is found by its beginning, whatever letter that ends with', () => {
  expect(fold('Οδός')).toBe(fold('ΟΔΌΣ'));
  expect(fold('ΟΔΟΣΤΡΩΜΑ').startsWith(fold('οδος'))).toBe(true);
  expect(fold('STRASSE').startsWith(fold('Straß'))).toBe(true);
});
