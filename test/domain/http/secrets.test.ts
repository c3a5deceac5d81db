import { describe, expect, test } from 'vitest';
import { sealsBy } from '../../../app/domain/seals.server';
import { signatures } from '../../../app/domain/signatures.server';
import { checkForm, formToken } from '../../../app/http/form-token.server';

const address = 'https://calendar.test/private-0123456789/basic.ics?é';

test('a sealed text shows nothing, and is opened by a secret that stands, for one purpose, if nobody has changed it', () => {
  const { seal, open } = sealsBy('old');
  const sealed = seal('calendar of ana', address);
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('calendar');
  expect(sealsBy('newest, newer,old').open('calendar of ana', sealed)).toBe(address);
  expect(seal('calendar of ana', address)).not.toBe(sealed);
  const bytes = Buffer.from(sealed, 'base64url');
  bytes[30] = (bytes[30] ?? 0) ^ 1;
  expect([
    open('calendar of bo', sealed),
    sealsBy('old,new').open('calendar of ana', sealed),
    open('calendar of ana', bytes.toString('base64url')),
    open('calendar of ana', sealed.slice(0, 20)),
    open('calendar of ana', ''),
  ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

describe('a signed value', () => {
  const ours = signatures('new secret, old secret');
  const value = 'Zoë booked | 10:00';

  test('is text for an address, signed with 128 bits for one purpose, and refused once a character is changed', () => {
    const token = ours.sign('link', value);
    expect(token).toMatch(/^[\w-]+\.[\w-]+$/);
    expect(Buffer.from(token.split('.')[1] ?? '', 'base64url')).toHaveLength(16);
    expect([ours.verify('link', token), ours.verify('form', token)]).toEqual([value, undefined]);
    for (const place of [0, token.indexOf('.') + 1]) {
      const other = token[place] === 'A' ? 'B' : 'A';
      expect(ours.verify('link', token.slice(0, place) + other + token.slice(place + 1))).toBeUndefined();
    }
    for (const not of ['', '.', 'abc', 'abc.', '.abc', `${token}A`])
      expect(ours.verify('link', not), not).toBeUndefined();
  });

  test('is read while the secret that signed it is still accepted, and not after', () => {
    const before = signatures('old secret').sign('link', value);
    expect(ours.verify('link', before)).toBe(value);
    expect(signatures('new secret').verify('link', before)).toBeUndefined();
  });
});

/* The signed word of a form that anyone can send. */

const shownAt = Date.parse('2026-12-01T09:00:00Z');
const day = 24 * 60 * 60 * 1000;
const at = (now: number, secret = 'a secret') => ({ signatures: signatures(secret), now, isRateLimited: true });
const shown = formToken(at(shownAt), 'book one');
const check = (now: number, form: string, typed: Record<string, string[]>, secret?: string) => () =>
  checkForm(at(now, secret), typed, form);
const notLately = /was not opened lately/;

describe('the word of a form', () => {
  test('is good from two seconds after it is shown until a day later', () => {
    const checkAfter = (later: number) => check(shownAt + later, 'book one', { shown: [shown] });
    for (const later of [2000, day - 1]) expect(checkAfter(later)).not.toThrow();
    for (const later of [-1, day, 2 * day]) expect(checkAfter(later)).toThrow(notLately);
    for (const later of [0, 1999]) {
      expect(checkAfter(later)).toThrow(/too fast/);
      const unlimited = { ...at(shownAt + later), isRateLimited: false };
      expect(() => checkForm(unlimited, { shown: [shown] }, 'book one')).not.toThrow();
    }
  });

  const read = shownAt + 2000;
  test('is good for its own form, by our own hand', () => {
    for (const other of ['book two', 'one']) expect(check(read, other, { shown: [shown] })).toThrow(notLately);
    expect(check(read, 'book one', { shown: [shown] }, 'another secret')).toThrow(notLately);
    expect(check(read, 'book one', {})).toThrow(notLately);
    for (const made of ['', `${shownAt} book one`, 'x.y'])
      expect(check(read, 'book one', { shown: [made] })).toThrow(notLately);
  });
});
