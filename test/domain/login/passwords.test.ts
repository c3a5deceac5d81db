import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, test } from 'vitest';
import { Unavailable } from '../../../app/domain/errors';
import { linksBy } from '../../../app/domain/links.server';
import { passwordsBy } from '../../../app/domain/login/hashing.server';
import { logIn } from '../../../app/domain/login/log-in.server';
import { hashPassword, type Passwords, type Verdict, verifyPassword } from '../../../app/domain/login/passwords.server';
import { newBook, start, stored } from '../../support/history';

const pepper = 'a pepper of the test';
const word = 'Ångström 1';

const right: Verdict = { right: true, outdated: false };
const outdated: Verdict = { right: true, outdated: true };
const wrong: Verdict = { right: false, outdated: false };

describe('a password', () => {
  let hash: string;
  beforeAll(async () => {
    hash = await hashPassword(word, pepper);
  });

  test('is hashed at the full cost', () => {
    expect(hash).toMatch(/^scrypt\$[0-9a-f]{8}\$14,8,5\$/);
  });

  test('is right however its letters are composed', async () => {
    expect(await verifyPassword(word.normalize('NFD'), hash, pepper)).toEqual(right);
  });

  test('is wrong with another letter', async () => {
    expect(await verifyPassword(`${word} `, hash, pepper)).toEqual(wrong);
  });

  test('is wrong with another pepper', async () => {
    expect(await verifyPassword(word, hash, 'another')).toEqual(wrong);
  });

  test('is wrong where there is none', async () => {
    expect(await verifyPassword(word, null, pepper)).toEqual(wrong);
  });

  test('that was hashed at a lower cost is outdated', async () => {
    const cheap = await hashPassword(word, pepper, { ln: 13, r: 8, p: 5 });

    expect(await verifyPassword(word, cheap, pepper)).toEqual(outdated);
    expect(await verifyPassword('Wrong 1', cheap, pepper)).toEqual(wrong);
  });
});

describe('a new pepper', () => {
  const both = `a newer one, ${pepper}`;
  let hash: string;
  let hashAnew: string;
  beforeAll(async () => {
    hash = await hashPassword(word, pepper);
    hashAnew = await hashPassword(word, both);
  });

  test('leaves passwords right while the old one stands behind it', async () => {
    expect(await verifyPassword(word, hash, both)).toEqual(outdated);
    expect(await verifyPassword(word, hash, 'a newer one')).toEqual(wrong);
  });

  test('is what passwords are hashed with', async () => {
    expect(await verifyPassword(word, hashAnew, 'a newer one')).toEqual(right);
  });

  test('of three outdates what the second has hashed', async () => {
    expect(await verifyPassword(word, hashAnew, `the newest, ${both}`)).toEqual(outdated);
  });

  test('leaves a hash right that does not name its pepper yet', async () => {
    const unnamed = hash.replace(/^scrypt\$\w+/, 'scrypt$1');
    expect(await verifyPassword(word, unnamed, both)).toEqual(outdated);
  });

  test('leaves the keys of links, which hang on the last', () => {
    expect(linksBy(both).keyOf('seed')).toBe(linksBy(pepper).keyOf('seed'));
    expect(linksBy('a newer one').keyOf('seed')).not.toBe(linksBy(pepper).keyOf('seed'));
  });
});

describe('a login', () => {
  /** The hashes of all after the guest has logged in, where 'anew' is a new one. */
  async function hashesAfter(verdict: Verdict) {
    const { db } = await newBook();
    const passwords: Passwords = { hash: async () => 'anew', verify: async () => verdict };
    const given = { username: 'guest', password: word };
    await logIn(db, passwords, linksBy(pepper), given, { now: start, origin: null });
    return stored('SELECT username, password_hash AS hash FROM accounts ORDER BY username');
  }

  test('leaves a hash as it is', async () => {
    expect(await hashesAfter(right)).toEqual([
      { username: 'guest', hash: 'none' },
      { username: 'host', hash: 'none' },
    ]);
  });

  test('replaces its own hash that is outdated', async () => {
    expect(await hashesAfter(outdated)).toEqual([
      { username: 'guest', hash: 'anew' },
      { username: 'host', hash: 'none' },
    ]);
  });
});

test('hashing in a Durable Object lets twelve wait, and sends away whoever comes beyond', async () => {
  const object = env.HASHERS.get(env.HASHERS.idFromName('0'));

  const verdicts = await Promise.all(Array.from({ length: 20 }, () => object.verify('Wrong 1', null)));

  const sentAway = verdicts.filter((verdict) => verdict === null);
  const answered = verdicts.filter((verdict) => verdict?.right === false);
  expect(sentAway.length).toBeGreaterThan(0);
  expect(answered.length).toBeGreaterThanOrEqual(13);
});

describe('hashing that fails', () => {
  /** Each try is answered by the next of these; after them there is too much to do. */
  const passwordsAfter = (...tries: (() => Promise<Verdict | null>)[]) =>
    passwordsBy(() => ({ hash: async () => null, verify: () => tries.shift()?.() ?? Promise.resolve(null) }));
  const succeed = async () => right;
  const fail = () => Promise.reject(new Error('reset'));
  const overload = () => Promise.reject(Object.assign(new Error('Too many requests queued.'), { overloaded: true }));

  test('is tried once more', async () => {
    expect(await passwordsAfter(fail, succeed).verify('', null)).toEqual(right);
  });

  test('twice is not tried again', async () => {
    await expect(passwordsAfter(fail, fail, succeed).verify('', null)).rejects.toThrow(Unavailable);
  });

  test('is not tried again where there is too much to do', async () => {
    await expect(passwordsAfter(overload, succeed).verify('', null)).rejects.toMatchObject({ code: 'busy' });
  });

  test('says when to come back where there is too much to do the second time', async () => {
    await expect(passwordsAfter(fail, overload).verify('', null)).rejects.toMatchObject({
      code: 'busy',
      retryAfter: 3,
    });
  });

  test('says the same of a new password', async () => {
    await expect(passwordsAfter().hash('')).rejects.toMatchObject({ code: 'busy' });
  });
});
