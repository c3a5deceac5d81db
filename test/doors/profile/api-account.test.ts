import { describe, expect, test } from 'vitest';
import { accountCalls, consumer, profileOf } from '../../support/account-calls';
import { complaints } from '../../support/complaints';
import { type Person, peopleAt } from '../../support/factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const provider = (details: object = {}) => consumer({ role: 'Provider', location: 'Lisbon', ...details });

const { register, logIn } = accountCalls(daybook);

describe('registering', () => {
  const profile = {
    displayName: 'Maya Lindqvist',
    description: null,
    address: null,
    phone: null,
    email: null,
    isGuest: false,
  };

  test('makes a consumer and logs them in', async () => {
    const browser = daybook.visitor();
    const answer = await register(consumer({ username: 'Maya_L', timeZone: 'Europe/Oslo' }), {}, browser);
    expect(answer.status).toBe(201);
    const own = { ...profile, username: 'Maya_L', role: 'Consumer', location: null, timeZone: 'Europe/Oslo' };
    expect(answer.json).toStrictEqual(own);
    expect(await profileOf(browser)).toStrictEqual(own);
  });

  test('makes a provider, who says where and, if they like, what', async () => {
    const { json } = await register(provider({ username: 'sousa', description: ' Cuts\r\nand shaves ' }));
    const description = 'Cuts\nand shaves';
    const where = { location: 'Lisbon', timeZone: 'UTC' };
    expect(json).toStrictEqual({ ...profile, username: 'sousa', role: 'Provider', description, ...where });
    expect((await register(provider({ description: '  ' }))).json).toMatchObject({ description: null });
  });

  test('refuses a name or a city of which nothing can be seen', async () => {
    for (const blank of ['\u200b', '\u3164', '\u2800\ufe0f', '\u0301']) {
      const answer = await register(provider({ displayName: blank, location: blank }));
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('needs a character that can be seen.');
      expect(answer.text).toContain('City needs a character');
    }
    expect((await register(consumer({ displayName: '🦊', location: undefined }))).status).toBe(201);
  });

  test('takes the name from displayName, else from name', async () => {
    const { displayName: _, ...nameless } = consumer();
    expect((await register({ ...nameless, name: 'June Okafor' })).json).toMatchObject({ displayName: 'June Okafor' });
    const both = consumer({ displayName: 'Ravi Menon', name: 'Somebody else' });
    expect((await register(both)).json).toMatchObject({ displayName: 'Ravi Menon' });
  });

  test('knows a role in any case, and refuses any other', async () => {
    for (const [role, kept] of [
      ['consumer', 'Consumer'],
      ['PROVIDER', 'Provider'],
    ]) {
      expect((await register(provider({ role }))).json).toMatchObject({ role: kept });
    }
    for (const role of [undefined, '', 'Admin', 1, ['Consumer'], [['provider']]]) {
      expect(complaints(await register(provider({ role })))).toEqual([expect.stringMatching(/role/i)]);
    }
  });

  test.each([
    ['too short', 'Short1', [/at least 8/]],
    ['without a capital', 'no capital 1', [/capital/]],
    ['without a number', 'No number', [/number/]],
    ['with nothing right', 'short', [/at least 8/, /capital/, /number/]],
    ['that is empty', '', [/at least 8/, /capital/, /number/]],
    ['too long', `Aa1${'x'.repeat(126)}`, [/at most 128/]],
    ['too long and without the rest', 'x'.repeat(129), [/at most 128/, /capital/, /number/]],
    ['left out', undefined, [/missing/]],
    ['that is no text', 12345678, [/missing/]],
  ])('says each rule that is broken by a password %s', async (_, word, broken) => {
    const messages = complaints(await register(consumer({ password: word })));
    expect(messages).toEqual(broken.map((rule) => expect.stringMatching(rule)));
  });

  test.each([
    ['shortest', 'Quartz7x'],
    ['longest', `A1${'x'.repeat(126)}`],
    ['foreign', 'Ünï1 çõdé'],
    ['outer spaces', '  Spaces 1  '],
    ['eight characters of two units', '𝒜𝒜𝒜𝒜𝒜𝒜Z9'],
  ])('takes a password as it is: %s', async (_, word) => {
    const account = consumer({ password: word });
    expect((await register(account)).status).toBe(201);
    expect((await logIn(account)).status).toBe(200);
    expect((await logIn({ ...account, password: `${word} ` })).status).toBe(401);
  });

  test('keeps a username as typed, of 3 to 32 plain letters', async () => {
    for (const username of ['a1.', 'Ab_-.9', 'M'.repeat(32)]) {
      expect((await register(consumer({ username }))).json).toMatchObject({ username });
    }
    for (const username of ['ab', 'x'.repeat(33), 'with space', 'ünï', 'semi;colon', '   ', undefined, 123456]) {
      expect(complaints(await register(consumer({ username })))).toEqual([expect.stringMatching(/username/i)]);
    }
  });

  test('refuses a username that is taken, in any case, as a list', async () => {
    const { username } = await newConsumer({ username: 'Taken.Name' });
    for (const again of [username, 'taken.name', ' TAKEN.NAME ']) {
      expect(complaints(await register(consumer({ username: again })), 409)).toEqual([expect.stringMatching(/taken/)]);
    }
    const { results } = await daybook.d1.prepare(`SELECT 1 FROM accounts WHERE username LIKE 'taken.name'`).all();
    expect(results).toHaveLength(1);
  });

  test('says that a username is taken together with all else that is wrong, on the screen too', async () => {
    await newConsumer({ username: 'Taken.Too' });
    const wrong = consumer({ username: 'taken.too', password: 'short1', displayName: '' });
    const said = [/name is missing/, /8 characters/, /capital letter/, /"taken.too" is already taken/];
    const expected = said.map((words) => expect.stringMatching(words));
    expect(complaints(await register(wrong))).toEqual(expected);
    const page = await daybook.visitor().post('/register', wrong as Record<string, string>);
    expect(page.status).toBe(400);
    expect(page.$$('dialog li').map(({ text }) => text)).toEqual(expected);
    expect(page.$('[name=username]')?.getAttribute('aria-invalid')).toBe('true');
    // A name that can't be one is not looked for.
    expect(complaints(await register({ ...wrong, username: 'taken too' }))).toHaveLength(4);
  });

  test('trims texts and keeps them in NFC', async () => {
    const typed = { username: ' trimmed ', displayName: '\n  Jose\u0301  ', location: ' Sa\u0303o Paulo\u00a0' };
    const { json } = await register(provider(typed));
    expect(json).toMatchObject({ username: 'trimmed', displayName: 'Jos\u00e9', location: 'S\u00e3o Paulo' });
  });

  test.each([
    ['no name', { displayName: '' }],
    ['a blank name', { displayName: '   ' }],
    ['a name of 81', { displayName: 'x'.repeat(81) }],
    ['a name of two lines', { displayName: 'one\ntwo' }],
    ['a name that rings a bell', { displayName: 'bell\u0007' }],
    ['no city', { location: undefined }],
    ['a city of 81', { location: 'x'.repeat(81) }],
    ['a city with a NUL', { location: 'Lis\u0000bon' }],
    ['a description of 2,001', { description: 'x'.repeat(2001) }],
    ['a description with a backspace', { description: 'back\u0008space' }],
    ['a zone that there is not', { timeZone: 'Mars/Olympus' }],
    ['an offset for a zone', { timeZone: '+02:00' }],
  ])('refuses a provider with %s', async (_, details) => {
    expect(complaints(await register(provider(details)))).toHaveLength(1);
  });

  test('counts characters as people do', async () => {
    const longest = { displayName: '𝒜'.repeat(80), location: '𝒵'.repeat(80), description: 'é'.repeat(2000) };
    expect(await register(provider(longest))).toMatchObject({ status: 201, json: longest });
  });

  test('names every fault at once', async () => {
    const messages = complaints(await register({ role: 'Provider', password: 'x', timeZone: 'Nowhere' }));
    expect(messages).toHaveLength(7); // username, name, city, zone, and three rules of the password
    expect(new Set(messages).size).toBe(7);
    // In the order of the form.
    const about = ['Full name', 'Username', 'City', 'time zone', 'Password'];
    const places = messages.map((message) => about.findIndex((words) => message.includes(words)));
    expect(places).toEqual([0, 1, 2, 3, 4, 4, 4]);
  });

  test('does not keep what only a provider has', async () => {
    const { json } = await register(consumer({ location: 'Lisbon', description: 'Nothing' }));
    expect(json).toMatchObject({ location: null, description: null });
  });

  test('spells a city as it was first registered', async () => {
    const spellings = ['\u00c9vora', '\u00e9VORA', 'E\u0301vora ', '  \u00c9VORA'];
    for (const location of spellings) {
      expect((await register(provider({ location }))).json).toMatchObject({ location: '\u00c9vora' });
    }
  });

  test('lets nobody spell a city who is refused', async () => {
    const { username } = await newProvider();
    complaints(await register(provider({ username, location: 'pORTO x' })), 409);
    const gone = await newProvider();
    await gone.api('DELETE', '/api/Account/Logout');
    await daybook.d1.prepare('DELETE FROM sessions').run();
    await gone.browser.post('/profile', { intent: 'profile', displayName: 'Gone', location: 'pORTO x' });
    expect((await register(provider({ location: 'Porto X' }))).json).toMatchObject({ location: 'Porto X' });
  });
});

