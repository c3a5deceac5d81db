import { describe, expect, test } from 'vitest';
import { signatures } from '../../../app/domain/signatures.server';
import { checkForm, formToken, isShownLately } from '../../../app/http/form-token.server';

/* The signed word of a form that anyone can send. */

const shownAt = Date.parse('2026-12-01T09:00:00Z');
const day = 24 * 60 * 60 * 1000;
const at = (now: number, secret = 'a secret') => ({ signatures: signatures(secret), now, isRateLimited: true });
const read = shownAt + 2000;
const shown = formToken(at(shownAt), 'book one');
const check = (now: number, form: string, typed: Record<string, string[]>, secret?: string) => () =>
  checkForm(at(now, secret), typed, form);
const notLately = /was not opened lately/;

describe('the word of a form', () => {
  test('is good from two seconds after it is shown until a day later', () => {
    for (const later of [2000, day - 1]) expect(check(shownAt + later, 'book one', { shown: [shown] })).not.toThrow();
    for (const later of [-1, day, 2 * day]) {
      expect(check(shownAt + later, 'book one', { shown: [shown] })).toThrow(notLately);
    }
    for (const later of [0, 1999]) {
      expect(check(shownAt + later, 'book one', { shown: [shown] })).toThrow(/too fast/);
      const unlimited = { ...at(shownAt + later), isRateLimited: false };
      expect(() => checkForm(unlimited, { shown: [shown] }, 'book one')).not.toThrow();
    }
  });

  test('is good for its own form, by our own hand', () => {
    expect(check(read, 'book two', { shown: [shown] })).toThrow(notLately);
    expect(check(read, 'one', { shown: [shown] })).toThrow(notLately);
    expect(check(read, 'book one', { shown: [shown] }, 'another secret')).toThrow(notLately);
    expect(check(read, 'book one', {})).toThrow(notLately);
    for (const made of ['', `${shownAt} book one`, 'x.y']) {
      expect(check(read, 'book one', { shown: [made] })).toThrow(notLately);
    }
  });

  test('helps nobody who fills in what people do not see', () => {
    expect(check(read, 'book one', { shown: [shown], website: ['x'] })).toThrow(/nobody sees/);
    expect(check(read, 'book one', { shown: [shown], website: [''] })).not.toThrow();
  });

  test('can be asked for a shorter time', () => {
    expect(isShownLately(at(shownAt + 999), shown, 'book one', 1000)).toBe(true);
    expect(isShownLately(at(shownAt + 1000), shown, 'book one', 1000)).toBe(false);
  });
});
