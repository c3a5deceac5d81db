import { expect, test } from 'vitest';
import { newId } from '../../../db/columns';

/* Ids of parties, meetups and invitations let somebody without a login in, so nobody may guess one. */

const ids = Array.from({ length: 4_000 }, newId);

test('an id is 22 characters that a link takes as they are', () => {
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
});

test('no id comes twice', () => {
  expect(new Set(ids).size).toBe(ids.length);
});

test('each place of an id has each of 64 characters, so that it carries more than 120 random bits', () => {
  for (let place = 0; place < 22; place += 1) {
    expect(new Set(ids.map((id) => id[place])).size, `place ${place}`).toBe(64);
  }
});
