import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountCalls, consumer, profileOf } from '../../support/account-calls';
import { complaints } from '../../support/complaints';
import { type Person, password, peopleAt } from '../../support/factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { register, logIn } = accountCalls(daybook);
const provider = (details: object = {}) => consumer({ role: 'Provider', location: 'Lisbon', ...details });

describe('registering', () => {
  const unsaid = {
    location: null,
    description: null,
    payLink: null,
    payTo: null,
    address: null,
    phone: null,
    email: null,
    lang: null,
    isGuest: false,
  };

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
  ])('makes %s', async (_, details, kept) => {
    const { status, json } = await register(details);

    expect(status).toBe(201);
    expect(json).toStrictEqual({ ...unsaid, role: 'Provider', timeZone: 'UTC', ...kept });
  });

  test.each([
    ['a consumer', consumer()],
    ['a provider', provider()],
  ])('logs %s in', async (_, details) => {
    const browser = daybook.visitor();

    const { json } = await register(details, {}, browser);

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

    const refused = await register(person);

    expect(complaints(refused)).toEqual(broken.map((rule) => expect.stringMatching(rule)));
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

  test.each(['Ab_-.9', 'a1.', 'M'.repeat(32)])('keeps a username as typed: %s', async (username) => {
    const { json } = await register(consumer({ username }));

    expect(json).toMatchObject({ username });
  });

  test.each([
    ['of two letters', 'ab'],
    ['of 33', 'x'.repeat(33)],
    ['with a space', 'with space'],
    ['with other letters', 'ünï'],
    ['left out', undefined],
    ['that is a number', 123456],
  ])('refuses a username %s', async (_, username) => {
    const refused = await register(consumer({ username }));

    expect(complaints(refused)).toEqual([expect.stringMatching(/username/i)]);
  });

  test('refuses a username that is taken, in any case', async () => {
    await newConsumer({ username: 'Taken.Name' });

    const refused = await register(consumer({ username: ' TAKEN.NAME ' }));

    expect(complaints(refused, 409)).toHaveLength(1);
  });

  describe('with a taken username, a weak password and no name', () => {
    let wrong: ReturnType<typeof consumer>;
    const expected = [/name is missing/, /8 characters/, /capital letter/, /"ilka.taken" is already taken/].map(
      (words) => expect.stringMatching(words),
    );
    beforeAll(async () => {
      await newConsumer({ username: 'Ilka.Taken' });
      wrong = consumer({ username: 'ilka.taken', password: 'short1', displayName: '' });
    });

    test('names all of it', async () => {
      expect(complaints(await register(wrong))).toEqual(expected);
    });

    test('names all of it on the screen', async () => {
      const page = await daybook.visitor().post('/register', wrong);

      expect(page.$$('dialog li').map(({ text }) => text)).toEqual(expected);
      expect(page.$('[name=username]')?.getAttribute('aria-invalid')).toBe('true');
    });
  });

  test.each([
    ['a blank name', { displayName: '   ' }],
    ['no city', { location: undefined }],
    ['a zone that there is not', { timeZone: 'Mars/Olympus' }],
    ['an offset for a zone', { timeZone: '+02:00' }],
    ['another role', { role: 'Admin' }],
    ['a list of roles', { role: ['Consumer'] }],
  ])('refuses a provider with %s', async (_, details) => {
    const refused = await register(provider(details));

    expect(complaints(refused)).toHaveLength(1);
  });

  test('names every fault at once', async () => {
    const refused = await register({ role: 'Provider', password: 'x', timeZone: 'Nowhere' });

    // In the order of the form; three are rules of the password.
    const about = ['Full name', 'Username', 'City', 'time zone', 'at least 8', 'capital', 'number'];
    expect(complaints(refused)).toEqual(about.map((words) => expect.stringContaining(words)));
  });

  describe('in a city', () => {
    const lowerFirst = '\u00e9VORA';
    beforeAll(async () => {
      const { username } = await newProvider();
      complaints(await register(provider({ username, location: lowerFirst })), 409);
    });

    test.each(['\u00c9vora', lowerFirst, 'E\u0301vora '])(
      'spells it as the first who was not refused: %s',
      async (location) => {
        const { json } = await register(provider({ location }));

        expect(json).toMatchObject({ location: '\u00c9vora' });
      },
    );
  });
});

