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
const hardlyMore = (than: string) => `Password is hardly more than ${than}. Choose another.`;

test.each([
  ['is one of the most used', 'Password1', mostUsed],
  ['is at the end of the list', 'Qazwsx1234', mostUsed],
  ['many use since', 'Welcome@123', mostUsed],
  ['is hardly more than the product’s name', 'MyDaybook2', hardlyMore('the name Daybook')],
  ['is the username', 'ANA.COSTA-1990', hardlyMore('your username')],
  ['is the name', '7 Mrs Dragonfly!', hardlyMore('your name')],
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
  for (const word of ['Password1', 'Daybook-2026', 'BEA.ROCHA-1990', '7 Mr Damselfly!']) {
    const page = await browser.post('/profile', { intent: 'password', password, newPassword: word });
    expect([page.status, page.$('[name=newPassword]')?.getAttribute('aria-invalid')]).toEqual([400, 'true']);
    const [complaint = '', ...others] = complaints(await reset(word));
    expect([page.words, others]).toEqual([expect.stringContaining(complaint), []]);
  }
  expect((await reset('Better horse 2')).status).toBe(200);
});
