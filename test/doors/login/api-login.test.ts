import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../../app/local/server';
import { accountCalls, consumer, profileOf } from '../../support/account-calls';
import { password, peopleAt, registerConsumer } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { type Visitor, visitor } from '../../support/visit';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const { register, logIn } = accountCalls(daybook);

/** Whether a browser with this session cookie is taken for somebody. */
async function counts(cookie: string, url = daybook.url): Promise<boolean> {
  const browser = visitor(url);
  browser.cookies.set('daybook', cookie);
  const { status } = await browser.api('GET', '/api/Account/Profile');
  expect([200, 400]).toContain(status);
  return status === 200;
}
const cookieOf = (browser: Visitor) => browser.cookies.get('daybook') ?? 'no cookie';

/** The name and attributes of each cookie that an answer sets, by name. */
function cookiesOf({ headers }: { headers: Headers }) {
  const parsed = headers.getSetCookie().map((line) => {
    const [pair = '', ...attributes] = line.split('; ');
    return [pair.slice(0, pair.indexOf('=')), attributes] as const;
  });
  return new Map(parsed);
}

describe('logging in', () => {
  test('answers the profile, and knows the username in any case', async () => {
    const { username, ...ana } = await newProvider({ username: 'Ana.Dias' });
    for (const typed of [username, 'ana.dias', ' ANA.DIAS ']) {
      const browser = daybook.visitor();
      const answer = await logIn({ username: typed, password }, browser);
      expect(answer.status).toBe(200);
      expect(answer.json).toStrictEqual(await profileOf(ana));
      expect(await profileOf(browser)).toStrictEqual(answer.json);
    }
  });

  test('does not tell a wrong name from a wrong password', async () => {
    const { username } = await newConsumer();
    const wrongs = [
      await logIn({ username, password: 'Wrong password 1' }),
      await logIn({ username: 'nobody.of.that.name', password }),
      await logIn({ username: 'no name at all; {', password }),
    ];
    for (const { status, text, headers } of wrongs) {
      expect({ status, text }).toEqual({ status: 401, text: wrongs[0]?.text });
      expect(headers.getSetCookie().join()).not.toContain('daybook=');
    }
    expect(wrongs[0]?.json).toEqual(expect.any(String));
  });
});

describe('the cookies', () => {
  test('can be read by no script and go to no other site', async () => {
    const cookies = cookiesOf(await register(consumer()));
    expect(cookies.get('daybook')).toContain('Max-Age=2592000');
    expect(cookies.get('daybook-seen')).toContain('Max-Age=300');
    for (const attributes of cookies.values()) {
      expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Lax', 'Path=/']));
      expect(attributes).not.toContain('Secure');
    }
  });

  test('are Secure over https', async () => {
    const account = await newConsumer();
    // How miniflare is told the address that a proxy before it was asked for.
    const overTls = { 'mf-original-url': 'https://daybook.test/api/Account/Login' };
    const answer = await logIn({ username: account.username, password }, account.browser, overTls);
    expect(answer.status).toBe(200);
    const cookies = cookiesOf(answer);
    expect([...cookies.keys()]).toContain('__Host-daybook');
    for (const [name, attributes] of cookies) {
      expect([name, attributes]).toEqual([
        expect.stringMatching(/^__Host-/),
        expect.arrayContaining(['Secure', 'Path=/']),
      ]);
      expect(attributes.filter((attribute) => attribute.startsWith('Domain'))).toEqual([]);
    }
  });

  test('count over https under the name that no other host can set, and under no other', async () => {
    const { browser } = await newConsumer();
    const overTls = { 'mf-original-url': 'https://daybook.test/api/Account/Profile' };
    const counting = async (name: string, sent = {}) => {
      const reader = daybook.visitor();
      reader.cookies.set(name, cookieOf(browser));
      return (await reader.api('GET', '/api/Account/Profile', undefined, sent)).status;
    };
    expect(await Promise.all([counting('daybook'), counting('__Host-daybook', overTls)])).toEqual([200, 200]);
    expect(await Promise.all([counting('__Host-daybook'), counting('daybook', overTls)])).toEqual([400, 400]);
  });

  test('a session that has expired is none', async () => {
    const { username, api, browser } = await newConsumer();
    await daybook.d1
      .prepare('UPDATE sessions SET expires_at = ? WHERE account_id = (SELECT id FROM accounts WHERE username = ?)')
      .bind(Date.now() - 1, username)
      .run();
    expect((await api('GET', '/api/Account/Profile')).status).toBe(400);
    expect(browser.cookies.get('daybook')).toBeUndefined();
  });

  test('one that was tampered with, or is rubbish, is no session', async () => {
    const { browser } = await newConsumer();
    const cookie = cookieOf(browser);
    expect(await counts(cookie)).toBe(true);
    const [claims = '', signature = ''] = decodeURIComponent(cookie).split('.');
    const asProvider = btoa(atob(claims).replace('"Consumer"', '"Provider"'));
    expect(asProvider).not.toBe(claims);
    const forged = [`${asProvider}.${signature}`, `.${signature}`, claims, `${claims}.`, cookie.slice(0, -9)];
    const values = [...forged, 'x', '.', 'no.cookie!', 'é', ''].map(encodeURIComponent);
    for (const value of [...values, '%E0%A4%A']) expect([value, await counts(value)]).toEqual([value, false]);
  });
});

