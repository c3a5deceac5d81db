import { describe, expect, test } from 'vitest';
import { stampOf } from '../../../app/domain/login/passwords.server';
import { sessionCookies } from '../../../app/http/session.server';
import { dump } from '../../../app/local/database';
import { newsKinds, profileOf } from '../../support/account-calls';
import { codeOf, keyOn, wrongCodeOf } from '../../support/authenticator';
import { type Person, password, peopleAt, several } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { titleOf, type Visitor } from '../../support/visit';

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);

const path = '/second-factor';
const wrong = 'This code is wrong, or was used already.';
const passwordFirst = 'Please give your password first.';
const isOnNow = 'Your login asks for a code from now on.';

/** As if half minutes had gone by: the codes of now count again. */
const letTimePass = () => daybook.d1.prepare('UPDATE second_factors SET last_step = last_step - 10').run();

/** Somebody whose login asks for a code, with the key in their app. */
async function secured(): Promise<{ who: Person; key: string }> {
  const who = await newConsumer();
  const page = await who.browser.visit(path);
  const key = keyOn(page);
  const on = await page.submit('Turn it on', { code: codeOf(key), password });
  expect(on.words).toContain(isOnNow);
  await letTimePass();
  return { who, key };
}
const logIn = ({ username }: Person, more: object = {}) =>
  daybook.visitor().api('POST', '/api/Account/Login', { username, password, ...more });
const makeCodes = async ({ api }: Person) =>
  (await api('POST', '/api/Account/MakeRecoveryCodes', { password })).json as string[];

/** A browser that has given the password and not yet a code. */
async function halfway({ username }: Person): Promise<Visitor> {
  const browser = daybook.visitor();
  expect((await browser.post('/login', { username, password })).location).toBe('/login/code');
  return browser;
}
const stepOf = (browser: Visitor) => browser.cookies.get('daybook-step') ?? '';
/** A browser that sends this in place of the cookie of the first step. */
function withStep(cookie = ''): Visitor {
  const browser = daybook.visitor();
  browser.cookies.set('daybook-step', cookie);
  return browser;
}

describe('turning a second factor on', () => {
  async function keyPage() {
    const who = await newConsumer();
    const page = await who.browser.visit(path);
    return { who, page, key: keyOn(page) };
  }

  test('shows the key as text', async () => {
    const { key } = await keyPage();

    expect(key).toMatch(/^[A-Z2-7]{32}$/);
  });

  test('shows the key as a picture', async () => {
    const { page } = await keyPage();

    expect(page.$('main svg[role=img]')).not.toBeNull();
  });

  test.each<[typed: string, fieldsFor: (key: string) => { code: string; password: string }, complaint: string]>([
    ['no code', () => ({ code: '', password: '' }), 'Code is missing.'],
    ['a wrong code', (key) => ({ code: wrongCodeOf(key), password }), wrong],
    [
      'a wrong password',
      (key) => ({ code: codeOf(key), password: 'Wrong horse 1' }),
      'That is not your current password.',
    ],
  ])('with %s is refused and shows the same key', async (_, fieldsFor, complaint) => {
    const { page, key } = await keyPage();

    const refused = await page.submit('Turn it on', fieldsFor(key));

    expect(refused.status).toBe(400);
    expect(refused.words).toContain(complaint);
    expect(keyOn(refused)).toBe(key);
  });

  test('takes a code with a space in it', async () => {
    const { page, key } = await keyPage();

    const on = await page.submit('Turn it on', { code: codeOf(key).replace(/^.../, '$& '), password });

    expect(on.words).toContain(isOnNow);
  });

  test('hides the key', async () => {
    const { page, key } = await keyPage();

    const on = await page.submit('Turn it on', { code: codeOf(key), password });

    expect(on.text).not.toContain(key);
  });

  test('is told in the news', async () => {
    const { who } = await secured();

    expect(await newsKinds(who)).toContain('factor-on');
  });
});

