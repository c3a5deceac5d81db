import { expect, test } from 'vitest';
import { initialsOf } from '../../../app/components/initials';

/* The letters in the circle beside a name. */

test.each([
  ['the first and the last word', 'Maya Lindqvist', 'ML'],
  ['the one word', 'Madonna', 'M'],
  ['nothing after a comma', 'Asha Rao, yoga', 'AR'],
  ['nothing in brackets', 'Ingrid Haugen (tax)', 'IH'],
  ['nothing after a dash', 'Fjord Fysio – Oslo', 'FF'],
  ['no title', 'Dr. Amara Diallo', 'AD'],
  ['no title of several', 'Prof. Dr. med. Anna Weiß', 'AW'],
  ['no Portuguese title', 'Dra. Sofia Braga', 'SB'],
  ['no French title', 'Mme Claire Dubois', 'CD'],
  ['no Bulgarian title', 'Д-р Иван Петров', 'ИП'],
  ['no Greek title', 'κα Μαρία Παππά', 'ΜΠ'],
  ['no Arabic title', 'د. ليلى حسن', 'لح'],
  ['a name that is only a title', 'Dr.', 'D'],
  ['a name behind a comma alone', ', Rui', 'R'],
  ['letters with accents', 'Élodie Ångström', 'ÉÅ'],
  ['a small letter made large', 'inês duarte', 'ID'],
  ['a name with an apostrophe', "Sean O'Brien", 'SO'],
  ['a name with a hyphen', 'Anne-Marie Duval', 'AD'],
  ['a name in Devanagari', 'आशा राव', 'आर'],
  ['a name in Japanese', '山田 太郎', '山太'],
  ['a number', '7 Barbers', '7B'],
  ['no letter at all', '✂︎', '·'],
])('have %s', (_, name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
