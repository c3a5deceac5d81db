import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
const idsOf = (sessions: Session[]) => sessions.map(({ id }) => id);
const isInside = async (who: Pick<Person, 'api'>) => (await who.api('GET', '/api/Account/Profile')).status === 200;

/** A consumer at a computer, who has logged in on a phone as well. */
async function onTwoDevices() {
  const computer = await newConsumer();
  const phone = daybook.visitor();
  await logIn({ username: computer.username, password }, phone, { 'user-agent': android });
  return { computer, phone };
}

describe('the list of sessions', () => {
  const startedAt = Date.now();
  let seenOnPhone: Session[];
  let seenOnComputer: Session[];
  beforeAll(async () => {
    const { computer, phone } = await onTwoDevices();
    seenOnPhone = await sessionsOf(phone);
    seenOnComputer = await sessionsOf(computer);
  });

  test('has those that stand', () => {
    expect(seenOnPhone).toHaveLength(2);
    expect(seenOnComputer).toHaveLength(2);
  });

  test('begins with the one that asks', () => {
    expect(seenOnPhone.map(({ isThis }) => isThis)).toEqual([true, false]);
    expect(idsOf(seenOnComputer)).toEqual(idsOf(seenOnPhone).reverse());
  });

  test('names the device of each', () => {
    expect(seenOnPhone[0]?.device).toBe('Firefox on Android');
  });

  test('says when each began and was last used', () => {
    const [{ createdAt, lastUsedAt }] = seenOnPhone as [Session];

    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(startedAt);
    expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(startedAt);
  });
});

describe('a session that its owner ends', () => {
  const end = (who: Person, { id }: Session) => who.api('DELETE', `/api/Account/EndSession?id=${id}`);

  test('is out, and no other', async () => {
    const { computer, phone } = await onTwoDevices();
    const [, onPhone] = (await sessionsOf(computer)) as [Session, Session];

    const { status } = await end(computer, onPhone);

    expect(status).toBe(204);
    expect(await isInside(phone)).toBe(false);
    expect(await isInside(computer)).toBe(true);
  });

  test('is none to be ended again', async () => {
    const { computer } = await onTwoDevices();
    const [, onPhone] = (await sessionsOf(computer)) as [Session, Session];
    await end(computer, onPhone);

    const { status } = await end(computer, onPhone);

    expect(status).toBe(404);
  });

  test('may be the one that asks, whose cookie goes with it', async () => {
    const person = await newConsumer();
    const [own] = (await sessionsOf(person)) as [Session];

    const { status, headers } = await end(person, own);

    expect(status).toBe(204);
    expect(headers.get('set-cookie')).toMatch(/^daybook=; Max-Age=0/);
    expect((await person.api('GET', '/api/Account/Sessions')).status).toBe(401);
  });
});

describe('a session in use', () => {
  let person: Person;
  let sessionId: string;
  beforeEach(async () => {
    person = await newConsumer();
    const [session] = (await sessionsOf(person)) as [Session];
    sessionId = session.id;
  });

  const set = (column: string, value: number) =>
    daybook.d1.prepare(`UPDATE sessions SET ${column} = ? WHERE id = ?`).bind(value, sessionId).run();
  const storedSession = async () =>
    (await daybook.d1
      .prepare('SELECT last_used_at AS usedAt, expires_at AS endsAt FROM sessions WHERE id = ?')
      .bind(sessionId)
      .first()) as { usedAt: number; endsAt: number };

  /** The cookies of the session that a page sets anew. */
  async function useIt(): Promise<string[]> {
    const { headers } = await person.browser.get('/profile');
    return headers.getSetCookie().filter((line) => line.startsWith('daybook='));
  }
  /** Uses it so many days after the login, and two days after its last use. */
  async function useItOnDay(days: number) {
    const createdAt = Date.now() - days * day;
    await set('created_at', createdAt);
    await set('last_used_at', Date.now() - 2 * day);
    const cookies = await useIt();
    await expect.poll(async () => (await storedSession()).usedAt).toBeGreaterThan(Date.now() - day);
    const { endsAt } = await storedSession();
    return { cookies, daysInAll: Math.round((endsAt - createdAt) / day) };
  }

  test('lasts 30 days more', async () => {
    const { daysInAll } = await useItOnDay(10);

    expect(daysInAll).toBe(40);
  });

  test('has a cookie of 30 days', async () => {
    const { cookies } = await useItOnDay(10);

    expect(cookies).toEqual([expect.stringContaining('Max-Age=2592000')]);
  });

  test('lasts 180 days in all', async () => {
    const { daysInAll, cookies } = await useItOnDay(179);

    expect(daysInAll).toBe(180);
    expect(cookies).toEqual([expect.stringContaining('Max-Age=2592000')]);
  });

  test('is noted once a day', async () => {
    await useItOnDay(10);
    const noted = await storedSession();

    const cookies = await useIt();

    expect(cookies).toEqual([]);
    expect(await storedSession()).toEqual(noted);
  });

  test('lets nobody in once it has expired', async () => {
    await set('expires_at', Date.now());

    expect(await isInside(person)).toBe(false);
  });
});

