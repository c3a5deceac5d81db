import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import { accountCalls, consumer } from '../../support/account-calls';
import { expectConsoleError } from '../../support/console';
import { password, registerConsumer, several } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { typedIn } from '../../support/visit';

const before = readFileSync(join(root, 'test/support/failing-hashers.mjs'), 'utf8');
// A fifth of what a password should cost: enough that those who come at once have to wait.
const daybook = useServer({ before, passwordCost: { ln: 14, r: 8, p: 1 } });
const { register, logIn } = accountCalls(daybook);

const full = { 'x-hashing': 'full' };
const tooMany = 'Many people are logging in at this moment. Please try again in a few seconds.';

describe('where many log in at once', () => {
  test('nobody loses the connection, and other pages are answered meanwhile', async () => {
    let isOver = false;
    const logins = several(80, (place) => logIn({ username: `nobody${place}`, password })).finally(() => {
      isOver = true;
    });
    let pages = 0;
    for (; !isOver; pages++) expect((await daybook.visitor().get('/login')).status).toBe(200);
    // The last one may have come after them.
    expect(pages).toBeGreaterThan(2);
    const answered = await logins;
    expect(answered.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(50);
    for (const { status, json, headers } of answered) {
      if (status === 401) continue;
      expect([status, json, headers.get('retry-after')]).toEqual([503, tooMany, '3']);
    }
  });

  test('whoever comes too late is told so, keeps what they typed, and is not half registered', async () => {
    const { username } = await registerConsumer(daybook);
    const answered = await logIn({ username, password }, daybook.visitor(), full);
    expect([answered.status, answered.json, answered.headers.get('retry-after')]).toEqual([503, tooMany, '3']);
    const page = await daybook.visitor().post('/login', { username, password }, full);
    expect([page.status, page.words, typedIn(page, 'username')]).toEqual([
      503,
      expect.stringContaining(tooMany),
      username,
    ]);
    expect((await daybook.visitor().post('/login', { username, password })).status).toBe(303);
    const person = consumer();
    expect([(await register(person, full)).status, (await register(person)).status]).toEqual([503, 201]);
  });
});

describe('hashing that fails', () => {
  test('is a 503 where it fails again, and nothing is done', async () => {
    expectConsoleError(/hashing unavailable/);
    const twice = { 'x-hashing': '2' };
    const person = consumer();
    const answered = await register(person, twice);
    expect([answered.status, answered.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await register(person)).status).toBe(201);
    const page = await daybook.visitor().post('/login', person, twice);
    expect([page.status, typedIn(page, 'username')]).toEqual([503, person.username]);
  });
});
