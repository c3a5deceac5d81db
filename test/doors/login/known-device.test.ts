import { beforeEach, describe, expect, test } from 'vitest';
import { accountCalls } from '../../support/account-calls';
import { password, registerConsumer, several } from '../../support/factories';
import { useServer } from '../../support/use-server';
import type { Visitor } from '../../support/visit';

const limited = useServer({ vars: { RATE_LIMIT: undefined } });
const { logIn } = accountCalls(limited);

const device = 'daybook-device';

/** Ten wrong passwords, which is all that a name has in a quarter of an hour. */
async function guess(username: string, from = limited.visitor()): Promise<void> {
  const answers = await several(10, () => logIn({ username, password: 'Wrong password 1' }, from));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(401));
}

/** Whether the right password lets somebody in from there. */
const enters = async (username: string, from: Visitor) => (await logIn({ username, password }, from)).status;

beforeEach(async () => void (await limited.d1.prepare('DELETE FROM throttles').run()));

describe('on a device where somebody has logged in before', () => {
  test('they still can while others guess at their password, through the API and by the form', async () => {
    const { username, browser, api } = await registerConsumer(limited);
    await api('DELETE', '/api/Account/Logout');
    await guess(username);
    expect(await enters(username, limited.visitor())).toBe(429);
    expect(await enters(username, browser)).toBe(200);
    await api('DELETE', '/api/Account/Logout');
    const page = await (await browser.get('/login')).submit('Log in', { username, password });
    expect([page.status, page.path]).toEqual([200, '/profile']);
    // Everywhere else the guesses still count.
    expect(await enters(username, limited.visitor())).toBe(429);
  });

  test('ten wrong passwords are all it has, and those keep no other device out', async () => {
    const { username, browser } = await registerConsumer(limited);
    const phone = limited.visitor();
    expect(await enters(username, phone)).toBe(200);
    await guess(username, phone);
    expect(await enters(username, phone)).toBe(429);
    expect(await enters(username, browser)).toBe(200);
    expect(await enters(username, limited.visitor())).toBe(200);
  });

  test('it stays the same device by every login, so that logging in gives nobody more guesses', async () => {
    const { username, browser } = await registerConsumer(limited);
    const before = browser.cookies.get(device);
    expect(before).toEqual(expect.any(String));
    expect(await enters(username, browser)).toBe(200);
    expect(browser.cookies.get(device)).toBe(before);
  });

  test('it is known for that account only, and not where its cookie was tampered with', async () => {
    const ana = await registerConsumer(limited);
    const { username } = await registerConsumer(limited);
    await guess(username);
    expect(await enters(username, ana.browser)).toBe(429);
    const session = ana.browser.cookies.get('daybook') ?? '';
    const [claims = '', signature] = decodeURIComponent(ana.browser.cookies.get(device) ?? '').split('.');
    const { d } = JSON.parse(atob(claims));
    const id = await limited.d1.prepare('SELECT id FROM accounts WHERE username = ?').bind(username).first('id');
    const forged = `${btoa(JSON.stringify({ a: id, d }))}.${signature}`;
    for (const value of [encodeURIComponent(forged), session, 'x', '%E0%A4%A']) {
      const stranger = limited.visitor();
      stranger.cookies.set(device, value);
      expect([value, await enters(username, stranger)]).toEqual([value, 429]);
    }
  });

  test('a year it is remembered, by a cookie that no script can read and that names nobody', async () => {
    const { username, browser } = await registerConsumer(limited);
    const { headers } = await logIn({ username, password }, browser);
    const line = headers.getSetCookie().find((cookie) => cookie.startsWith(`${device}=`)) ?? '';
    for (const attribute of ['Max-Age=31536000', 'HttpOnly', 'SameSite=Lax', 'Path=/'])
      expect(line).toContain(attribute);
    const [claims = ''] = decodeURIComponent(line.slice(device.length + 1)).split('.');
    expect(atob(claims)).not.toContain(username);
  });
});
