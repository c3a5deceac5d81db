import { describe, expect, test } from 'vitest';
import { sealsBy } from '../../../app/domain/seals.server';
import { signatures } from '../../../app/domain/signatures.server';
import { checkForm, formToken } from '../../../app/http/form-token.server';

const address = 'https://calendar.test/private-0123456789/basic.ics?é';

describe('a sealed text', () => {
  const sealed = sealsBy('old').seal('calendar of ana', address);

  test('fits into an address', () => {
    expect(sealed).toMatch(/^[\w-]+$/);
  });

  test('shows nothing', () => {
    expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('calendar');
  });

  test('is another each time', () => {
    expect(sealsBy('old').seal('calendar of ana', address)).not.toBe(sealed);
  });

  test.each([
    ['its secret', 'old'],
    ['its secret after newer ones', 'newest,newer, old'],
  ])('is opened by %s', (_, secrets) => {
    expect(sealsBy(secrets).open('calendar of ana', sealed)).toBe(address);
  });

  test('is sealed by the oldest secret', () => {
    const byOldest = sealsBy('newer, old').seal('calendar of ana', address);

    expect(sealsBy('old').open('calendar of ana', byOldest)).toBe(address);
  });

  test('is not opened by another secret', () => {
    expect(sealsBy('old,new').open('calendar of ana', sealed)).toBeUndefined();
  });

  test('is not opened for another purpose', () => {
    expect(sealsBy('old').open('calendar of bo', sealed)).toBeUndefined();
  });

  const changed = Buffer.from(sealed, 'base64url');
  changed[30] = (changed[30] ?? 0) ^ 1;
  test.each([
    ['was changed', changed.toString('base64url')],
    ['was cut', sealed.slice(0, 20)],
    ['is empty', ''],
  ])('is not opened when it %s', (_, text) => {
    expect(sealsBy('old').open('calendar of ana', text)).toBeUndefined();
  });
});

describe('a signed value', () => {
  const ours = signatures('new secret, old secret');
  const value = 'Zoë booked | 10:00';
  const signed = ours.sign('link', value);

  test('is read back for the purpose that it was signed for', () => {
    expect(ours.verify('link', signed)).toBe(value);
  });

  test('is not read for another purpose', () => {
    expect(ours.verify('form', signed)).toBeUndefined();
  });

  test('is text that fits into an address', () => {
    expect(signed).toMatch(/^[\w-]+\.[\w-]+$/);
  });

  test('is signed with 128 bits', () => {
    expect(Buffer.from(signed.split('.')[1] ?? '', 'base64url')).toHaveLength(16);
  });

  const changedAt = (place: number) =>
    signed.slice(0, place) + (signed[place] === 'A' ? 'B' : 'A') + signed.slice(place + 1);
  test.each([
    ['its value', changedAt(0)],
    ['its signature', changedAt(signed.indexOf('.') + 1)],
    ['its end', `${signed}A`],
  ])('is refused once a character is changed in %s', (_, changed) => {
    expect(ours.verify('link', changed)).toBeUndefined();
  });

  test.each(['', '.', 'abc', 'abc.', '.abc'])('is not %j', (text) => {
    expect(ours.verify('link', text)).toBeUndefined();
  });

  const signedBefore = signatures('old secret').sign('link', value);

  test('is read while the secret that signed it is still accepted', () => {
    expect(ours.verify('link', signedBefore)).toBe(value);
  });

  test('is not read once its secret is gone', () => {
    expect(signatures('new secret').verify('link', signedBefore)).toBeUndefined();
  });
});

describe('the token of a form that anyone can send', () => {
  const shownAt = Date.parse('2026-12-01T09:00:00Z');
  const day = 24 * 60 * 60 * 1000;
  const at = (now: number, secret = 'a secret') => ({ signatures: signatures(secret), now, isRateLimited: true });
  const word = formToken(at(shownAt), 'book one');
  const notLately = /was not opened lately/;

  const checkAfter = (later: number) => () => checkForm(at(shownAt + later), { shown: [word] }, 'book one');

  test.each([2000, day - 1])('is good %i milliseconds after it is shown', (later) => {
    expect(checkAfter(later)).not.toThrow();
  });

  test.each([-1, day, 2 * day])('is too old, or of the future, %i milliseconds after it is shown', (later) => {
    expect(checkAfter(later)).toThrow(notLately);
  });

  test.each([0, 1999])('is too fast %i milliseconds after it is shown', (later) => {
    expect(checkAfter(later)).toThrow(/too fast/);
  });

  test.each([0, 1999])('is good %i milliseconds after it is shown where nothing is limited', (later) => {
    const unlimited = { ...at(shownAt + later), isRateLimited: false };

    expect(() => checkForm(unlimited, { shown: [word] }, 'book one')).not.toThrow();
  });

  const read = at(shownAt + 2000);

  test.each(['book two', 'one', 'x book one'])('is not good for the form %j', (other) => {
    expect(() => checkForm(read, { shown: [word] }, other)).toThrow(notLately);
  });

  test('is not good by another secret', () => {
    const other = at(shownAt + 2000, 'another secret');

    expect(() => checkForm(other, { shown: [word] }, 'book one')).toThrow(notLately);
  });

  test('may not be left out', () => {
    expect(() => checkForm(read, {}, 'book one')).toThrow(notLately);
  });

  test.each(['', `${shownAt} book one`, 'x.y', `${word}A`])('is not %j', (made) => {
    expect(() => checkForm(read, { shown: [made] }, 'book one')).toThrow(notLately);
  });
});
