import { describe, expect, test } from 'vitest';
import { acceptedLocale, localeFor, localeOf } from '../../../app/domain/words/languages';

const nobodySaid = { asked: null, account: null, cookie: null, accepted: null };

describe('a tag', () => {
  test.each([
    ['fr-CA', { language: 'fr', tag: 'fr-CA' }],
    ['PT_br', { language: 'pt', tag: 'pt-BR' }],
    ['ar-EG', { language: 'ar', tag: 'ar-EG' }],
    ['de-Latn-AT', { language: 'de', tag: 'de-AT' }],
    ['de-CH-1996', { language: 'de', tag: 'de-CH' }],
    ['ca-ES-valencia', null],
    ['pt', { language: 'pt', tag: 'pt' }],
  ])('%s names a language and a region', (tag, locale) => {
    expect(localeOf(tag)).toEqual(locale);
  });

  test.each(['zh', 'xx', '', 'de-', '../de', 'deutsch'])('%j is passed over', (tag) => {
    expect(localeOf(tag)).toBeNull();
  });
});

describe('what a browser accepts', () => {
  test('is taken by its weight, not by its place', () => {
    expect(acceptedLocale('en;q=0.3, de-AT;q=0.9, fr;q=0.5')?.tag).toBe('de-AT');
  });

  test('passes over a language that we do not speak', () => {
    expect(acceptedLocale('zh-CN,zh;q=0.9,es-MX;q=0.4')?.tag).toBe('es-MX');
  });

  test('leaves out what it refuses', () => {
    expect(acceptedLocale('de;q=0, fr;q=0.1')?.tag).toBe('fr');
  });

  test('may be nothing that we speak', () => {
    expect(acceptedLocale('zh, *;q=0.5')).toBeNull();
  });
});

describe('the reader’s language', () => {
  test('is English where nobody says', () => {
    expect(localeFor(nobodySaid).tag).toBe('en');
  });

  test('is the address’s before the account’s, the cookie’s and the browser’s', () => {
    expect(localeFor({ asked: 'fr', account: 'de', cookie: 'es', accepted: 'ar' }).tag).toBe('fr');
  });

  test('is the account’s before the cookie’s and the browser’s', () => {
    expect(localeFor({ ...nobodySaid, account: 'de', cookie: 'es', accepted: 'ar' }).tag).toBe('de');
  });

  test('is the cookie’s before the browser’s', () => {
    expect(localeFor({ ...nobodySaid, cookie: 'es', accepted: 'ar' }).tag).toBe('es');
  });

  test('is the next one where the address asks for one that we do not speak', () => {
    expect(localeFor({ ...nobodySaid, asked: 'zh', cookie: 'es' }).tag).toBe('es');
  });

  test('has the region of the browser where that speaks the same language', () => {
    expect(localeFor({ ...nobodySaid, account: 'de', accepted: 'de-CH,en' }).tag).toBe('de-CH');
  });
});
