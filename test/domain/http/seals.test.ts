import { expect, test } from 'vitest';
import { sealsBy } from '../../../app/domain/seals.server';

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
  expect([
    open('calendar of bo', sealed),
    sealsBy('old,new').open('calendar of ana', sealed),
    open('calendar of ana', bytes.toString('base64url')),
    open('calendar of ana', sealed.slice(0, 20)),
    open('calendar of ana', ''),
  ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
});