/** Somebody who is logged in on a phone too. */
async function withPhone() {
  const person = await newConsumer();
  const phone = daybook.visitor();
  await logIn({ username: person.username, password }, phone);
  return { ...person, phone };
}

describe('logging out', () => {
  test('ends the session and takes its cookie away, but leaves other devices; again, it is still a 204', async () => {
    const { browser, api, phone } = await withPhone();
    const cookie = cookieOf(browser);
    for (const _ of ['first', 'again']) {
      expect(await api('DELETE', '/api/Account/Logout')).toMatchObject({ status: 204, text: '' });
      expect(browser.cookies.get('daybook')).toBeUndefined();
    }
    expect([await counts(cookie), await counts(cookieOf(phone))]).toEqual([false, true]);
  });

  test('everywhere ends every session, and takes this cookie away', async () => {
    const { username, browser, phone } = await withPhone();
    const earlier = [cookieOf(browser), cookieOf(phone)];
    const { status, location } = await browser.post('/profile', { intent: 'everywhere' });
    expect({ status, location }).toEqual({ status: 303, location: '/' });
    expect(browser.cookies.get('daybook')).toBeUndefined();
    expect(await Promise.all(earlier.map((cookie) => counts(cookie)))).toEqual([false, false]);
    expect((await logIn({ username, password })).status).toBe(200);
  });
});

describe('a new login in a browser', () => {
  test('ends the session that it replaces, and no other', async () => {
    const { username, browser, phone } = await withPhone();
    const ways: (() => Promise<{ status: number }>)[] = [
      () => logIn({ username, password }, browser),
      () => browser.post('/login', { username, password }),
      () => register(consumer(), {}, browser),
      () => browser.post('/register', consumer()),
    ];
    for (const again of ways) {
      const before = cookieOf(browser);
      expect((await again()).status).toBeLessThan(400);
      expect([await counts(before), await counts(cookieOf(browser))]).toEqual([false, true]);
    }
    expect(await counts(cookieOf(phone))).toBe(true);
  });
});

