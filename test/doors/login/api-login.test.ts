import { describe, expect, test } from 'vitest';
import { accountCalls, consumer, profileOf } from '../../support/account-calls';
import { password, peopleAt } from '../../support/factories';
import { useServer } from '../../support/use-server';
import type { Visitor } from '../../support/visit';

const daybook = useServer({ trustedProxy: { addresses: '127.0.0.1' } });
const { newProvider, newConsumer } = peopleAt(daybook);

const { register, logIn } = accountCalls(daybook);

/** Whether each browser with one of these session cookies is taken for somebody. */
const count = (...cookies: string[]) =>
  Promise.all(
    cookies.map(async (cookie) => {
      const browser = daybook.visitor();
      browser.cookies.set('daybook', cookie);
      const { status } = await browser.api('GET', '/api/Account/Profile');
      expect([200, 400]).toContain(status);
      return status === 200;
    }),
  );
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
  test('answers the profile, and knows the username in any case', async () => {
    const { username, ...ana } = await newProvider({ username: 'Ana.Dias' });
    for (const typed of ['ana.dias', ` ${username.toUpperCase()} `]) {
      const browser = daybook.visitor();
      const { status, json } = await logIn({ username: typed, password }, browser);
      expect([status, json]).toStrictEqual([200, await profileOf(ana)]);
      expect(await profileOf(browser)).toStrictEqual(json);
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
  });
});

describe('the cookies', () => {
  const overTls = { 'x-forwarded-proto': 'https' };

  test.each([
    ['http', {}, '', []],
    ['https', overTls, '__Host-', ['Secure']],
  ])(
    'over %s can be read by no script, go to no other site, and are Secure where they can be',
    async (_, sent, prefix, more) => {
      const cookies = cookiesOf(await register(consumer(), sent));
      expect(cookies.get(`${prefix}daybook`)).toContain('Max-Age=2592000');
      expect(cookies.get(`${prefix}daybook-seen`)).toContain('Max-Age=300');
      for (const [name, attributes] of cookies) {
        expect(name.startsWith(prefix)).toBe(true);
        const lasting = attributes.filter((attribute) => !/^(Max-Age|Expires)=/.test(attribute));
        expect(lasting.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', ...more]);
      }
    },
  );

  test('count over https under the name that no other host can set, and under no other', async () => {
    const { browser } = await newConsumer();
    const statusOf = async (name: string, sent = {}) => {
      const reader = daybook.visitor();
      reader.cookies.set(name, cookieOf(browser));
      return (await reader.api('GET', '/api/Account/Profile', undefined, sent)).status;
    };
    expect([await statusOf('daybook'), await statusOf('__Host-daybook', overTls)]).toEqual([200, 200]);
    expect([await statusOf('__Host-daybook'), await statusOf('daybook', overTls)]).toEqual([400, 400]);
  });

  test('one that was tampered with, or is rubbish, is no session', async () => {
    const { browser } = await newConsumer();
    const cookie = cookieOf(browser);
    const [claims = '', signature = ''] = decodeURIComponent(cookie).split('.');
    const asProvider = btoa(atob(claims).replace('"Consumer"', '"Provider"'));
    expect(asProvider).not.toBe(claims);
    const forged = [`${asProvider}.${signature}`, `.${signature}`, claims, `${claims}.`, cookie.slice(0, -9)];
    const values = [...forged, 'x', 'no.cookie!', 'é', ''].map(encodeURIComponent);
    expect(await count(cookie, ...values, '%E0%A4%A')).toEqual([true, ...Array(values.length + 1).fill(false)]);
  });
});

describe('logging out', () => {
  test('ends the session and takes its cookie away, but leaves other devices; again, it is still a 204', async () => {
    const { browser, api, phone } = await withPhone();
    const cookie = cookieOf(browser);
    for (const _ of ['first', 'again']) {
      expect(await api('DELETE', '/api/Account/Logout')).toMatchObject({ status: 204, text: '' });
      expect(browser.cookies.get('daybook')).toBeUndefined();
    }
    expect(await count(cookie, cookieOf(phone))).toEqual([false, true]);
  });

  test('everywhere ends every session, and takes this cookie away', async () => {
    const { username, browser, phone } = await withPhone();
    const earlier = [cookieOf(browser), cookieOf(phone)];
    const { status, location } = await browser.post('/profile', { intent: 'everywhere' });
    expect({ status, location }).toEqual({ status: 303, location: '/' });
    expect(browser.cookies.get('daybook')).toBeUndefined();
    expect(await count(...earlier)).toEqual([false, false]);
    expect((await logIn({ username, password })).status).toBe(200);
  });
});

test('a new login in a browser ends the session that it replaces, and no other', async () => {
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
    expect(await count(before, cookieOf(browser))).toEqual([false, true]);
  }
  expect(await count(cookieOf(phone))).toEqual([true]);
});

describe('a new password', () => {
  const newPassword = 'Battery staple 2';

  test('needs the old one, ends every earlier session, and gives this device a new one', async () => {
    const { username, browser, phone } = await withPhone();
    const earlier = [cookieOf(browser), cookieOf(phone)];
    const change = { intent: 'password', password, newPassword };
    const refused = await browser.post('/profile', { ...change, password: 'Wrong 1 of mine' });
    expect([refused.status, await count(...earlier)]).toEqual([400, [true, true]]);
    expect((await browser.post('/profile', change)).status).toBe(303);
    expect(await count(...earlier, cookieOf(browser))).toEqual([false, false, true]);
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
    expect(await count(cookieOf(pages[0]?.status === 303 ? browser : phone))).toEqual([true]);
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
    expect(await count(cookieOf(stranger))).toEqual([false]);
  });
});
