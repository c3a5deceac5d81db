import { describe, expect, test } from 'vitest';
import { accountCalls, consumer, profileOf } from '../../support/account-calls';
import { complaints } from '../../support/complaints';
import { password, peopleAt } from '../../support/factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { register, logIn } = accountCalls(daybook);
const provider = (details: object = {}) => consumer({ role: 'Provider', location: 'Lisbon', ...details });

describe('registering', () => {
  const unsaid = { location: null, description: null, address: null, phone: null, email: null, isGuest: false };

  test.each([
    [
      'a consumer, without what only a provider has',
      consumer({ username: 'Maya_L', timeZone: 'Europe/Oslo', location: 'Lisbon', description: 'Nothing' }),
      { username: 'Maya_L', displayName: 'Maya Lindqvist', role: 'Consumer', timeZone: 'Europe/Oslo' },
    ],
    [
      'a provider, whose texts are kept in NFC and without outer spaces',
      provider({
        username: ' sousa ',
        displayName: '\n Jose\u0301 ',
        location: ' E\u0301vora\u00a0',
        description: ' A\r\nB ',
      }),
      { username: 'sousa', displayName: 'Jos\u00e9', location: '\u00c9vora', description: 'A\nB' },
    ],
    [
      'a provider of a role in any case, by another word for the name',
      provider({ username: 'june', displayName: undefined, name: 'June Okafor', role: 'PROVIDER' }),
      { username: 'june', displayName: 'June Okafor', location: 'Lisbon' },
    ],
  ])('makes %s, and logs them in', async (_, details, kept) => {
    const browser = daybook.visitor();
    const { status, json } = await register(details, {}, browser);
    expect([status, json]).toStrictEqual([201, { ...unsaid, role: 'Provider', timeZone: 'UTC', ...kept }]);
    expect(await profileOf(browser)).toStrictEqual(json);
  });

  test.each([
    ['too short', 'Short1', [/at least 8/]],
    ['without a capital', 'no capital 1', [/capital/]],
    ['without a number', 'No number', [/number/]],
    ['that is empty', '', [/at least 8/, /capital/, /number/]],
    ['too long', `Aa1${'x'.repeat(126)}`, [/at most 128/]],
    ['that is one of the most used', 'Password1', [/one of the most used/]],
    ['at the end of the list of these', 'Qazwsx1234', [/one of the most used/]],
    ['that many use since', 'Welcome@123', [/one of the most used/]],
    ['of hardly more than the product’s name', 'MyDaybook2', [/hardly more than the name Daybook/]],
    ['of the username', 'ANA.COSTA-1990', [/hardly more than your username/]],
    ['of the name', '7 Mrs Dragonfly!', [/hardly more than your name/]],
  ])('says each rule that is broken by a password %s', async (_, word, broken) => {
    const person = consumer({ username: 'ana.costa', displayName: 'Mrs Dragonfly', password: word });
    expect(complaints(await register(person))).toEqual(broken.map((rule) => expect.stringMatching(rule)));
  });

  test.each([
    ['shortest', 'Quartz7x'],
    ['longest', `A1${'x'.repeat(126)}`],
    ['outer spaces', '  Späces 1  '],
  ])('takes a password as it is: %s', async (_, word) => {
    const account = consumer({ password: word });
    expect((await register(account)).status).toBe(201);
    expect((await logIn(account)).status).toBe(200);
    expect((await logIn({ ...account, password: `${word} ` })).status).toBe(401);
  });

  test('keeps a username as typed, of 3 to 32 plain letters', async () => {
    for (const username of ['Ab_-.9', 'a1.', 'M'.repeat(32)]) {
      expect((await register(consumer({ username }))).json).toMatchObject({ username });
    }
    for (const username of ['ab', 'x'.repeat(33), 'with space', 'ünï', undefined, 123456]) {
      expect(complaints(await register(consumer({ username })))).toEqual([expect.stringMatching(/username/i)]);
    }
  });

  test('refuses a username that is taken, in any case, together with all else that is wrong, on the screen too', async () => {
    await newConsumer({ username: 'Taken.Name' });
    expect(complaints(await register(consumer({ username: ' TAKEN.NAME ' })), 409)).toHaveLength(1);
    const wrong = consumer({ username: 'taken.name', password: 'short1', displayName: '' });
    const said = [/name is missing/, /8 characters/, /capital letter/, /"taken.name" is already taken/];
    const expected = said.map((words) => expect.stringMatching(words));
    expect(complaints(await register(wrong))).toEqual(expected);
    const page = await daybook.visitor().post('/register', wrong as Record<string, string>);
    expect(page.$$('dialog li').map(({ text }) => text)).toEqual(expected);
    expect(page.$('[name=username]')?.getAttribute('aria-invalid')).toBe('true');
  });

  test.each([
    ['a blank name', { displayName: '   ' }],
    ['no city', { location: undefined }],
    ['a zone that there is not', { timeZone: 'Mars/Olympus' }],
    ['an offset for a zone', { timeZone: '+02:00' }],
    ['another role', { role: 'Admin' }],
    ['a list of roles', { role: ['Consumer'] }],
  ])('refuses a provider with %s', async (_, details) => {
    expect(complaints(await register(provider(details)))).toHaveLength(1);
  });

  test('names every fault at once', async () => {
    // In the order of the form; three are rules of the password.
    const about = ['Full name', 'Username', 'City', 'time zone', 'at least 8', 'capital', 'number'];
    const messages = complaints(await register({ role: 'Provider', password: 'x', timeZone: 'Nowhere' }));
    expect(messages).toEqual(about.map((words) => expect.stringContaining(words)));
  });

  test('spells a city as it was first registered, by nobody who is refused', async () => {
    const { username } = await newProvider();
    complaints(await register(provider({ username, location: '\u00e9VORA' })), 409);
    for (const location of ['\u00c9vora', '\u00e9VORA', 'E\u0301vora ']) {
      expect((await register(provider({ location }))).json).toMatchObject({ location: '\u00c9vora' });
    }
  });
});