describe('a new password', () => {
  const newPassword = 'Battery staple 2';

  test('ends every earlier session, and gives this device a new one', async () => {
    const { username, browser, api, phone } = await withPhone();
    const earlier = [cookieOf(browser), cookieOf(phone)];
    const { status } = await browser.post('/profile', { intent: 'password', password, newPassword });
    expect(status).toBe(303);
    expect(await Promise.all(earlier.map((cookie) => counts(cookie)))).toEqual([false, false]);
    expect(await profileOf({ api })).toMatchObject({ username });
    expect((await logIn({ username, password })).status).toBe(401);
    expect((await logIn({ username, password: newPassword })).status).toBe(200);
  });

  test('of two that are sent at once one is set, and only whoever sent that one is told so', async () => {
    const { username, browser, phone } = await withPhone();
    const words = ['Battery staple 2', 'Battery staple 3'] as const;
    const send = (from: Visitor, word: string) =>
      from.post('/profile', { intent: 'password', password, newPassword: word });
    const pages = await Promise.all([send(browser, words[0]), send(phone, words[1])]);
    expect(pages.map(({ status }) => status).sort()).toEqual([303, 401]);
    expect(await counts(cookieOf(pages[0]?.status === 303 ? browser : phone))).toBe(true);
    const logins = await Promise.all(words.map((word) => logIn({ username, password: word })));
    expect(logins.map(({ status }) => status)).toEqual(pages.map(({ status }) => (status === 303 ? 200 : 401)));
  });

  test('that is sent twice, at once or after its answer was lost, is set, and leaves this device logged in', async () => {
    const { username, browser } = await newConsumer();
    const [again, stranger] = [daybook.visitor(), daybook.visitor()];
    for (const one of [again, stranger]) one.cookies.set('daybook', cookieOf(browser));
    const change = { intent: 'password', password, newPassword, once: 'double' };
    const pages = await Promise.all([browser.post('/profile', change), browser.post('/profile', change)]);
    expect([...pages, await again.post('/profile', change)].map(({ status }) => status)).toEqual([303, 303, 303]);
    for (const one of [browser, again]) expect(await profileOf(one)).toMatchObject({ username });
    expect((await logIn({ username, password: newPassword })).status).toBe(200);
    expect((await stranger.post('/profile', { ...change, newPassword: 'Another 1' })).status).toBe(401);
    expect(await counts(cookieOf(stranger))).toBe(false);
  });

  test('is not set by somebody who does not know the old one', async () => {
    const { username, browser } = await newConsumer();
    const cookie = cookieOf(browser);
    for (const wrong of ['Wrong 1 of mine', 'x']) {
      const page = await browser.post('/profile', { intent: 'password', password: wrong, newPassword });
      expect([page.status, page.words.includes('That is not your current password.')]).toEqual([400, true]);
    }
    expect(await counts(cookie)).toBe(true);
    expect((await logIn({ username, password })).status).toBe(200);
  });
});

describe('new secrets', () => {
  test('sign from now on, while a cookie of the old one still counts until that is taken away', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const path = join(dataDir, 'secrets.json');

    /** Serves this folder with these session secrets while `visits` runs. */
    async function serve<Result>(secrets: string | null, visits: (url: string) => Promise<Result>): Promise<Result> {
      if (secrets !== null) {
        const kept = JSON.parse(await readFile(path, 'utf8'));
        await writeFile(path, JSON.stringify({ ...kept, SESSION_SECRETS: secrets }));
      }
      const server = await startServer({ dataDir, vars: { RATE_LIMIT: 'off' } });
      try {
        return await visits(server.url);
      } finally {
        await server.stop();
      }
    }

    const { username, browser } = await serve(null, (url) => registerConsumer({ visitor: () => visitor(url) }));
    const before = cookieOf(browser);
    const { SESSION_SECRETS: old } = JSON.parse(await readFile(path, 'utf8'));
    const after = await serve(`new,${old}`, async (url) => {
      expect(await counts(before, url)).toBe(true);
      const phone = visitor(url);
      expect((await logIn({ username, password }, phone)).status).toBe(200);
      return cookieOf(phone);
    });
    await serve('new', async (url) => {
      expect(await counts(after, url)).toBe(true);
      expect(await counts(before, url)).toBe(false);
    });
  });
});
