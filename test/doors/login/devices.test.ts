import { describe, expect, test } from 'vitest';
import { accountCalls } from '../../support/account-calls';
import { type Person, password, peopleAt, registerConsumer, several } from '../../support/factories';
import { useServer } from '../../support/use-server';
import type { Visitor } from '../../support/visit';

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { logIn } = accountCalls(daybook);

const day = 24 * 60 * 60 * 1000;
const android = 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0';

type Session = { id: string; createdAt: string; lastUsedAt: string; device: string; isThis: boolean };
const sessionsOf = async (who: Pick<Person, 'api'>) =>
  (await who.api('GET', '/api/Account/Sessions')).json as Session[];
const isInside = async (who: Pick<Person, 'api'>) => (await who.api('GET', '/api/Account/Profile')).status === 200;

test('the sessions of an account are those that stand, and end one by one, the asking one too; the second time there is none', async () => {
  const before = Date.now();
  const { username, api } = await newConsumer();
  const phone = daybook.visitor();
  await logIn({ username, password }, phone, { 'user-agent': android });
  const [there, here, ...others] = (await sessionsOf(phone)) as [Session, Session];
  expect([there.device, there.isThis, here.isThis, others]).toEqual(['Firefox on Android', true, false, []]);
  for (const at of [there.createdAt, there.lastUsedAt]) expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
  expect((await sessionsOf({ api })).map(({ id }) => id)).toEqual([here.id, there.id]);
  const end = ({ id }: Session) => api('DELETE', `/api/Account/EndSession?id=${id}`);
  expect([(await end(there)).status, await isInside(phone), await isInside({ api })]).toEqual([204, false, true]);
  expect((await end(there)).status).toBe(404);
  const { status, headers } = await end(here);
  expect([status, headers.get('set-cookie')]).toEqual([204, expect.stringMatching(/^daybook=; Max-Age=0/)]);
  expect((await api('GET', '/api/Account/Sessions')).status).toBe(401);
});

test('a session in use lasts 180 days in all, its use is noted once a day, and once expired it is none', async () => {
  const person = await newConsumer();
  const [{ id }] = (await sessionsOf(person)) as [Session];
  const row = async () =>
    (await daybook.d1
      .prepare('SELECT last_used_at AS usedAt, expires_at AS endsAt FROM sessions WHERE id = ?')
      .bind(id)
      .first()) as { usedAt: number; endsAt: number };
  /** The cookies of the session that an answer sets. */
  const renewed = async () => {
    const { headers } = await person.browser.get('/profile');
    return headers.getSetCookie().filter((line) => line.startsWith('daybook='));
  };
  const aged = async (days: number) => {
    const made = Date.now() - days * day;
    await daybook.d1
      .prepare('UPDATE sessions SET created_at = ?, last_used_at = ? WHERE id = ?')
      .bind(made, Date.now() - 2 * day, id)
      .run();
    expect(await renewed()).toEqual([expect.stringContaining('Max-Age=2592000')]);
    await expect.poll(async () => (await row()).usedAt).toBeGreaterThan(Date.now() - day);
    return Math.round(((await row()).endsAt - made) / day);
  };
  expect([await aged(10), await aged(179)]).toEqual([40, 180]);
  const noted = await row();
  expect([await renewed(), await row()]).toEqual([[], noted]);
  await daybook.d1.prepare('UPDATE sessions SET expires_at = ? WHERE id = ?').bind(Date.now(), id).run();
  expect(await isInside(person)).toBe(false);
});

describe('on a device where somebody has logged in before', () => {
  const limited = useServer({ vars: { RATE_LIMIT: undefined } });
  const device = 'daybook-device';

  /** Ten wrong passwords, which is all that a name has in a quarter of an hour. */
  async function guess(username: string, from = limited.visitor()): Promise<void> {
    const answers = await several(10, () => logIn({ username, password: 'Wrong password 1' }, from));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(401));
  }

  /** Whether the right password lets somebody in from there. */
  const enters = async (username: string, from: Visitor) => (await logIn({ username, password }, from)).status;

  test('they still can while others guess at their password; ten wrong ones are all it has, and keep no other out', async () => {
    const { username, browser, api } = await registerConsumer(limited);
    const [phone, stranger] = [limited.visitor(), limited.visitor()];
    await enters(username, phone);
    await guess(username);
    await api('DELETE', '/api/Account/Logout');
    expect(await enters(username, browser)).toBe(200);
    await api('DELETE', '/api/Account/Logout');
    expect((await browser.post('/login', { username, password })).location).toBe('/profile');
    // Everywhere else the guesses still count.
    expect(await enters(username, stranger)).toBe(429);
    await limited.d1.prepare('DELETE FROM throttles').run();
    await guess(username, phone);
    const others = [await enters(username, browser), await enters(username, stranger)];
    expect([await enters(username, phone), ...others]).toEqual([429, 200, 200]);
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
});
