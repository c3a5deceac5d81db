import { describe, expect, test } from 'vitest';
import { sealsBy } from '../../../app/domain/seals.server';
import { signatures } from '../../../app/domain/signatures.server';
import { checkForm, formToken } from '../../../app/http/form-token.server';

const address = 'https://calendar.test/private-0123456789/basic.ics?é';

test('a sealed text is opened by the same secret, for the same purpose, and shows nothing', () => {
  const sealed = sealsBy('newer, old').seal('calendar of ana', address);
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('calendar');
  expect(sealsBy('newest,newer,old').open('calendar of ana', sealed)).toBe(address);
  expect(sealsBy('old').seal('calendar of ana', address)).not.toBe(sealed);
});

test('it is not opened for another, by another secret, or when it was changed', () => {
  const { seal, open } = sealsBy('old');
  const sealed = seal('calendar of ana', address);
  const bytes = Buffer.from(sealed, 'base64url');
  bytes[30] = (bytes[30] ?? 0) ^ 1;
  const changed = [bytes.toString('base64url'), sealed.slice(0, 20), ''];
  const opened = [open('calendar of bo', sealed), sealsBy('old,new').open('calendar of ana', sealed)];
  expect([...opened, ...changed.map((one) => open('calendar of ana', one))]).toEqual(Array(5).fill(undefined));
});

describe('a signed value', () => {
  const ours = signatures('new secret, old secret');
  const value = 'Zoë booked | 10:00';
  const signed = ours.sign('link', value);

  test('is read back for the purpose that it was signed for', () => {
    expect([ours.verify('link', signed), ours.verify('form', signed)]).toEqual([value, undefined]);
  });

  test('is signed with 128 bits, and is text that fits into an address', () => {
    expect(signed).toMatch(/^[\w-]+\.[\w-]+$/);
    expect(Buffer.from(signed.split('.')[1] ?? '', 'base64url')).toHaveLength(16);
  });

  test('is refused once a character is changed', () => {
    const changedAt = (place: number) =>
      signed.slice(0, place) + (signed[place] === 'A' ? 'B' : 'A') + signed.slice(place + 1);
    const changed = [changedAt(0), changedAt(signed.indexOf('.') + 1), `${signed}A`];
    for (const other of [...changed, '', '.', 'abc', 'abc.', '.abc'])
      expect(ours.verify('link', other), other).toBeUndefined();
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
    for (const other of ['book two', 'one', 'x book one'])
      expect(check(read, other, { shown: [shown] })).toThrow(notLately);
    expect(check(read, 'book one', { shown: [shown] }, 'another secret')).toThrow(notLately);
    expect(check(read, 'book one', {})).toThrow(notLately);
    for (const made of ['', `${shownAt} book one`, 'x.y', `${shown}A`])
      expect(check(read, 'book one', { shown: [made] })).toThrow(notLately);
  });
});
