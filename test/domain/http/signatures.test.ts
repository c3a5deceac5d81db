import { describe, expect, test } from 'vitest';
import { signatures } from '../../../app/domain/signatures.server';

describe('a signed value', () => {
  const ours = signatures('new secret, old secret');
  const value = 'Zoë booked | 10:00';

  test('is read back for the purpose that it was signed for', () => {
    expect(ours.verify('link', ours.sign('link', value))).toBe(value);
    expect(ours.verify('form', ours.sign('link', value))).toBeUndefined();
  });

  test('is text that fits into an address', () => {
    expect(ours.sign('link', value)).toMatch(/^[\w-]+\.[\w-]+$/);
  });

  test('is signed with 128 bits', () => {
    const [, signature = ''] = ours.sign('link', value).split('.');
    expect(Buffer.from(signature, 'base64url')).toHaveLength(16);
  });

  test('is refused once a character is changed', () => {
    const token = ours.sign('link', value);
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
