import { describe, expect, test } from 'vitest';
import { weekWords } from '../../../app/domain/calendar/week';
import { i18nOf } from '../../../app/domain/words/i18n';
import { localeOf } from '../../../app/domain/words/languages';
import { sharedLocale } from '../../../app/domain/words/region';
import { worded } from '../../../app/domain/words/worded';
import type { Words } from '../../../app/domain/words/words';

/* How dates and times are written for the readers of each region. */

const noon: Words = { clock: '12:00' };
const afternoon: Words = { clock: '13:30' };
const midnight: Words = { clock: '00:05' };
const full: Words = { date: '2026-12-02', as: 'full' };
const short: Words = { date: '2026-12-02', as: 'short' };

const localeFor = (tag: string) => {
  const locale = localeOf(tag);
  if (!locale) throw new Error(`Not a language of ours: ${tag}`);
  return locale;
};
// Versions of ICU differ in the kind of their spaces.
const written = (tag: string, words: Words) => worded(i18nOf(localeFor(tag)), words).replaceAll(/\s/g, ' ');

describe('English', () => {
  test.each([
    ['en', '13:30', 'Wednesday, 2 December 2026', 'Wed 2 Dec'],
    ['en-GB', '13:30', 'Wednesday, 2 December 2026', 'Wed 2 Dec'],
    ['en-US', '1:30 PM', 'Wednesday, December 2, 2026', 'Wed, Dec 2'],
    ['en-CA', '1:30 PM', 'Wednesday, December 2, 2026', 'Wed, Dec 2'],
    ['en-IN', '1:30 PM', 'Wednesday, 2 December 2026', 'Wed 2 Dec'],
  ])('of the tag %s writes %s on %s', (tag, time, date, shortly) => {
    expect(written(tag, afternoon)).toBe(time);
    expect(written(tag, full)).toBe(date);
    expect(written(tag, short)).toBe(shortly);
  });

  test('has noon and midnight at twelve where the clock has twelve hours', () => {
    expect(written('en-US', noon)).toBe('12:00 PM');
    expect(written('en-US', midnight)).toBe('12:05 AM');
  });

  test('of the United States is as Intl writes it', () => {
    const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
    const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' });
    const at = Date.parse('2026-12-02T13:30Z');

    expect(written('en-US', full)).toBe(date.format(at));
    expect(written('en-US', afternoon)).toBe(time.format(at).replaceAll(/\s/g, ' '));
  });
});

test.each([
  ['en', '29 November to 5 December 2026'],
  ['en-US', 'November 29 to December 5, 2026'],
])('a week of the tag %s is from %s', (tag, words) => {
  expect(written(tag, weekWords('2026-11-29'))).toBe(words);
});

describe('another language', () => {
  test.each([
    ['de', '13:30', 'Mittwoch, 2. Dezember 2026'],
    ['fr-CA', '13 h 30', 'mercredi 2 décembre 2026'],
    ['pt', '13:30', 'quarta-feira, 2 de dezembro de 2026'],
    ['es-MX', '1:30 p.m.', 'miércoles, 2 de diciembre de 2026'],
    ['ar', '1:30 م', 'الأربعاء، 2 ديسمبر 2026'],
    ['ar-EG', '١:٣٠ م', 'الأربعاء، ٢ ديسمبر ٢٠٢٦'],
  ])('of the tag %s writes %s on %s', (tag, time, date) => {
    expect(written(tag, afternoon)).toBe(time);
    expect(written(tag, full)).toBe(date);
  });

  test('counts the years of the Gregorian calendar everywhere', () => {
    expect(written('ar-SA', full)).toContain('٢٠٢٦');
  });
});

describe('what readers of several regions share', () => {
  test.each([
    ['de-AT', 'de'],
    ['en-GB', 'en'],
    ['en-IN', 'en-u-hc-h12'],
    ['en-CA', 'en-US'],
    ['es-AR', 'es-u-hc-h12'],
    ['ar-EG', 'ar-u-nu-arab'],
    ['ar-MA', 'ar-u-hc-h23'],
  ])('is written for %s as for %s', (tag, shared) => {
    expect(sharedLocale(localeFor(tag)).tag).toBe(shared);
  });

  test.each(['de-AT', 'en-IN', 'en-US', 'ar-EG', 'ar-MA', 'es-MX'])('has the clock of %s', (tag) => {
    const { tag: shared } = sharedLocale(localeFor(tag));

    expect(written(shared, { clock: '13:30' }).replaceAll('.', '').replaceAll(' ', '')).toBe(
      written(tag, { clock: '13:30' }).replaceAll('.', '').replaceAll(' ', ''),
    );
  });

  test('is a tag that a browser reads back', () => {
    expect(localeOf('es-u-hc-h12')).toEqual({ language: 'es', tag: 'es-u-hc-h12' });
  });
});

describe('a list of names', () => {
  const names: Words = { list: ['Ana', 'Ben', 'Mia'] };

  test.each([
    ['en', 'Ana, Ben and Mia'],
    ['de', 'Ana, Ben und Mia'],
    ['fr', 'Ana, Ben et Mia'],
    ['pt', 'Ana, Ben e Mia'],
    ['es', 'Ana, Ben y Mia'],
    ['ar', 'Ana وBen وMia'],
  ])('in %s is %s', (tag, words) => {
    expect(written(tag, names)).toBe(words);
  });

  test('of one is its name', () => {
    expect(written('en', { list: ['Ana'] })).toBe('Ana');
  });

  test('of nobody is empty', () => {
    expect(written('de', { list: [] })).toBe('');
  });
});
