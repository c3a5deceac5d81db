import { describe, expect, test } from 'vitest';
import { accountCalls, consumer, profileOf } from '../../support/account-calls';
import { password, peopleAt } from '../../support/factories';
import { useServer } from '../../support/use-server';
import type { Visitor } from '../../support/visit';

const daybook = useServer({ trustedProxy: { addresses: '127.0.0.1' } });
const { newProvider, newConsumer } = peopleAt(daybook);

const { register, logIn } = accountCalls(daybook);

/** Whether a browser with this session cookie is taken for somebody. */
async function isSession(cookie: string): Promise<boolean> {
  const browser = daybook.visitor();
  browser.cookies.set('daybook', cookie);
  const { status } = await browser.api('GET', '/api/Account/Profile');
  expect([200, 400]).toContain(status);
  return status === 200;
}
const cookieOf = (browser: Visitor) => browser.cookies.get('daybook') ?? 'no cookie';

/** The attributes of each cookie that an answer sets, by its name. */
const cookiesOf = ({ headers }: { headers: Headers }) =>
  new Map(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      return [pair.slice(0, pair.indexOf('=')), attributes] as const;
    }),
  );

/** Somebody who is logged in on a phone too. */
async function withPhone() {
  const person = await newConsumer();
  const phone = daybook.visitor();
  await logIn({ username: person.username, password }, phone);
  return { ...person, phone };
}

describe('logging in', () => {
  test.each<[spelling: string, typed: (username: string) => string]>([
    ['in small letters', (username) => username.toLowerCase()],
    ['in capitals between blanks', (username) => ` ${username.toUpperCase()} `],
  ])('knows the username %s', async (_, typed) => {
    const { username, ...ana } = await newProvider({ username: `Ana.Dias.${crypto.randomUUID().slice(0, 8)}` });
    const browser = daybook.visitor();

    const { status, json } = await logIn({ username: typed(username), password }, browser);

    expect(status).toBe(200);
    expect(json).toStrictEqual(await profileOf(ana));
    expect(await profileOf(browser)).toStrictEqual(json);
  });

  test('does not tell a wrong name from a wrong password', async () => {
    const { username } = await newConsumer();
    const wrongPassword = await logIn({ username, password: 'Wrong password 1' });

    for (const unknown of ['nobody.of.that.name', 'no name at all; {']) {
      const { status, text } = await logIn({ username: unknown, password });
      expect({ status, text }).toEqual({ status: 401, text: wrongPassword.text });
    }
    expect(wrongPassword.status).toBe(401);
  });

  test.each([
    ['password', 'Wrong password 1'],
    ['name', password],
  ])('with a wrong %s sets no session', async (what, word) => {
    const { username } = await newConsumer();

    const { headers } = await logIn({ username: what === 'name' ? 'nobody.of.that.name' : username, password: word });

    expect(headers.getSetCookie().join()).not.toContain('daybook=');
  });
});

