import { env } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { Unavailable } from '../../../app/domain/errors';
import { linksBy } from '../../../app/domain/links.server';
import { passwordsBy } from '../../../app/domain/login/hashing.server';
import { logIn } from '../../../app/domain/login/log-in.server';
import { hashPassword, type Passwords, verifyPassword } from '../../../app/domain/login/passwords.server';
import { newBook, start, stored } from '../../support/history';

const pepper = 'a pepper of the test';
const word = 'Ångström 1';

const right = { right: true, outdated: false };
const outdated = { right: true, outdated: true };
const wrong = { right: false, outdated: false };

describe('a password', () => {
  test('is right where it is the same text, with the same pepper, however its letters are composed', async () => {
    const hash = await hashPassword(word, pepper);
    expect(hash).toMatch(/^scrypt\$[0-9a-f]{8}\$14,8,5\$/);
    expect(await verifyPassword(word.normalize('NFD'), hash, pepper)).toEqual(right);
    expect(await verifyPassword(`${word} `, hash, pepper)).toEqual(wrong);
    expect(await verifyPassword(word, hash, 'another')).toEqual(wrong);
    expect(await verifyPassword(word, null, pepper)).toEqual(wrong);
  });

  test('that was hashed at a lower cost is outdated', async () => {
    const hash = await hashPassword(word, pepper, { ln: 13, r: 8, p: 5 });
    expect(await verifyPassword(word, hash, pepper)).toEqual(outdated);
    expect(await verifyPassword('Wrong 1', hash, pepper)).toEqual(wrong);
  });

  test('stays right under a new pepper while the old one stands behind it, and is then hashed with the new one', async () => {
    const old = await hashPassword(word, pepper);
    const both = `a newer one, ${pepper}`;
    expect(await verifyPassword(word, old, both)).toEqual(outdated);
    expect(await verifyPassword(word, old, 'a newer one')).toEqual(wrong);
    const anew = await hashPassword(word, both);
    expect(await verifyPassword(word, anew, 'a newer one')).toEqual(right);
    expect(await verifyPassword(word, anew, `the newest, ${both}`)).toEqual(outdated);
    // As it was stored before a hash named its pepper.
    expect(await verifyPassword(word, old.replace(/^scrypt\$\w+/, 'scrypt$1'), both)).toEqual(outdated);
  });

  test('of another pepper opens no link less: those hang on the last, which was there first', () => {
    expect(linksBy(`a newer one, ${pepper}`).keyOf('seed')).toBe(linksBy(pepper).keyOf('seed'));
    expect(linksBy('a newer one').keyOf('seed')).not.toBe(linksBy(pepper).keyOf('seed'));
  });
});

test('a login hashes anew what is outdated, and nothing else', async () => {
  const { db } = await newBook();
  const logInWith = async (verdict: typeof right) => {
    const passwords: Passwords = { hash: async () => 'anew', verify: async () => verdict };
    const given = { username: 'guest', password: word };
    await logIn(db, passwords, linksBy(pepper), given, { now: start, origin: null });
    return stored('SELECT username, password_hash AS hash FROM accounts ORDER BY username');
  };
  const host = { username: 'host', hash: 'none' };
  expect(await logInWith(right)).toEqual([{ username: 'guest', hash: 'none' }, host]);
  expect(await logInWith(outdated)).toEqual([{ username: 'guest', hash: 'anew' }, host]);
});

test('hashing in a Durable Object lets twelve wait, and sends away whoever comes beyond', async () => {
  const object = env.HASHERS.get(env.HASHERS.idFromName('0'));
  const many = await Promise.all(Array.from({ length: 20 }, () => object.verify('Wrong 1', null)));
  expect(many.filter((verdict) => verdict === null).length).toBeGreaterThan(0);
  expect(many.filter((verdict) => verdict?.right === false).length).toBeGreaterThanOrEqual(13);
});

test('hashing that fails is tried once more, unless the object has too much to do', async () => {
  /** Each try is answered by the next of these. */
  const by = (...tries: (() => Promise<typeof right | null>)[]) =>
    passwordsBy(() => ({ hash: async () => null, verify: () => tries.shift()?.() ?? Promise.resolve(null) }));
  const succeed = async () => right;
  const fail = () => Promise.reject(new Error('reset'));
  const overload = () => Promise.reject(Object.assign(new Error('Too many requests queued.'), { overloaded: true }));
  expect(await by(fail, succeed).verify('', null)).toEqual(right);
  await expect(by(fail, fail, succeed).verify('', null)).rejects.toThrow(Unavailable);
  await expect(by(overload, succeed).verify('', null)).rejects.toMatchObject({ code: 'busy' });
  await expect(by(fail, overload).verify('', null)).rejects.toMatchObject({ code: 'busy', retryAfter: 3 });
  await expect(by().hash('')).rejects.toMatchObject({ code: 'busy' });
});
