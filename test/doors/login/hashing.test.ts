import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import { accountCalls, consumer } from '../../support/account-calls';
import { expectConsoleError } from '../../support/console';
import { password, several } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { type ApiResponse, type Page, typedIn } from '../../support/visit';

const before = readFileSync(join(root, 'test/support/failing-hashers.mjs'), 'utf8');
// A fifth of what a password should cost: enough that those who come at once have to wait.
const daybook = useServer({ before, passwordCost: { ln: 14, r: 8, p: 1 } });
const { register, logIn } = accountCalls(daybook);

const tooMany = 'Many people are logging in at this moment. Please try again in a few seconds.';

describe('while many log in at once', () => {
  let logins: ApiResponse[];
  const pages: Page[] = [];
  beforeAll(async () => {
    let isOver = false;
    const responses = several(80, (place) => logIn({ username: `nobody${place}`, password })).finally(() => {
      isOver = true;
    });
    while (!isOver) pages.push(await daybook.visitor().get('/login'));
    logins = await responses;
  });

  test('other pages are answered', () => {
    // The last one may have come after them.
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('nobody loses the connection', () => {
    expect(logins.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(50);
  });

  test('those who can’t wait are asked to come back', () => {
    for (const { status, json, headers } of logins.filter((login) => login.status !== 401)) {
      expect(status).toBe(503);
      expect(json).toBe(tooMany);
      expect(headers.get('retry-after')).toBe('3');
    }
  });
});

describe.each([
  ['there is too much to do', 'full', tooMany, '3'],
  ['hashing fails twice', '2', 'This does not work right now. Nothing was changed. Please try again in a moment.', '5'],
])('where %s', (_, hashing, message, seconds) => {
  const failing = { 'x-hashing': hashing };
  const expectNoise = () => {
    if (hashing === '2') expectConsoleError(/hashing unavailable/);
  };

  test('a call is a 503, which says when to come back', async () => {
    expectNoise();

    const { status, json, headers } = await register(consumer(), failing);

    expect(status).toBe(503);
    expect(json).toBe(message);
    expect(headers.get('retry-after')).toBe(seconds);
  });

  test('nobody is registered', async () => {
    expectNoise();
    const person = consumer();
    await register(person, failing);

    const { status } = await register(person);

    expect(status).toBe(201);
  });

  describe('the login', () => {
    const person = consumer();
    beforeAll(() => register(person));

    test('is a 503, which says when to come back', async () => {
      expectNoise();

      const page = await daybook.visitor().post('/login', person, failing);

      expect(page.status).toBe(503);
      expect(page.words).toContain(message);
      expect(page.headers.get('retry-after')).toBe(seconds);
    });

    test('keeps what was typed', async () => {
      expectNoise();

      const page = await daybook.visitor().post('/login', person, failing);

      expect(typedIn(page, 'username')).toBe(person.username);
    });

    test('works once hashing does', async () => {
      expectNoise();
      await daybook.visitor().post('/login', person, failing);

      const page = await daybook.visitor().post('/login', person);

      expect(page.status).toBe(303);
    });
  });
});