describe('the cookies', () => {
  const overTls = { 'x-forwarded-proto': 'https' };

  describe.each([
    ['http', {}, '', []],
    ['https', overTls, '__Host-', ['Secure']],
  ])('over %s', (_, sent, prefix, alsoSecure) => {
    test('last thirty days, and five minutes where they only say who was seen', async () => {
      const cookies = cookiesOf(await register(consumer(), sent));

      expect(cookies.get(`${prefix}daybook`)).toContain('Max-Age=2592000');
      expect(cookies.get(`${prefix}daybook-seen`)).toContain('Max-Age=300');
    });

    test('have a name that no other host can set, where there is one', async () => {
      const cookies = cookiesOf(await register(consumer(), sent));

      for (const name of cookies.keys()) expect(name.startsWith(prefix)).toBe(true);
    });

    test('can be read by no script, go to no other site, and are Secure where they can be', async () => {
      const cookies = cookiesOf(await register(consumer(), sent));

      for (const attributes of cookies.values()) {
        const lasting = attributes.filter((attribute) => !/^(Max-Age|Expires)=/.test(attribute));
        expect(lasting.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', ...alsoSecure]);
      }
    });
  });

  test.each<[scheme: string, name: string, isCounted: boolean, sent: Record<string, string>]>([
    ['http', 'daybook', true, {}],
    ['http', '__Host-daybook', false, {}],
    ['https', '__Host-daybook', true, overTls],
    ['https', 'daybook', false, overTls],
  ])('over %s of the name %s count: %s', async (_, name, isCounted, sent) => {
    const { browser } = await newConsumer();
    const reader = daybook.visitor();
    reader.cookies.set(name, cookieOf(browser));

    const { status } = await reader.api('GET', '/api/Account/Profile', undefined, sent);

    expect(status).toBe(isCounted ? 200 : 400);
  });
});

describe('a session cookie', () => {
  test('is good as it was given', async () => {
    const { browser } = await newConsumer();

    expect(await isSession(cookieOf(browser))).toBe(true);
  });

  test.each<[fault: string, forge: (payload: string, signature: string) => string]>([
    [
      'claims another role',
      (payload, signature) => `${btoa(atob(payload).replace('"Consumer"', '"Provider"'))}.${signature}`,
    ],
    ['claims nothing', (_, signature) => `.${signature}`],
    ['has no signature', (payload) => payload],
    ['has an empty signature', (payload) => `${payload}.`],
    ['is cut off', (payload, signature) => `${payload}.${signature}`.slice(0, -9)],
  ])('that %s is no session', async (_, forge) => {
    const { browser } = await newConsumer();
    const cookie = decodeURIComponent(cookieOf(browser));
    const [payload = '', signature = ''] = cookie.split('.');
    const forged = forge(payload, signature);
    expect(forged).not.toBe(cookie);

    expect(await isSession(encodeURIComponent(forged))).toBe(false);
  });

  test.each(['x', 'no.cookie!', 'é', ''])('"%s" is no session', async (rubbish) => {
    expect(await isSession(encodeURIComponent(rubbish))).toBe(false);
  });

  test('that is wrongly escaped is no session', async () => {
    expect(await isSession('%E0%A4%A')).toBe(false);
  });
});

describe('logging out', () => {
  test('ends the session', async () => {
    const { browser, api } = await withPhone();
    const cookie = cookieOf(browser);

    expect(await api('DELETE', '/api/Account/Logout')).toMatchObject({ status: 204, text: '' });

    expect(await isSession(cookie)).toBe(false);
  });

  test('takes the cookie away', async () => {
    const { browser, api } = await withPhone();

    await api('DELETE', '/api/Account/Logout');

    expect(browser.cookies.get('daybook')).toBeUndefined();
  });

  test('leaves other devices logged in', async () => {
    const { api, phone } = await withPhone();

    await api('DELETE', '/api/Account/Logout');

    expect(await isSession(cookieOf(phone))).toBe(true);
  });

  test('may be repeated', async () => {
    const { browser, api } = await withPhone();
    await api('DELETE', '/api/Account/Logout');

    expect(await api('DELETE', '/api/Account/Logout')).toMatchObject({ status: 204, text: '' });

    expect(browser.cookies.get('daybook')).toBeUndefined();
  });
});

describe('logging out everywhere', () => {
  async function loggedOutEverywhere() {
    const { username, browser, phone } = await withPhone();
    const earlier = [cookieOf(browser), cookieOf(phone)];
    return { username, browser, earlier, response: await browser.post('/profile', { intent: 'everywhere' }) };
  }

  test('ends every session', async () => {
    const { earlier } = await loggedOutEverywhere();

    for (const cookie of earlier) expect(await isSession(cookie)).toBe(false);
  });

  test('takes this cookie away', async () => {
    const { browser } = await loggedOutEverywhere();

    expect(browser.cookies.get('daybook')).toBeUndefined();
  });

  test('leads to the first page', async () => {
    const { response } = await loggedOutEverywhere();

    expect(response.status).toBe(303);
    expect(response.location).toBe('/');
  });

  test('does not keep anybody from logging in again', async () => {
    const { username } = await loggedOutEverywhere();

    expect((await logIn({ username, password })).status).toBe(200);
  });
});

describe('a new login in a browser', () => {
  type LoggedIn = { username: string; browser: Visitor };
  test.each<[way: string, again: (person: LoggedIn) => Promise<{ status: number }>]>([
    ['a login by a call', ({ username, browser }) => logIn({ username, password }, browser)],
    ['a login by the form', ({ username, browser }) => browser.post('/login', { username, password })],
    ['a registration by a call', ({ browser }) => register(consumer(), {}, browser)],
    ['a registration by the form', ({ browser }) => browser.post('/register', consumer())],
  ])('by %s ends the session that it replaces, and no other', async (_, again) => {
    const { phone, ...person } = await withPhone();
    const before = cookieOf(person.browser);

    expect((await again(person)).status).toBeLessThan(400);

    expect(await isSession(before)).toBe(false);
    expect(await isSession(cookieOf(person.browser))).toBe(true);
    expect(await isSession(cookieOf(phone))).toBe(true);
  });
});

describe('a new password', () => {
  const newPassword = 'Battery staple 2';
  const change = { intent: 'password', password, newPassword };
  async function changedPassword() {
    const { username, browser, phone } = await withPhone();
    const earlier = [cookieOf(browser), cookieOf(phone)];
    return { username, browser, earlier, response: await browser.post('/profile', change) };
  }

  test('needs the old one', async () => {
    const { browser, phone } = await withPhone();
    const earlier = [cookieOf(browser), cookieOf(phone)];

    const refused = await browser.post('/profile', { ...change, password: 'Wrong 1 of mine' });

    expect(refused.status).toBe(400);
    for (const cookie of earlier) expect(await isSession(cookie)).toBe(true);
  });

  test('takes the place of the old one', async () => {
    const { username, response } = await changedPassword();

    expect(response.status).toBe(303);
    expect((await logIn({ username, password })).status).toBe(401);
    expect((await logIn({ username, password: newPassword })).status).toBe(200);
  });

  test('ends every earlier session', async () => {
    const { earlier } = await changedPassword();

    for (const cookie of earlier) expect(await isSession(cookie)).toBe(false);
  });

  test('gives this device a new session', async () => {
    const { browser } = await changedPassword();

    expect(await isSession(cookieOf(browser))).toBe(true);
  });

  test('is one of two that are sent at once, and only its sender is told so', async () => {
    const { username, browser, phone } = await withPhone();
    const words = ['Battery staple 2', 'Battery staple 3'] as const;
    const sendFrom = (door: Visitor, word: string) =>
      door.post('/profile', { intent: 'password', password, newPassword: word });

    const pages = await Promise.all([sendFrom(browser, words[0]), sendFrom(phone, words[1])]);

    expect(pages.map(({ status }) => status).sort()).toEqual([303, 401]);
    expect(await isSession(cookieOf(pages[0]?.status === 303 ? browser : phone))).toBe(true);
    const logins = await Promise.all(words.map((word) => logIn({ username, password: word })));
    expect(logins.map(({ status }) => status)).toEqual(pages.map(({ status }) => (status === 303 ? 200 : 401)));
  });

  const changeOnce = { ...change, once: 'double' };
  const inSameSession = (browser: Visitor): Visitor => {
    const other = daybook.visitor();
    other.cookies.set('daybook', cookieOf(browser));
    return other;
  };

  test('that is sent twice at once is set and leaves this device logged in', async () => {
    const { username, browser } = await newConsumer();

    const pages = await Promise.all([browser.post('/profile', changeOnce), browser.post('/profile', changeOnce)]);

    for (const { status } of pages) expect(status).toBe(303);
    expect(await profileOf(browser)).toMatchObject({ username });
    expect((await logIn({ username, password: newPassword })).status).toBe(200);
  });

  test('that is sent again after its answer was lost leaves this device logged in', async () => {
    const { username, browser } = await newConsumer();
    const again = inSameSession(browser);
    await browser.post('/profile', changeOnce);

    expect((await again.post('/profile', changeOnce)).status).toBe(303);

    expect(await profileOf(again)).toMatchObject({ username });
  });

  test('that was not the one sent first is refused to an ended session', async () => {
    const { browser } = await newConsumer();
    const stranger = inSameSession(browser);
    await browser.post('/profile', changeOnce);

    expect((await stranger.post('/profile', { ...changeOnce, newPassword: 'Another 1' })).status).toBe(401);

    expect(await isSession(cookieOf(stranger))).toBe(false);
  });
});
