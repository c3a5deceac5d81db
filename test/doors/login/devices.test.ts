import { describe, expect, test } from 'vitest';
import { accountCalls, profileOf } from '../../support/account-calls';
import { type Person, password, peopleAt } from '../../support/factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { logIn } = accountCalls(daybook);

const day = 24 * 60 * 60 * 1000;
const android = 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0';

type Session = { id: string; createdAt: string; lastUsedAt: string; device: string; isThis: boolean };
const sessionsOf = async (who: Pick<Person, 'api'>) =>
  (await who.api('GET', '/api/Account/Sessions')).json as Session[];
const isInside = async (who: Pick<Person, 'api'>) => (await who.api('GET', '/api/Account/Profile')).status === 200;

/** A new consumer, and the browser of a phone on which they have logged in too. */
async function withPhone() {
  const person = await newConsumer();
  const phone = daybook.visitor();
  await logIn({ username: person.username, password }, phone, { 'user-agent': android });
  return { ...person, phone };
}

describe('the sessions of an account', () => {
  test('are all that stand, this one first, each with its device and times', async () => {
    const before = Date.now();
    const { api, phone } = await withPhone();
    const [here, there, ...others] = await sessionsOf(phone);
    expect(others).toEqual([]);
    expect(here).toMatchObject({ device: 'Firefox on Android', isThis: true });
    expect(there).toMatchObject({ isThis: false });
    for (const at of [here?.createdAt, here?.lastUsedAt]) expect(Date.parse(at ?? '')).toBeGreaterThanOrEqual(before);
    expect((await sessionsOf({ api })).map(({ id, isThis }) => [id, isThis])).toEqual([
      [there?.id, true],
      [here?.id, false],
    ]);
  });

  test('are nobody else’s to see or to end', async () => {
    const [{ phone }, other] = [await withPhone(), await newConsumer()];
    const [own] = await sessionsOf(phone);
    expect((await sessionsOf(other)).map(({ id }) => id)).not.toContain(own?.id);
    for (const id of [own?.id, 'none']) {
      const { status, json } = await other.api('DELETE', `/api/Account/EndSession?id=${id}`);
      expect([status, json]).toEqual([404, 'There is no such session.']);
    }
    expect((await daybook.visitor().api('DELETE', `/api/Account/EndSession?id=${own?.id}`)).status).toBe(401);
    expect((await other.api('DELETE', '/api/Account/EndSession')).status).toBe(400);
    expect(await isInside(phone)).toBe(true);
  });

  test('end one by one, the asking one too; the second time there is none', async () => {
    const { api, phone } = await withPhone();
    const [here, there] = await sessionsOf({ api });
    expect((await api('DELETE', `/api/Account/EndSession?id=${there?.id}`)).status).toBe(204);
    expect([await isInside(phone), await isInside({ api })]).toEqual([false, true]);
    expect((await api('DELETE', `/api/Account/EndSession?id=${there?.id}`)).status).toBe(404);
    const { status, headers } = await api('DELETE', `/api/Account/EndSession?id=${here?.id}`);
    expect([status, headers.get('set-cookie')]).toEqual([204, expect.stringMatching(/^daybook=; Max-Age=0/)]);
    expect((await api('GET', '/api/Account/Sessions')).status).toBe(401);
  });

  test('stand on a page under the profile, with a button for each', async () => {
    const { browser, phone } = await withPhone();
    const profile = await browser.visit('/profile');
    const page = await profile.click('your devices');
    expect(page.words).toContain('Firefox on Android');
    const buttons = page.$$('main form button').map((button) => button.getAttribute('aria-label'));
    expect(buttons).toEqual(['Log out this device', expect.stringMatching(/^Log out Firefox on Android, since \w+/)]);
    const left = await page.submit('button[aria-label^="Log out Firefox"]');
    expect([left.path, left.words]).toEqual([
      '/devices?ended=yes',
      expect.stringContaining('That device is logged out.'),
    ]);
    expect(await isInside(phone)).toBe(false);
    expect((await left.submit('button[aria-label="Log out this device"]')).path).toBe('/');
    expect((await browser.get('/devices')).location).toMatch(/^\/not-logged-in/);
  });
});

describe('a session', () => {
  const rowOf = (id?: string) =>
    daybook.d1
      .prepare('SELECT created_at, last_used_at, expires_at FROM sessions WHERE id = ?')
      .bind(id)
      .first() as Promise<{
      created_at: number;
      last_used_at: number;
      expires_at: number;
    }>;

  test('in use lasts 180 days in all, and its use is noted once a day', async () => {
    const person = await newConsumer();
    const [session] = await sessionsOf(person);
    const aged = async (days: number) => {
      const made = Date.now() - days * day;
      await daybook.d1
        .prepare('UPDATE sessions SET created_at = ?, last_used_at = ? WHERE id = ?')
        .bind(made, Date.now() - 2 * day, session?.id)
        .run();
      await person.browser.get('/profile');
      await expect.poll(async () => (await rowOf(session?.id)).last_used_at).toBeGreaterThan(Date.now() - day);
      return (await rowOf(session?.id)).expires_at - made;
    };
    expect(Math.round((await aged(10)) / day)).toBe(40);
    expect(Math.round((await aged(179)) / day)).toBe(180);
    const noted = await rowOf(session?.id);
    await person.browser.get('/profile');
    expect(await rowOf(session?.id)).toEqual(noted);
  });
});

test.each([
  [android, 'Firefox on Android'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.6 Safari/604.1',
    'Safari on iPhone',
  ],
  ['curl/8.14', 'curl'],
  ['<script>alert(1)</script>', 'Unknown device'],
])('a browser that calls itself %s is %s', async (agent, device) => {
  const { username } = await newConsumer();
  const browser = daybook.visitor();
  await logIn({ username, password }, browser, { 'user-agent': agent });
  expect(await profileOf(browser)).toMatchObject({ username });
  expect((await sessionsOf(browser))[0]).toMatchObject({ device, isThis: true });
});