describe('turning a second factor off', () => {
  async function factorPage() {
    const { who, key } = await secured();
    const page = await who.browser.visit(path);
    return {
      who,
      key,
      turnOff: (code: string, word = password) => page.submit('Turn it off', { code, password: word }),
    };
  }

  test.each<[typed: string, fieldsFor: (key: string) => [code: string, word?: string]]>([
    ['a wrong code', (key) => [wrongCodeOf(key)]],
    ['a wrong recovery code', () => ['AAAAA-AAAAA']],
    ['a wrong password', (key) => [codeOf(key), 'Wrong horse 1']],
  ])('with %s is refused', async (_, fieldsFor) => {
    const { who, key, turnOff } = await factorPage();

    const refused = await turnOff(...fieldsFor(key));

    expect(refused.status).toBe(400);
    expect((await logIn(who)).status).toBe(401);
  });

  test('lets the password log in alone', async () => {
    const { who, key, turnOff } = await factorPage();

    expect((await turnOff(codeOf(key))).status).toBe(200);

    expect((await logIn(who)).status).toBe(200);
  });

  test('twice is told once', async () => {
    const { who, key, turnOff } = await factorPage();
    await turnOff(codeOf(key));

    const again = await turnOff(codeOf(key));

    expect(again.status).toBe(200);
    expect((await newsKinds(who)).filter((kind) => kind === 'factor-off')).toHaveLength(1);
  });

  test('makes another key for the next time', async () => {
    const { who, key, turnOff } = await factorPage();

    await turnOff(codeOf(key));

    expect(keyOn(await who.browser.visit(path))).not.toBe(key);
  });

  test('spends its code, which does not turn it on again', async () => {
    const { who, key, turnOff } = await factorPage();
    const code = codeOf(key);
    await turnOff(code);

    const refused = await (await who.browser.visit(path)).submit('Turn it on', { code, password });

    expect(refused.status).toBe(400);
    expect(refused.words).toContain(wrong);
    expect((await logIn(who)).status).toBe(200);
  });

  test('spends each code of that moment, also of the next key', async () => {
    const { who, key, turnOff } = await factorPage();
    await turnOff(codeOf(key));
    const next = await who.browser.visit(path);

    const tooSoon = await next.submit('Turn it on', { code: codeOf(keyOn(next)), password });

    expect(tooSoon.status).toBe(400);
    expect(tooSoon.words).toContain(wrong);
  });

  test('lets it be turned on again by a later code', async () => {
    const { who, key, turnOff } = await factorPage();
    await turnOff(codeOf(key));
    await letTimePass();
    const next = await who.browser.visit(path);

    const on = await next.submit('Turn it on', { code: codeOf(keyOn(next)), password });

    expect(on.words).toContain(isOnNow);
  });
});