describe('the profile', () => {
  test('IsProvider is true or false', async () => {
    const [ana, maya] = await Promise.all([newProvider(), newConsumer()]);
    expect(await ana.api('GET', '/api/Account/IsProvider')).toMatchObject({ status: 200, json: true });
    expect(await maya.api('GET', '/api/Account/IsProvider')).toMatchObject({ status: 200, json: false });
  });

  test('shows what was changed on the screen', async () => {
    const { browser, api, username } = await newProvider();
    const place = { address: 'Rua Nova 1', phone: '+351 21 342 11 90', location: 'Porto', timeZone: 'Europe/Lisbon' };
    const changed = { displayName: 'Dr. Q', description: 'Teeth', ...place };
    expect((await browser.post('/profile', { intent: 'profile', ...changed })).status).toBe(303);
    const rest = { username, role: 'Provider', email: null, isGuest: false };
    expect(await profileOf({ api })).toStrictEqual({ ...changed, ...rest });
  });
});

const setReminders = (who: Person, reminders: unknown) => who.api('PUT', '/api/Account/SetReminders', { reminders });
const getReminders = async (who: Person) => (await who.api('GET', '/api/Account/GetReminders')).json;

describe('when people are reminded', () => {
  test('is a day before, until the provider chooses up to three other times, or none', async () => {
    const host = await newProvider();
    expect(await getReminders(host)).toEqual({ reminders: [1440] });
    for (const _ of ['once', 'twice']) {
      const answer = await setReminders(host, [60, 20_160, 1440, 60]);
      expect([answer.status, answer.json]).toEqual([200, { reminders: [20_160, 1440, 60] }]);
    }
    expect((await setReminders(host, undefined)).json).toEqual({ reminders: [20_160, 1440, 60] });
    expect((await setReminders(host, [])).json).toEqual({ reminders: [] });
  });

  test('is nothing else, which changes nothing, and nothing that a rival has chosen', async () => {
    const [host, rival] = [await newProvider(), await newProvider()];
    await setReminders(rival, [60]);
    for (const reminders of [[59], [20_161], [60, 61, 62, 63], ['soon'], [90.5], [null], '60', null]) {
      expect(complaints(await setReminders(host, reminders))).toHaveLength(1);
    }
    expect(await getReminders(host)).toEqual({ reminders: [1440] });
  });

  test('is chosen on the page of the rules, and stays chosen where something is wrong', async () => {
    const host = await newProvider();
    const page = await host.browser.visit('/rules');
    const chosen = (shown: typeof page) =>
      shown.$$('[name=reminders][checked]').map((box) => box.getAttribute('value'));
    expect(chosen(page)).toEqual(['1440']);
    const saved = await page.submit('Save rules', { reminders: ['60', '2880'] });
    expect([saved.words.includes('Your rules are saved.'), chosen(saved)]).toEqual([true, ['60', '2880']]);
    const wrong = await saved.submit('Save rules', { reminders: ['60', '120', '240', '720'] });
    expect([wrong.status, chosen(wrong)]).toEqual([400, ['60', '120', '240', '720']]);
    expect(wrong.words).toContain('Choose at most 3 reminders');
    expect((await saved.submit('Save rules', { reminders: [] })).words).toContain('Your rules are saved.');
    expect(await getReminders(host)).toEqual({ reminders: [] });
  });
});