describe('a weak password', () => {
  const weak = ['Password1', 'Daybook-2026', 'BEA.ROCHA-1990', '7 Mr Damselfly!'];

  let bea: Person;
  let code: string;
  const reset = (word: string) =>
    bea.api('PUT', '/api/Account/ResetPassword', { username: bea.username, code, password: word });
  beforeAll(async () => {
    bea = await newConsumer({ username: 'bea.rocha', displayName: 'Mr Damselfly' });
    [code = ''] = (await bea.api('POST', '/api/Account/MakeRecoveryCodes', { password })).json as string[];
  });

  test.each(weak)('is refused by the form that changes it: %s', async (word) => {
    const page = await bea.browser.post('/profile', { intent: 'password', password, newPassword: word });

    expect(page.status).toBe(400);
    expect(page.$('[name=newPassword]')?.getAttribute('aria-invalid')).toBe('true');
  });

  test.each(weak)('is refused in place of a lost one, in the words of that form: %s', async (word) => {
    const page = await bea.browser.post('/profile', { intent: 'password', password, newPassword: word });

    const [complaint = '', ...others] = complaints(await reset(word));

    expect(page.words).toContain(complaint);
    expect(others).toEqual([]);
  });

  test('leaves the code good that was sent with it', async () => {
    for (const word of weak) await reset(word);

    const { status } = await reset('Better horse 2');

    expect(status).toBe(200);
  });
});

describe('reminders', () => {
  let ana: Person;
  beforeEach(async () => {
    ana = await newProvider();
  });

  const chosenTimes = async () => (await ana.api('GET', '/api/Account/GetReminders')).json;
  const choose = (reminders: unknown) => ana.api('PUT', '/api/Account/SetReminders', { reminders });

  test('go out a day before, unless chosen otherwise', async () => {
    expect(await chosenTimes()).toEqual({ reminders: [1440] });
  });

  test('are chosen in any order, each once', async () => {
    await choose([60, 20_160, 1440, 60]);

    expect(await chosenTimes()).toEqual({ reminders: [20_160, 1440, 60] });
  });

  test('stay as they are where nothing is said of them', async () => {
    await choose([60]);

    await choose(undefined);

    expect(await chosenTimes()).toEqual({ reminders: [60] });
  });

  test('can be switched off', async () => {
    const { json } = await choose([]);

    expect(json).toEqual({ reminders: [] });
  });

  test.each([
    ['less than an hour before', [59]],
    ['more than two weeks before', [20_161]],
    ['four times', [60, 61, 62, 63]],
    ['at half a minute', [90.5]],
    ['by a text', '60'],
  ])('are refused %s', async (_, reminders) => {
    const refused = await choose(reminders);

    complaints(refused);
    expect(await chosenTimes()).toEqual({ reminders: [1440] });
  });

  test('of a refused form stand in it as they were chosen', async () => {
    const rules = await ana.browser.visit('/rules');

    const refused = await rules.submit('Save rules', { reminders: ['60', '120', '240', '720'] });

    expect(refused.status).toBe(400);
    expect(refused.$$('[name=reminders][checked]')).toHaveLength(4);
  });

  test('are chosen on the screen, where a refused form is corrected', async () => {
    const rules = await ana.browser.visit('/rules');
    const refused = await rules.submit('Save rules', { reminders: ['60', '120', '240', '720'] });

    await refused.submit('Save rules', { reminders: ['60', '2880'] });

    expect(await chosenTimes()).toEqual({ reminders: [2880, 60] });
  });
});
