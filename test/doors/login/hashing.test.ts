import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import { accountCalls, consumer } from '../../support/account-calls';
import { expectConsoleError } from '../../support/console';
import { password, several } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { typedIn } from '../../support/visit';

const before = readFileSync(join(root, 'test/support/failing-hashers.mjs'), 'utf8');
// A fifth of what a password should cost: enough that those who come at once have to wait.
const daybook = useServer({ before, passwordCost: { ln: 14, r: 8, p: 1 } });
const { register, logIn } = accountCalls(daybook);

const tooMany = 'Many people are logging in at this moment. Please try again in a few seconds.';

test('where many log in at once nobody loses the connection, and other pages are answered meanwhile', async () => {
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
    if (status !== 401) expect([status, json, headers.get('retry-after')]).toEqual([503, tooMany, '3']);
  }
});

test.each([
  ['there is too much to do', 'full', tooMany, '3'],
  ['hashing fails twice', '2', 'This does not work right now. Nothing was changed. Please try again in a moment.', '5'],
])('where %s is a 503, which keeps what was typed, and nothing is done', async (_, given, words, seconds) => {
  if (given === '2') expectConsoleError(/hashing unavailable/);
  const [person, sent] = [consumer(), { 'x-hashing': given }];
  const { status, json, headers } = await register(person, sent);
  expect([status, json, headers.get('retry-after')]).toEqual([503, words, seconds]);
  expect((await register(person)).status).toBe(201);
  const page = await daybook.visitor().post('/login', person, sent);
  expect([page.status, page.headers.get('retry-after'), typedIn(page, 'username')]).toEqual([
    503,
    seconds,
    person.username,
  ]);
  expect(page.words).toContain(words);
  expect((await daybook.visitor().post('/login', person)).status).toBe(303);
});