describe('the key of a second factor', () => {
  const seedOf = ({ username }: Person) =>
    daybook.d1
      .prepare('SELECT seed FROM second_factors JOIN accounts ON id = account_id WHERE username = ?')
      .bind(username)
      .first<string>('seed');
  const storedText = async () => JSON.stringify(await dump(daybook.d1));

  test('is not stored', async () => {
    const { key } = await secured();

    expect(await storedText()).not.toContain(key);
  });

  test('is in no export, which says that there is one', async () => {
    const { who, key } = await secured();

    const { text, json } = await who.api('GET', '/api/Account/Export');

    expect(json).toMatchObject({ account: { hasSecondFactor: true } });
    for (const secret of [await seedOf(who), key]) expect(text).not.toContain(secret);
  });

  test('goes with its account', async () => {
    const { who } = await secured();
    const seed = await seedOf(who);
    expect(await storedText()).toContain(seed);

    expect((await who.api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);

    expect(await storedText()).not.toContain(seed);
  });
});

describe('a login with a second step', () => {
  async function codePage() {
    const { who, key } = await secured();
    const browser = daybook.visitor();
    const first = await browser.visit('/login?to=/week');
    return { browser, key, page: await first.submit('Log in', { username: who.username, password }) };
  }

  test('asks for the code after the password', async () => {
    const { page } = await codePage();

    expect(page.status).toBe(200);
    expect(titleOf(page)).toBe('Login: your code');
    expect(page.path).toBe('/login/code?to=%2Fweek');
  });

  test('is no login before the code', async () => {
    const { browser } = await codePage();

    expect((await browser.get('/profile')).location).toMatch(/^\/not-logged-in/);
  });

  test('refuses a wrong code', async () => {
    const { page, key } = await codePage();

    const refused = await page.submit('Log in', { code: wrongCodeOf(key) });

    expect(refused.status).toBe(401);
    expect(refused.words).toContain(wrong);
  });

  test('says that a code is missing', async () => {
    const { page } = await codePage();

    const refused = await page.submit('Log in', { code: ' ' });

    expect(refused.status).toBe(400);
    expect(refused.words).toContain('Code is missing.');
  });

  test('goes on to where the reader was going', async () => {
    const { page, key } = await codePage();

    expect((await page.submit('Log in', { code: codeOf(key) })).path).toBe('/week');
  });

  test('spends its first step', async () => {
    const { browser, page, key } = await codePage();

    await page.submit('Log in', { code: codeOf(key) });

    expect((await browser.get('/login/code')).words).toContain(passwordFirst);
  });

  test('leads whoever has not given the password to the login', async () => {
    const page = await daybook.visitor().get('/login/code?to=/week');

    expect(page.words).toContain(passwordFirst);
    expect(page.$('main a')?.getAttribute('href')).toBe('/login?to=%2Fweek');
  });

  test('takes no code without the password', async () => {
    const { key } = await secured();

    expect((await daybook.visitor().post('/login/code', { code: codeOf(key) })).location).toBe('/login');
  });

  test('takes no forged first step', async () => {
    const { who } = await secured();
    const step = stepOf(await halfway(who));

    const forged = withStep(`${step.slice(0, 12)}x${step.slice(13)}`);

    expect((await forged.get('/login/code')).words).toContain(passwordFirst);
  });

  test('is over once the password has changed', async () => {
    const { who, key } = await secured();
    const browser = await halfway(who);
    const [code] = await makeCodes(who);
    const changed = { username: who.username, code, password: 'Better horse 2' };
    expect((await daybook.visitor().api('PUT', '/api/Account/ResetPassword', changed)).status).toBe(200);

    const late = await browser.post('/login/code', { code: codeOf(key) });

    expect(late.status).toBe(401);
    expect(late.words).toContain('Your password has changed meanwhile.');
  });
});

describe('the login of a program', () => {
  test.each<[sent: string, detailsFor: (key: string) => object, complaint: string]>([
    ['no code', () => ({}), 'A code is needed'],
    ['a wrong password', (key) => ({ password: 'Wrong horse 1', code: codeOf(key) }), 'Wrong username or password.'],
    ['a wrong code', (key) => ({ code: wrongCodeOf(key) }), wrong],
    ['a code of later', (key) => ({ code: codeOf(key, 3) }), wrong],
  ])('with %s is refused', async (_, detailsFor, complaint) => {
    const { who, key } = await secured();

    const { status, json } = await logIn(who, detailsFor(key));

    expect(status).toBe(401);
    expect(json).toContain(complaint);
  });

  test('takes a code of the half minute before', async () => {
    const { who, key } = await secured();

    expect((await logIn(who, { code: codeOf(key, -1) })).status).toBe(200);
  });

  test('takes a code once, of all who send it at once', async () => {
    const { who, key } = await secured();
    const code = codeOf(key);

    const responses = await several(4, () => logIn(who, { code }));

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('spends its code for turning the second factor off', async () => {
    const { who, key } = await secured();
    const code = codeOf(key);
    expect((await logIn(who, { code })).status).toBe(200);

    const refused = await (await who.browser.visit(path)).submit('Turn it off', { code, password });

    expect(refused.status).toBe(400);
  });

  test('may send any code for an account without a second factor', async () => {
    expect((await logIn(await newConsumer(), { code: '123456' })).status).toBe(200);
  });
});

describe('a recovery code', () => {
  test('stands for a code of the authenticator once', async () => {
    const { who } = await secured();
    const [code = ''] = await makeCodes(who);

    const responses = await several(3, () => logIn(who, { code: ` ${code.toLowerCase().replace('-', '')}` }));

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test('opens no other account', async () => {
    const [{ who }, { who: another }] = [await secured(), await secured()];
    const [code = ''] = await makeCodes(who);

    expect((await logIn(another, { code })).status).toBe(401);
  });
});

describe('a guest who logs in with a second step', () => {
  async function guestsCodePage() {
    const { who, key } = await secured();
    const browser = daybook.visitor();
    await browser.api('POST', '/api/Account/Guest', { displayName: 'Gus' });
    const first = await browser.visit('/login');
    return { browser, key, page: await first.submit('Log in', { username: who.username, password, join: 'true' }) };
  }

  test('is asked for the code with the wish to take things along', async () => {
    const { page } = await guestsCodePage();

    expect(page.path).toBe('/login/code?join=true');
  });

  test('stays a guest after a wrong code', async () => {
    const { browser, page } = await guestsCodePage();

    await page.submit('Log in', { code: 'AAAA-BBBB-CCCC' });

    expect(await profileOf(browser)).toMatchObject({ displayName: 'Gus', isGuest: true });
  });

  test('is in the account after the code', async () => {
    const { browser, page, key } = await guestsCodePage();

    expect((await page.submit('Log in', { code: codeOf(key) })).path).toBe('/profile');

    expect(await profileOf(browser)).toMatchObject({ isGuest: false });
  });
});

describe('the cookie of the first step', () => {
  test.each(['daybook', 'daybook-device', 'daybook-seen', '__Host-daybook'])('opens nothing as %s', async (name) => {
    const { who, key } = await secured();
    const thief = daybook.visitor();
    thief.cookies.set(name, stepOf(await halfway(who)));

    expect((await thief.get('/profile')).status).toBe(302);
    expect((await thief.api('GET', '/api/Account/Export')).status).toBe(401);
    expect((await thief.post('/second-factor', { intent: 'off', code: codeOf(key), password })).status).toBe(303);
    expect((await logIn(who)).status).toBe(401);
  });

  test.each(['daybook', 'daybook-device'])('is not replaced by that of %s', async (name) => {
    const { who, key } = await secured();

    const thief = withStep(who.browser.cookies.get(name));

    expect((await thief.post('/login/code', { code: codeOf(key) })).location).toBe('/login');
  });

  test('takes no code of another account', async () => {
    const [{ who }, { key: othersKey }] = [await secured(), await secured()];
    const browser = await halfway(who);

    expect((await browser.post('/login/code', { code: codeOf(othersKey) })).status).toBe(401);
  });

  test('takes the code of its own account', async () => {
    const { who, key } = await secured();

    expect((await (await halfway(who)).post('/login/code', { code: codeOf(key) })).status).toBe(303);
  });

  test('takes a used code from nobody who has copied it', async () => {
    const { who, key } = await secured();
    const browser = await halfway(who);
    const step = stepOf(browser);
    await browser.post('/login/code', { code: codeOf(key) });

    expect((await withStep(step).post('/login/code', { code: codeOf(key) })).status).toBe(401);
  });

  test.each([
    ['good', 9, '/profile'],
    ['over', 11, '/login'],
  ])('is %s after %i minutes', async (_, minutes, location) => {
    const { who, key } = await secured();
    const row = await daybook.d1
      .prepare('SELECT id, password_hash AS hash FROM accounts WHERE username = ?')
      .bind(who.username)
      .first<{ id: string; hash: string }>();
    const cookies = sessionCookies(new Request(daybook.url), daybook.secrets.SESSION_SECRETS);
    const step = { accountId: row?.id ?? '', stamp: stampOf(row?.hash ?? '') };
    const made = await cookies.setStep(step, Date.now() - minutes * 60_000);

    const response = await withStep(/daybook-step=([^;]+)/.exec(made)?.[1]).post('/login/code', { code: codeOf(key) });

    expect(response.location).toBe(location);
  });
});
