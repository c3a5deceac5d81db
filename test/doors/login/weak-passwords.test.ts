import { expect, test } from 'vitest';
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

test.each([
  ['is one of the most used', 'Password1', mostUsed],
  ['is one of the most used, in capitals', 'QWERTY123', mostUsed],
  ['is at the end of the list', 'Qazwsx1234', mostUsed],
  ['many use since', 'Welcome@123', mostUsed],
  ['is the product’s name', 'Daybook-2026', product],
  ['is hardly more than the product’s name', 'MyDaybook2', product],
  ['is the username', 'ANA.COSTA-1990', username],
  ['is the name', '7 Mrs Dragonfly!', name],
])('a password that %s is refused to a new account, beside whatever else is wrong', async (_, word, complaint) => {
  const wrong = { ...consumer(), username: 'ana.costa', displayName: 'Mrs Dragonfly', password: word };
  expect(complaints(await register(wrong))).toEqual([complaint]);
  const worse = complaints(await register({ ...wrong, timeZone: 'Nowhere' }));
  expect([worse.length, worse.includes(complaint)]).toEqual([2, true]);
});

test('nobody changes their password to such a one, nor sets a lost one anew so, which leaves the code good', async () => {
  const { browser, api } = await newConsumer({ username: 'bea.rocha', displayName: 'Mr Damselfly' });
  const [code] = (await api('POST', '/api/Account/MakeRecoveryCodes', { password })).json as string[];
  const reset = (word: string) =>
    daybook.visitor().api('PUT', '/api/Account/ResetPassword', { username: 'bea.rocha', code, password: word });
  for (const [word, complaint] of [
    ['Password1', mostUsed],
    ['Daybook-2026', product],
    ['BEA.ROCHA-1990', username],
    ['7 Mr Damselfly!', name],
  ] as const) {
    const page = await browser.post('/profile', { intent: 'password', password, newPassword: word });
    expect([page.status, page.words]).toEqual([400, expect.stringContaining(complaint)]);
    expect(page.$('[name=newPassword]')?.getAttribute('aria-invalid')).toBe('true');
    expect(complaints(await reset(word))).toEqual([complaint]);
  }
  expect((await reset('Better horse 2')).status).toBe(200);
});