describe('a device where somebody has logged in before', () => {
  const limited = useServer({ vars: { RATE_LIMIT: undefined } });
  const cookieName = 'daybook-device';

  /** Ten wrong passwords, which is all that a name has in a quarter of an hour. */
  async function guess(username: string, from = limited.visitor()): Promise<void> {
    const responses = await several(10, () => logIn({ username, password: 'Wrong password 1' }, from));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(401));
  }
  /** The status of a login with the right password. */
  const statusOfLogin = async (username: string, from: Visitor) => (await logIn({ username, password }, from)).status;

  test('lets them in while others guess at their password', async () => {
    const { username, browser, api } = await registerConsumer(limited);
    await guess(username);
    await api('DELETE', '/api/Account/Logout');

    expect(await statusOfLogin(username, browser)).toBe(200);
  });

  test('lets them in by the form then', async () => {
    const { username, browser, api } = await registerConsumer(limited);
    await guess(username);
    await api('DELETE', '/api/Account/Logout');

    const page = await browser.post('/login', { username, password });

    expect(page.location).toBe('/profile');
  });

  test('gives no other device more tries', async () => {
    const { username, browser } = await registerConsumer(limited);
    await guess(username);
    await statusOfLogin(username, browser);

    expect(await statusOfLogin(username, limited.visitor())).toBe(429);
  });

  describe('once ten wrong passwords came from it', () => {
    let username: string;
    let computer: Visitor;
    let phone: Visitor;
    beforeAll(async () => {
      ({ username, browser: computer } = await registerConsumer(limited));
      phone = limited.visitor();
      await statusOfLogin(username, phone);
      await guess(username, phone);
    });

    test('has no more tries', async () => {
      expect(await statusOfLogin(username, phone)).toBe(429);
    });

    test('keeps no other known device out', async () => {
      expect(await statusOfLogin(username, computer)).toBe(200);
    });

    test('keeps no stranger’s device out', async () => {
      expect(await statusOfLogin(username, limited.visitor())).toBe(200);
    });
  });

  describe('is unknown', () => {
    let ana: Person;
    let guessed: string;
    beforeAll(async () => {
      ana = await registerConsumer(limited);
      guessed = (await registerConsumer(limited)).username;
      await guess(guessed);
    });

    /** The cookie of Ana's device, changed to the account that is guessed at. */
    async function forgedCookie(): Promise<string> {
      const cookie = decodeURIComponent(ana.browser.cookies.get(cookieName) ?? '');
      const [payload = '', signature] = cookie.split('.');
      const { d } = JSON.parse(atob(payload));
      const find = limited.d1.prepare('SELECT id FROM accounts WHERE username = ?').bind(guessed);
      const forged = btoa(JSON.stringify({ a: await find.first('id'), d }));
      return encodeURIComponent(`${forged}.${signature}`);
    }

    test('to another account', async () => {
      expect(await statusOfLogin(guessed, ana.browser)).toBe(429);
    });

    test.each<[what: string, cookie: () => string | Promise<string>]>([
      ['was written for another account', forgedCookie],
      ['is that of a session', () => ana.browser.cookies.get('daybook') ?? ''],
      ['is no such thing', () => 'x'],
      ['can’t be decoded', () => '%E0%A4%A'],
    ])('where its cookie %s', async (_, cookie) => {
      const stranger = limited.visitor();
      stranger.cookies.set(cookieName, await cookie());

      expect(await statusOfLogin(guessed, stranger)).toBe(429);
    });
  });
});
