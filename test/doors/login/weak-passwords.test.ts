import { describe, expect, test } from 'vitest';
import { demoLogins } from '../../../app/local/demo/book';
import { accountCalls, consumer } from '../../support/account-calls';
import { complaints } from '../../support/complaints';
import { password, peopleAt } from '../../support/factories';
import { useServer } from '../../support/use-server';

/* Passwords that satisfy the rules for characters and are guessed first all the same. */

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { register } = accountCalls(daybook);

const mostUsed = 'Password is one of the most used ones. Choose another.';
const product = 'Password is hardly more than the name Daybook. Choose another.';
const username = 'Password is hardly more than your username. Choose another.';
const name = 'Password is hardly more than your name. Choose another.';

let people = 0;
/** Names that nobody else has, of letters alone. */
const newNames = () => {
  const ending = [...String(++people)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  return { username: `ana.costa${ending}`, displayName: `Mrs Dragonfly ${ending}` };
};
type Names = ReturnType<typeof newNames>;
const guessable: [what: string, word: (names: Names) => string, complaint: string][] = [
  ['that is one of the most used', () => 'Password1', mostUsed],
  ['that is one of the most used, in capitals', () => 'QWERTY123', mostUsed],
  ['that is at the end of the list', () => 'Qazwsx1234', mostUsed],
  ['that many use since', () => 'Welcome@123', mostUsed],
  ['that is the product’s name', () => 'Daybook-2026', product],
  ['that is hardly more than the product’s name', () => 'MyDaybook2', product],
  ['that is the username', (names) => `${names.username.toUpperCase()}-1990`, username],
  ['that is the name', (names) => `7 ${names.displayName}!`, name],
];

describe.each(guessable)('a password %s', (_, wordOf, complaint) => {
  test('is refused to a new account, beside whatever else is wrong', async () => {
    const names = newNames();
    const word = wordOf(names);
    expect(complaints(await register({ ...consumer(), ...names, password: word }))).toEqual([complaint]);
    const worse = await register({ ...consumer(), ...names, password: word, timeZone: 'Nowhere' });
    expect(complaints(worse)).toHaveLength(2);
    expect(complaints(worse)).toContain(complaint);
  });

  test('is refused where a password is changed, beside its field', async () => {
    const names = newNames();
    const { browser } = await newConsumer(names);
    const page = await browser.post('/profile', { intent: 'password', password, newPassword: wordOf(names) });
    expect([page.status, page.words]).toEqual([400, expect.stringContaining(complaint)]);
    expect(page.$('[name=newPassword]')?.getAttribute('aria-invalid')).toBe('true');
  });

  test('is refused where a lost one is set anew, and the code stays good', async () => {
    const names = newNames();
    const { api } = await newConsumer(names);
    const [code] = (await api('POST', '/api/Account/MakeRecoveryCodes', { password })).json as string[];
    const reset = (word: string) =>
      daybook.visitor().api('PUT', '/api/Account/ResetPassword', { username: names.username, code, password: word });
    expect(complaints(await reset(wordOf(names)))).toEqual([complaint]);
    expect((await reset('Better horse 2')).status).toBe(200);
  });
});

test.each([
  ['a word that many use, among others', { username: 'tests', displayName: 'Test Person' }, 'My Password1 and more'],
  ['a name that is a word by chance', { username: 'ana', displayName: 'Al' }, 'Banana 1990'],
  ['a name among other words', { username: 'costa', displayName: 'Ana Dragonfly' }, 'Costa brava 7'],
  ['a part of a name', { username: 'dragon', displayName: 'Test Provider' }, 'Provider-77'],
  ['the product among other words', { username: 'books', displayName: 'Ann' }, 'Daybook-test-1'],
  ['the password of the demo', { username: 'sun', displayName: 'Sun' }, demoLogins[0]?.password ?? ''],
])('a password with %s is taken', async (_, names, word) => {
  const named = { ...names, username: `${names.username}${++people}` };
  expect((await register({ ...consumer(), ...named, password: word })).status).toBe(201);
});
