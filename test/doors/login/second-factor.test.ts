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

/** As if half minutes had gone by: the codes of now count again. */
const later = () => daybook.d1.prepare('UPDATE second_factors SET last_step = last_step - 10').run();

/** Somebody whose login asks for a code, with the key in their app. */
async function secured(): Promise<{ who: Person; key: string }> {
  const who = await newConsumer();
  const page = await who.browser.visit(path);
  const key = keyOn(page);
  const on = await page.submit('Turn it on', { code: codeOf(key), password });
  expect(on.words).toContain('Your login asks for a code from now on.');
  await later();
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
/** A browser that sends this in place of the cookie of the first step. */
function withStep(cookie = ''): Visitor {
  const browser = daybook.visitor();
  browser.cookies.set('daybook-step', cookie);
  return browser;
}
const says = (words: string) => expect.stringContaining(words);

describe('a second factor', () => {
  test('is set up by a key, as text and as a picture, that a code proves', async () => {
    const who = await newConsumer();
    const page = await who.browser.visit(path);
    const key = keyOn(page);
    expect([key, page.$('main svg[role=img]')]).toEqual([expect.stringMatching(/^[A-Z2-7]{32}$/), expect.anything()]);
    for (const [code, word, complaint] of [
      ['', '', 'Code is missing.'],
      [wrongCodeOf(key), password, wrong],
      [codeOf(key), 'Wrong horse 1', 'That is not your current password.'],
    ] as const) {
      const refused = await page.submit('Turn it on', { code, password: word });
      expect([refused.status, refused.words, keyOn(refused)]).toEqual([400, says(complaint), key]);
    }
    const on = await page.submit('Turn it on', { code: codeOf(key).replace(/^.../, '$& '), password });
    expect(on.words).toContain('Your login asks for a code from now on.');
    expect(on.text).not.toContain(key);
    expect(await newsKinds(who)).toContain('factor-on');
  });

  test('is turned off by the password and a code, and another one has another key', async () => {
    const { who, key } = await secured();
    const page = await who.browser.visit(path);
    const turnOff = (code: string, word = password) => page.submit('Turn it off', { code, password: word });
    for (const code of [wrongCodeOf(key), 'AAAAA-AAAAA']) expect((await turnOff(code)).status).toBe(400);
    expect((await turnOff(codeOf(key), 'Wrong horse 1')).status).toBe(400);
    expect((await logIn(who)).status).toBe(401);
    for (const { status } of [await turnOff(codeOf(key)), await turnOff(codeOf(key))]) expect(status).toBe(200);
    expect((await logIn(who)).status).toBe(200);
    expect((await newsKinds(who)).filter((kind) => kind === 'factor-off')).toHaveLength(1);
    expect(keyOn(await who.browser.visit(path))).not.toBe(key);
  });

  test('is kept without its key, is in an export as a yes alone, and goes with its account', async () => {
    const { who, key } = await secured();
    const seed = await daybook.d1
      .prepare('SELECT seed FROM second_factors JOIN accounts ON id = account_id WHERE username = ?')
      .bind(who.username)
      .first<string>('seed');
    const { text, json } = await who.api('GET', '/api/Account/Export');
    expect(json).toMatchObject({ account: { hasSecondFactor: true } });
    for (const secret of [seed, key]) expect(text).not.toContain(secret);
    expect(JSON.stringify(await dump(daybook.d1))).not.toContain(key);
    expect((await who.api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);
    expect(JSON.stringify(await dump(daybook.d1))).not.toContain(seed);
  });
});

describe('a login to an account with a second factor', () => {
  test('asks for the code on a second step, and then goes where the reader was going', async () => {
    const { who, key } = await secured();
    const browser = daybook.visitor();
    const first = await browser.visit('/login?to=/week');
    const second = await first.submit('Log in', { username: who.username, password });
    expect([second.status, titleOf(second), second.path]).toEqual([200, 'Login: your code', '/login/code?to=%2Fweek']);
    expect((await browser.get('/profile')).location).toMatch(/^\/not-logged-in/);
    for (const [code, status, complaint] of [
      [wrongCodeOf(key), 401, wrong],
      [' ', 400, 'Code is missing.'],
    ] as const) {
      const refused = await second.submit('Log in', { code });
      expect([refused.status, refused.words]).toEqual([status, says(complaint)]);
    }
    expect((await second.submit('Log in', { code: codeOf(key) })).path).toBe('/week');
    // The first step is spent.
    expect((await browser.get('/login/code')).words).toContain(passwordFirst);
  });

  test('has no second step without the first', async () => {
    const { who, key } = await secured();
    const stranger = daybook.visitor();
    const page = await stranger.get('/login/code?to=/week');
    expect([page.words, page.$('main a')?.getAttribute('href')]).toEqual([says(passwordFirst), '/login?to=%2Fweek']);
    expect((await stranger.post('/login/code', { code: codeOf(key) })).location).toBe('/login');
    const browser = await halfway(who);
    const step = browser.cookies.get('daybook-step') ?? '';
    const forged = withStep(`${step.slice(0, 12)}x${step.slice(13)}`);
    expect((await forged.get('/login/code')).words).toContain(passwordFirst);
    // With another password the step is over.
    const [code] = await makeCodes(who);
    const anew = { username: who.username, code, password: 'Better horse 2' };
    expect((await stranger.api('PUT', '/api/Account/ResetPassword', anew)).status).toBe(200);
    const late = await browser.post('/login/code', { code: codeOf(key) });
    expect([late.status, late.words]).toEqual([401, says('Your password has changed meanwhile.')]);
  });

  test('of a program takes a code along, once, of whoever sends it at once too, and for one thing', async () => {
    const { who, key } = await secured();
    const code = codeOf(key);
    for (const [more, complaint] of [
      [{}, 'A code is needed'],
      [{ password: 'Wrong horse 1', code }, 'Wrong username or password.'],
      [{ code: wrongCodeOf(key) }, wrong],
      [{ code: codeOf(key, 3) }, wrong],
    ] as const) {
      const { status, json } = await logIn(who, more);
      expect([status, json]).toEqual([401, says(complaint)]);
    }
    const answers = await several(4, () => logIn(who, { code }));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    const page = await who.browser.visit(path);
    expect((await page.submit('Turn it off', { code, password })).status).toBe(400);
    await later();
    expect((await logIn(who, { code: codeOf(key, -1) })).status).toBe(200);
    // Who has no second factor may send whatever they like.
    expect((await logIn(await newConsumer(), { code: '123456' })).status).toBe(200);
  });

  test('takes a recovery code in its place, once, and nobody else’s', async () => {
    const [{ who }, { who: another }] = [await secured(), await secured()];
    const [code = ''] = await makeCodes(who);
    expect((await logIn(another, { code })).status).toBe(401);
    const answers = await several(3, () => logIn(who, { code: ` ${code.toLowerCase().replace('-', '')}` }));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test('takes what a guest has along', async () => {
    const { who, key } = await secured();
    const browser = daybook.visitor();
    await browser.api('POST', '/api/Account/Guest', { displayName: 'Gus' });
    const first = await browser.visit('/login');
    const second = await first.submit('Log in', { username: who.username, password, join: 'true' });
    expect(second.path).toBe('/login/code?join=true');
    // A code that opens nothing takes nothing along, and the guest stays.
    await second.submit('Log in', { code: 'AAAA-BBBB-CCCC' });
    expect(await profileOf(browser)).toMatchObject({ displayName: 'Gus', isGuest: true });
    expect((await second.submit('Log in', { code: codeOf(key) })).path).toBe('/profile');
    expect(await profileOf(browser)).toMatchObject({ isGuest: false });
  });

  test('keeps the first step in a cookie that opens nothing, and that no other cookie stands for', async () => {
    const [{ who, key }, { who: other, key: theirs }] = [await secured(), await secured()];
    const browser = await halfway(who);
    const step = browser.cookies.get('daybook-step') ?? '';
    for (const name of ['daybook', 'daybook-device', 'daybook-seen', '__Host-daybook']) {
      const thief = daybook.visitor();
      thief.cookies.set(name, step);
      expect([name, (await thief.get('/profile')).status]).toEqual([name, 302]);
      expect((await thief.api('GET', '/api/Account/Export')).status).toBe(401);
      expect((await thief.post('/second-factor', { intent: 'off', code: codeOf(key), password })).status).toBe(303);
    }
    // It asks for the code of its own account, and of no other.
    expect((await browser.post('/login/code', { code: codeOf(theirs) })).status).toBe(401);
    // A session or a device is no first step.
    for (const name of ['daybook', 'daybook-device']) {
      const thief = withStep(other.browser.cookies.get(name));
      expect((await thief.post('/login/code', { code: codeOf(theirs) })).location).toBe('/login');
    }
    expect((await browser.post('/login/code', { code: codeOf(key) })).status).toBe(303);
    // Sent again by whoever has copied the cookie, it is worth no more than the password is.
    expect((await withStep(step).post('/login/code', { code: codeOf(key) })).status).toBe(401);
  });

  test('forgets the first step after ten minutes', async () => {
    const { who, key } = await secured();
    const row = await daybook.d1
      .prepare('SELECT id, password_hash AS hash FROM accounts WHERE username = ?')
      .bind(who.username)
      .first<{ id: string; hash: string }>();
    const cookies = sessionCookies(new Request(daybook.url), daybook.secrets.SESSION_SECRETS);
    const step = { accountId: row?.id ?? '', stamp: stampOf(row?.hash ?? '') };
    const withStepOf = async (minutes: number) => {
      const made = await cookies.keepStep(step, Date.now() - minutes * 60_000);
      return withStep(/daybook-step=([^;]+)/.exec(made)?.[1]).post('/login/code', { code: codeOf(key) });
    };
    expect((await withStepOf(11)).location).toBe('/login');
    expect((await withStepOf(9)).location).toBe('/profile');
  });
});