test('nobody changes their password to a weak one, nor sets a lost one anew so, which leaves the code good', async () => {
  const { username, browser, api } = await newConsumer({ username: 'bea.rocha', displayName: 'Mr Damselfly' });
  const [code] = (await api('POST', '/api/Account/MakeRecoveryCodes', { password })).json as string[];
  const reset = (word: string) => api('PUT', '/api/Account/ResetPassword', { username, code, password: word });
  for (const word of ['Password1', 'Daybook-2026', 'BEA.ROCHA-1990', '7 Mr Damselfly!']) {
    const page = await browser.post('/profile', { intent: 'password', password, newPassword: word });
    expect([page.status, page.$('[name=newPassword]')?.getAttribute('aria-invalid')]).toEqual([400, 'true']);
    const [complaint = '', ...others] = complaints(await reset(word));
    expect([page.words, others]).toEqual([expect.stringContaining(complaint), []]);
  }
  expect((await reset('Better horse 2')).status).toBe(200);
});

test('people are reminded a day before, until the provider chooses up to three other times, or none', async () => {
  const { browser, api } = await newProvider();
  const chosen = async () => (await api('GET', '/api/Account/GetReminders')).json;
  const choose = (reminders: unknown) => api('PUT', '/api/Account/SetReminders', { reminders });
  expect(await chosen()).toEqual({ reminders: [1440] });
  for (const given of [[60, 20_160, 1440, 60], undefined]) await choose(given);
  for (const wrong of [[59], [20_161], [60, 61, 62, 63], [90.5], '60']) complaints(await choose(wrong));
  expect(await chosen()).toEqual({ reminders: [20_160, 1440, 60] });
  const rules = await browser.visit('/rules');
  const refused = await rules.submit('Save rules', { reminders: ['60', '120', '240', '720'] });
  expect([refused.status, refused.$$('[name=reminders][checked]').length]).toEqual([400, 4]);
  await refused.submit('Save rules', { reminders: ['60', '2880'] });
  expect(await chosen()).toEqual({ reminders: [2880, 60] });
  expect((await choose([])).json).toEqual({ reminders: [] });
});
