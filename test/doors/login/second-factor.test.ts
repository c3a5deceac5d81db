import { describe, expect, test } from 'vitest';
import { stampOf } from '../../../app/domain/login/passwords.server';
import { sessionCookies } from '../../../app/http/session.server';
import { newsKinds } from '../../support/account-calls';
import { codeOf, keyOn, wrongCodeOf } from '../../support/authenticator';
import { type Person, password, peopleAt, several } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { titleOf } from '../../support/visit';

const daybook = useServer();
const { newConsumer, newProvider } = peopleAt(daybook);

const path = '/second-factor';
const wrong = 'This code is wrong, or was used already.';
const passwordFirst = 'Please give your password first.';
const needed = 'A code is needed';

/** As if half minutes had gone by: the codes of now count again. */
const later = () => daybook.d1.prepare('UPDATE second_factors SET last_step = last_step - 10').run();

/** Somebody whose login asks for a code, with the key in their app. */
async function secured(make = newConsumer): Promise<{ who: Person; key: string }> {
  const who = await make();
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
/** Sets a new password by a recovery code. */
const reset = async ({ username }: Person, code = '', word = 'Better horse 2') =>
  (await daybook.visitor().api('PUT', '/api/Account/ResetPassword', { username, code, password: word })).status;

describe('a second factor', () => {
  test('is set up by a key, as text and as a picture, that a code proves', async () => {
    const who = await newConsumer();
    const profile = await who.browser.visit('/profile');
    const page = await profile.click('a code of your phone');
    const key = keyOn(page);
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    expect(page.$('main svg[role=img]')).not.toBeNull();
    expect(keyOn(await who.browser.visit(path))).toBe(key);
    const refused = await page.submit('Turn it on', { code: wrongCodeOf(key), password });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining(wrong)]);
    expect(keyOn(refused)).toBe(key);
    const on = await refused.submit('Turn it on', { code: codeOf(key).replace(/^.../, '$& '), password });
    expect([on.status, on.words]).toEqual([200, expect.stringContaining('Your login asks for a code from now on.')]);
    expect(on.text).not.toContain(key);
    expect(await newsKinds(who)).toContain('factor-on');
    // The session stays as it is.
    expect((await who.api('GET', '/api/Account/Profile')).status).toBe(200);
  });

  test('needs the password and a code, each of which says so beside its field', async () => {
    const { browser } = await newProvider();
    const page = await browser.visit(path);
    const blank = await page.submit('Turn it on', { code: '', password: '' });
    expect([blank.status, blank.words]).toEqual([400, expect.stringContaining('Code is missing.')]);
    expect(blank.words).toContain('Current password is missing.');
    const guessed = await page.submit('Turn it on', { code: codeOf(keyOn(page)), password: 'Wrong horse 1' });
    expect([guessed.status, guessed.words]).toEqual([
      400,
      expect.stringContaining('That is not your current password.'),
    ]);
    expect((await browser.post(path, { intent: 'none', code: '1', password })).status).toBe(400);
    expect(keyOn(await browser.visit(path))).toBe(keyOn(page));
  });

  test('is turned off by the password and a code, and another one has another key', async () => {
    const { who, key } = await secured();
    const page = await who.browser.visit(path);
    for (const typed of [
      { code: wrongCodeOf(key), password },
      { code: codeOf(key), password: 'Wrong horse 1' },
      { code: 'AAAAA-AAAAA', password },
    ]) {
      expect((await page.submit('Turn it off', typed)).status).toBe(400);
    }
    expect((await logIn(who)).status).toBe(401);
    const typed = { code: codeOf(key), password };
    expect((await page.submit('Turn it off', typed)).words).toContain('Your login no longer asks for a code.');
    expect((await page.submit('Turn it off', typed)).status).toBe(200);
    expect((await logIn(who)).status).toBe(200);
    expect((await newsKinds(who)).filter((kind) => kind === 'factor-off')).toHaveLength(1);
    expect(keyOn(await who.browser.visit(path))).not.toBe(key);
  });

  test('is kept without its key, is in an export as a yes alone, and goes with its account', async () => {
    const { who, key } = await secured(newProvider);
    const seed = await daybook.d1
      .prepare('SELECT seed FROM second_factors JOIN accounts ON id = account_id WHERE username = ?')
      .bind(who.username)
      .first<string>('seed');
    const { results } = await daybook.d1.prepare('SELECT * FROM second_factors').all();
    expect([JSON.stringify(results).includes(key), seed]).toEqual([false, expect.any(String)]);
    const { text, json } = await who.api('GET', '/api/Account/Export');
    expect(json).toMatchObject({
      account: { hasSecondFactor: true },
      messages: expect.arrayContaining([expect.objectContaining({ kind: 'factor-on' })]),
    });
    for (const secret of [seed, key]) expect(text).not.toContain(secret);
    expect((await who.api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);
    const left = await daybook.d1.prepare('SELECT * FROM second_factors WHERE seed = ?').bind(seed).all();
    expect(left.results).toEqual([]);
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
    const refused = await second.submit('Log in', { code: wrongCodeOf(key) });
    expect([refused.status, refused.words]).toEqual([401, expect.stringContaining(wrong)]);
    const blank = await refused.submit('Log in', { code: ' ' });
    expect([blank.status, blank.words]).toEqual([400, expect.stringContaining('Code is missing.')]);
    const done = await blank.submit('Log in', { code: codeOf(key) });
    expect([done.status, done.path]).toEqual([200, '/week']);
    // The first step is spent.
    expect((await browser.get('/login/code')).words).toContain(passwordFirst);
  });

  test('has no second step without the first', async () => {
    const { who, key } = await secured();
    const stranger = daybook.visitor();
    const page = await stranger.get('/login/code?to=/week');
    expect(page.words).toContain(passwordFirst);
    expect(page.$('main a')?.getAttribute('href')).toBe('/login?to=%2Fweek');
    expect((await stranger.post('/login/code', { code: codeOf(key) })).location).toBe('/login');
    const other = daybook.visitor();
    await (await other.visit('/login')).submit('Log in', { username: who.username, password });
    const made = other.cookies.get('daybook-step') ?? '';
    stranger.cookies.set('daybook-step', `${made.slice(0, 12)}x${made.slice(13)}`);
    expect((await stranger.get('/login/code')).words).toContain(passwordFirst);
    // With another password the step is over.
    const [code] = await makeCodes(who);
    expect(await reset(who, code)).toBe(200);
    const late = await other.post('/login/code', { code: codeOf(key) });
    expect([late.status, late.words]).toEqual([401, expect.stringContaining('Your password has changed meanwhile.')]);
  });

  test('of a program says after the right password that a code is needed, and takes it along', async () => {
    const { who, key } = await secured();
    const asked = await logIn(who);
    expect([asked.status, asked.json]).toEqual([401, expect.stringContaining(needed)]);
    const guess = await logIn(who, { password: 'Wrong horse 1', code: codeOf(key) });
    expect([guess.status, guess.json]).toEqual([401, 'Wrong username or password.']);
    const refused = await logIn(who, { code: wrongCodeOf(key) });
    expect([refused.status, refused.json]).toEqual([401, expect.stringContaining(wrong)]);
    const { status, json } = await logIn(who, { code: codeOf(key) });
    expect([status, json]).toEqual([200, expect.objectContaining({ username: who.username })]);
    // Who has no second factor may send whatever they like.
    expect((await logIn(await newConsumer(), { code: '123456' })).status).toBe(200);
  });

  test('takes a code once, of whoever sends it at once too, and for one thing', async () => {
    const { who, key } = await secured();
    const code = codeOf(key);
    const answers = await several(4, () => logIn(who, { code }));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect((await logIn(who, { code })).status).toBe(401);
    const page = await who.browser.visit(path);
    expect((await page.submit('Turn it off', { code, password })).status).toBe(400);
    await later();
    expect((await logIn(who, { code: codeOf(key, -1) })).status).toBe(200);
    expect((await logIn(who, { code: codeOf(key, 3) })).status).toBe(401);
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
    expect((await second.submit('Log in', { code: 'AAAA-BBBB-CCCC' })).status).toBe(401);
    expect((await browser.api('GET', '/api/Account/Profile')).json).toMatchObject({
      displayName: 'Gus',
      isGuest: true,
    });
    expect((await second.submit('Log in', { code: codeOf(key) })).path).toBe('/profile');
    expect((await browser.api('GET', '/api/Account/Profile')).json).toMatchObject({ isGuest: false });
  });

  test('keeps the first step in a cookie that opens nothing, and that no other cookie stands for', async () => {
    const { who, key } = await secured(newProvider);
    const { who: other, key: theirs } = await secured();
    const browser = daybook.visitor();
    await (await browser.visit('/login')).submit('Log in', { username: who.username, password });
    const step = browser.cookies.get('daybook-step') ?? '';
    expect(step).not.toBe('');
    for (const name of ['daybook', 'daybook-device', 'daybook-seen', '__Host-daybook']) {
      const thief = daybook.visitor();
      thief.cookies.set(name, step);
      expect([name, (await thief.get('/profile')).status]).toEqual([name, 302]);
      expect((await thief.api('GET', '/api/Account/Profile')).status).toBe(400);
      expect((await thief.api('GET', '/api/Account/Export')).status).toBe(401);
      expect((await thief.post('/second-factor', { intent: 'off', code: codeOf(key), password })).status).toBe(303);
    }
    // It asks for the code of its own account, and of no other.
    expect((await browser.post('/login/code', { code: codeOf(theirs) })).status).toBe(401);
    // A session or a device is no first step.
    for (const name of ['daybook', 'daybook-device']) {
      const thief = daybook.visitor();
      thief.cookies.set('daybook-step', other.browser.cookies.get(name) ?? '');
      expect((await thief.get('/login/code')).words).toContain(passwordFirst);
      expect((await thief.post('/login/code', { code: codeOf(theirs) })).location).toBe('/login');
    }
    expect((await browser.post('/login/code', { code: codeOf(key) })).status).toBe(303);
    // Sent again by whoever has copied the cookie, it is worth no more than the password is.
    const thief = daybook.visitor();
    thief.cookies.set('daybook-step', step);
    expect((await thief.post('/login/code', { code: codeOf(key) })).status).toBe(401);
  });

  test('forgets the first step after ten minutes', async () => {
    const { who, key } = await secured();
    const { id, password_hash: hash } = (await daybook.d1
      .prepare('SELECT id, password_hash FROM accounts WHERE username = ?')
      .bind(who.username)
      .first()) as { id: string; password_hash: string };
    const withStepOf = async (minutes: number) => {
      const cookies = sessionCookies(new Request(daybook.url), daybook.secrets.SESSION_SECRETS);
      const made = await cookies.keepStep({ accountId: id, stamp: stampOf(hash) }, Date.now() - minutes * 60_000);
      const browser = daybook.visitor();
      browser.cookies.set('daybook-step', /daybook-step=([^;]+)/.exec(made)?.[1] ?? '');
      return browser.post('/login/code', { code: codeOf(key) });
    };
    expect((await withStepOf(11)).location).toBe('/login');
    expect((await withStepOf(9)).location).toBe('/profile');
  });
});
