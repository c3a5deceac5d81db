import { describe, expect, test } from 'vitest';
import { logIn } from '../../app/domain/accounts/accounts.server';
import { hashPassword, type Passwords, verifyPassword } from '../../app/domain/accounts/passwords.server';
import { forgetAll, join, newDb, start, stored } from '../support/history';

const pepper = 'a pepper of the test';
const word = 'Ångström 1';

describe('a password', () => {
  test('is right where it is the same text, with the same pepper, however its letters are composed', async () => {
    const hash = await hashPassword(word, pepper);
    expect(hash).toMatch(/^scrypt\$1\$14,8,5\$/);
    expect(hash).not.toBe(await hashPassword(word, pepper));
    expect(await verifyPassword(word.normalize('NFD'), hash, pepper)).toEqual({ right: true, outdated: false });
    const wrong = { right: false, outdated: false };
    expect(await verifyPassword(`${word} `, hash, pepper)).toEqual(wrong);
    expect(await verifyPassword(word, hash, 'another')).toEqual(wrong);
    expect(await verifyPassword(word, null, pepper)).toEqual(wrong);
  });

  test.each([
    { ln: 13, r: 8, p: 5 },
    { ln: 14, r: 4, p: 5 },
    { ln: 14, r: 8, p: 1 },
  ])('that was hashed at the cost %j is outdated', async (cost) => {
    const hash = await hashPassword(word, pepper, cost);
    expect(await verifyPassword(word, hash, pepper)).toEqual({ right: true, outdated: true });
    expect(await verifyPassword('Wrong 1', hash, pepper)).toEqual({ right: false, outdated: false });
  });
});

test('a login hashes anew what is outdated, and nothing else', async () => {
  await forgetAll();
  const db = newDb();
  await join(db, { username: 'ana', displayName: 'Ana', timeZone: 'UTC', role: 'Consumer' });
  await join(db, { username: 'bo', displayName: 'Bo', timeZone: 'UTC', role: 'Consumer' });
  const logInWith = (outdated: boolean) => {
    const passwords: Passwords = { hash: async () => 'anew', verify: async () => ({ right: true, outdated }) };
    return logIn(db, passwords, { username: 'ana', password: word }, { now: start, origin: null });
  };
  const hashes = async () =>
    (await stored<{ hash: string }>('SELECT password_hash AS hash FROM accounts ORDER BY username')).map(
      ({ hash }) => hash,
    );
  await logInWith(false);
  expect(await hashes()).toEqual(['none', 'none']);
  await logInWith(true);
  expect(await hashes()).toEqual(['anew', 'none']);
});
