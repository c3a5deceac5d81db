import { describe, expect, test } from 'vitest';
import { inEnglish } from '../../../app/domain/words/english';
import { i18nOf } from '../../../app/domain/words/i18n';
import { isolated, withoutIsolates } from '../../../app/domain/words/isolated';
import type { Language } from '../../../app/domain/words/languages';
import { worded } from '../../../app/domain/words/worded';
import type { Words } from '../../../app/domain/words/words';

/* Names in sentences that run the other way. */

const wrapped = (text: string) => `\u2068${text}\u2069`;

test.each<[Language, string]>([
  ['ar', 'Maya'],
  ['ar', '+351 912 345'],
  ['ar', 'ana@example.com'],
  ['en', 'نورة'],
  ['de', 'דנה'],
])('a sentence in %s isolates %s', (language, text) => {
  expect(isolated(text, language)).toBe(wrapped(text));
});

test.each<[Language, string]>([
  ['ar', 'نورة'],
  ['ar', '10:00'],
  ['en', 'Maya'],
  ['de', '+351 912 345'],
])('a sentence in %s leaves %s as it is', (language, text) => {
  expect(isolated(text, language)).toBe(text);
});

describe('a described sentence', () => {
  const sentence: Words = { id: 'abcd', message: [['name'], ' is here.'], values: { name: 'نورة' } };

  test('isolates its names for a reader', () => {
    expect(worded(i18nOf({ language: 'en', tag: 'en' }), sentence)).toBe(`${wrapped('نورة')} is here.`);
  });

  test('isolates none for a program', () => {
    expect(inEnglish(sentence)).toBe('نورة is here.');
  });

  test('isolates a name once where it is a sentence of another', () => {
    const outer: Words = { id: 'efgh', message: ['So: ', ['inner']], values: { inner: sentence } };

    expect(worded(i18nOf({ language: 'en', tag: 'en' }), outer)).toBe(`So: ${wrapped('نورة')} is here.`);
  });
});

test('a file for programs has no isolates', () => {
  expect(withoutIsolates(`${wrapped('نورة')} is here.`)).toBe('نورة is here.');
});
