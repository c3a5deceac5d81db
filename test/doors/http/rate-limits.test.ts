import { describe, expect, onTestFinished, test } from 'vitest';
import { accountCalls, consumer } from '../../support/account-calls';
import { codeOf, keyOn, wrongCodeOf } from '../../support/authenticator';
import { password, publishOne, registerConsumer, registerProvider, several } from '../../support/factories';
import { openGuest, wordOf } from '../../support/guests';
import { useServer } from '../../support/use-server';
import type { Visitor } from '../../support/visit';

// Each test may say whom it asks for, as a proxy does.
const limited = useServer({ vars: { RATE_LIMIT: undefined }, trustedProxy: { addresses: '127.0.0.1' } });
const { register, logIn } = accountCalls(limited);

describe('with rate limits on', () => {
  const refusal = { status: 429, json: expect.any(String) };

  test('too many wrong passwords stop even the right one, until some time has passed', async () => {
    const { username } = await registerConsumer(limited);
    const other = await registerConsumer(limited);
    const tryWith = (word: string) => logIn({ username, password: word });
    const wrong = await several(10, () => tryWith('Wrong password 1'));
    expect(wrong.map(({ status }) => status)).toEqual(Array(10).fill(401));
    for (const word of ['Wrong password 1', password]) {
      const { status, json, headers } = await tryWith(word);
      expect({ status, json }).toEqual(refusal);
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(15 * 60);
    }
    expect((await logIn({ username: other.username, password })).status).toBe(200);
    await limited.d1.prepare('UPDATE throttles SET ends_at = 0').run();
    expect((await tryWith(password)).status).toBe(200);
  });

  test('a session that has ended guesses no more passwords than a login, and both are counted together', async () => {
    const { username, browser } = await registerConsumer(limited);
    const cookie = browser.cookies.get('daybook') ?? '';
    await browser.api('DELETE', '/api/Account/Logout');
    const stranger = limited.visitor();
    const guess = () => {
      stranger.cookies.set('daybook', cookie);
      return stranger.post('/profile', { intent: 'password', password, newPassword: password, once: 'guess' });
    };
    expect((await several(12, guess)).map(({ status }) => status)).toEqual(Array(12).fill(401));
    expect((await logIn({ username, password })).status).toBe(429);
    await limited.d1.prepare('DELETE FROM throttles').run();
  });

  const wrong = { password: 'Wrong horse 1' };
  test.each<
    [what: string, asLoggedIn: boolean, guess: (visitor: Visitor, username: string) => Promise<{ status: number }>]
  >([
    [
      'an address',
      true,
      (visitor) => visitor.api('PUT', '/api/Account/SetEmail', { email: 'a@example.com', ...wrong }),
    ],
    ['new recovery codes', true, (visitor) => visitor.api('POST', '/api/Account/MakeRecoveryCodes', wrong)],
    [
      'a recovery code',
      false,
      (visitor, username) =>
        visitor.api('PUT', '/api/Account/ResetPassword', { username, code: 'AAAAA-AAAAA', password }),
    ],
  ])('a password guessed by way of %s is counted with those of a login', async (_, asLoggedIn, guess) => {
    const { username, browser } = await registerConsumer(limited);
    const visitor = asLoggedIn ? browser : limited.visitor();
    const guesses = await several(10, () => guess(visitor, username));
    expect(guesses.map(({ status }) => status)).toEqual(Array(10).fill(400));
    const login = () => visitor.api('POST', '/api/Account/Login', { username, password });
    expect((await login()).status).toBe(429);
    await limited.d1.prepare('DELETE FROM throttles').run();
    expect((await login()).status).toBe(200);
  });

  test('codes of a second factor are counted as passwords are, and a look at the password gives no new tries', async () => {
    const { username, browser } = await registerConsumer(limited);
    const page = await browser.visit('/second-factor');
    const key = keyOn(page);
    await page.submit('Turn it on', { code: codeOf(key), password });
    const guess = (code?: string) => logIn({ username, password, ...(code && { code }) });
    const statuses = [];
    for (const code of [...Array(5).fill(wrongCodeOf(key)), undefined, ...Array(4).fill(wrongCodeOf(key))]) {
      statuses.push((await guess(code)).status);
    }
    expect(statuses).toEqual(Array(10).fill(401));
    expect((await guess(codeOf(key, 1))).status).toBe(429);
    await limited.d1.prepare('DELETE FROM throttles').run();
    expect((await guess(codeOf(key, 1))).status).toBe(200);
  });

  test('tries that were counted while a clock was ahead stop nobody for longer than others', async () => {
    const { username } = await registerConsumer(limited);
    expect((await logIn({ username, password: 'Wrong password 1' })).status).toBe(401);
    const aDay = 86_400_000;
    await limited.d1
      .prepare('UPDATE throttles SET tries = 10, ends_at = ?')
      .bind(Date.now() + aDay)
      .run();
    for (const _ of [1, 2]) {
      const { status, headers } = await logIn({ username, password });
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60);
    }
    const ends = await limited.d1
      .prepare('SELECT ends_at FROM throttles WHERE bucket = ?')
      .bind(`login:${username.toLowerCase()}`)
      .first<number>('ends_at');
    expect(ends).toBeLessThanOrEqual(Date.now() + 15 * 60_000);
    await limited.d1.prepare('DELETE FROM throttles').run();
  });

  test('a name that is too long for one is counted by its beginning', async () => {
    const { status } = await logIn({ username: 'x'.repeat(60_000), password });
    expect(status).toBe(401);
    const longest = await limited.d1.prepare('SELECT max(length(bucket)) AS longest FROM throttles').first('longest');
    expect(longest).toBeLessThan(100);
  });

  test('the right password, used often, is never stopped', async () => {
    const { username } = await registerConsumer(limited);
    for (let time = 0; time < 12; time++) {
      expect((await logIn({ username, password })).status).toBe(200);
    }
  });

  test('too many writes of any kind are stopped, but no reading', async () => {
    const hasty = limited.visitor();
    const member = await registerConsumer(limited);
    for (const one of [hasty, member.browser]) one.headers['x-forwarded-for'] = '203.0.113.7';
    // Twice 300 in a minute, and some, in case the minute turns meanwhile.
    const answers = await several(610, () => hasty.api('DELETE', '/api/Account/Logout'));
    const stopped = answers.filter(({ status }) => status !== 204);
    expect(stopped.length).toBeGreaterThan(0);
    for (const { status, json, headers } of stopped) {
      expect({ status, json }).toEqual(refusal);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await hasty.get('/login')).status).toBe(200);
    expect((await hasty.api('GET', '/api/Account/Profile')).status).toBe(400);
    // Whoever is logged in is counted by themselves, wherever they are.
    expect((await member.api('PUT', '/api/Appointment/Cancel?id=none')).status).toBe(404);
  });

  type Try = (who: Visitor) => Promise<{ status: number; headers: Headers }>;
  test.each<[string, string, number, number, number, Try]>([
    ['registrations from one address', 'register:%', 60, 60, 201, () => register(consumer())],
    ['logins from one address', 'login-from:%', 200, 15, 401, () => logIn({ username: consumer().username, password })],
    [
      'guesses at the password that is to be changed',
      'login:%',
      10,
      15,
      400,
      (who) => who.post('/profile', { intent: 'password', password: 'Wrong 1 of mine', newPassword: password }),
    ],
  ])('too many %s are stopped', async (_, bucket, limit, minutes, taken, attempt) => {
    const forget = () => limited.d1.prepare('DELETE FROM throttles').run();
    onTestFinished(async () => void (await forget()));
    const { browser } = await registerConsumer(limited);
    await forget();
    expect((await attempt(browser)).status).toBe(taken);
    const ofBucket = (what: string) => limited.d1.prepare(`${what} WHERE bucket LIKE ?`).bind(bucket);
    const ends = await ofBucket('SELECT max(ends_at) AS ends FROM throttles').first<number>('ends');
    expect(Math.round(((ends ?? 0) - Date.now()) / 60_000)).toBe(minutes);
    await ofBucket(`UPDATE throttles SET tries = ${limit - 1}`).run();
    expect((await attempt(browser)).status).toBe(taken);
    const { status, headers } = await attempt(browser);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(minutes * 60);
  });

  /** The word of a form that was read for a while: one that is sent at once is refused. */
  const readOf = (form: string) => wordOf(limited, form, Date.now() - 5000);
  const noCode = '22222-22222';
  const claim = (who: Visitor, code: string) => who.post('/claim', { code, shown: readOf('claim') });
  test.each<[string, string, number, number, number, Try]>([
    ['guests from one address', 'guest:%', 60, 60, 201, () => openGuest(limited.visitor(), { displayName: 'Zoë' })],
    [
      'bookings of strangers from one address',
      'guest:%',
      60,
      60,
      303,
      async () => {
        const host = await registerProvider(limited);
        const { id } = await publishOne(host);
        const typed = { displayName: 'Zoë', shown: readOf(`book ${host.username.toLowerCase()} ${id}`) };
        return limited.visitor().post(`/with/${host.username}/${id}`, typed);
      },
    ],
    [
      'wishes from one address, of whomever',
      'wish:%',
      60,
      60,
      201,
      async () => {
        const { username } = await registerProvider(limited);
        const stranger = { displayName: 'Zoë', email: 'zoe@mail.test' };
        return limited.visitor().api('POST', '/api/Waitlist/Add', { provider: username, ...stranger });
      },
    ],
    ['codes from one address', 'claim:%', 30, 15, 400, () => claim(limited.visitor(), noCode)],
  ])('too many %s are stopped', async (_, bucket, limit, minutes, taken, attempt) => {
    onTestFinished(async () => void (await limited.d1.prepare('DELETE FROM throttles').run()));
    expect((await attempt(limited.visitor())).status).toBe(taken);
    const fill = limited.d1.prepare('UPDATE throttles SET tries = ? WHERE bucket LIKE ?').bind(limit - 1, bucket);
    await fill.run();
    expect((await attempt(limited.visitor())).status).toBe(taken);
    const { status, headers } = await attempt(limited.visitor());
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(minutes * 60);
  });

  test('a form refuses too many wishes of one address with the status and the words of the call', async () => {
    onTestFinished(async () => void (await limited.d1.prepare('DELETE FROM throttles').run()));
    const { username } = await registerProvider(limited);
    const stranger = { displayName: 'Zoë', email: 'zoe@mail.test' };
    const byForm = () =>
      limited
        .visitor()
        .post(`/with/${username}/wait`, { ...stranger, shown: readOf(`wait ${username.toLowerCase()}`) });
    const byCall = () => limited.visitor().api('POST', '/api/Waitlist/Add', { provider: username, ...stranger });
    expect((await byForm()).status).toBe(303);
    await limited.d1.prepare("UPDATE throttles SET tries = 60 WHERE bucket LIKE 'wish:%'").run();
    const [form, call] = [await byForm(), await byCall()];
    expect([form.status, call.status]).toEqual([429, 429]);
    expect(form.words).toContain(call.json);
    expect(form.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(form.$('[name=email]')?.getAttribute('value')).toBe(stranger.email);
  });

  test('a guest books no more dates in series than one network may, however many each of them has', async () => {
    onTestFinished(async () => void (await limited.d1.prepare('DELETE FROM throttles').run()));
    const year = Array.from({ length: 53 }, (_, week) => `none${week}`);
    const guest = limited.visitor();
    await openGuest(guest, { displayName: 'Zoë' });
    const tryYear = () => guest.api('POST', '/api/Appointment/BookSeries', { ids: year });
    const statuses = (await several(4, tryYear)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([404, 404, 404, 429]);
  });

  test('a form that anyone can send is shown again to whoever sends it at once, with all that was typed', async () => {
    const host = await registerProvider(limited);
    const { id } = await publishOne(host);
    const form = await limited.visitor().get(`/with/${host.username}/${id}`);
    const again = await form.submit('Book', { displayName: 'Zoë' });
    expect([again.status, again.words]).toEqual([400, expect.stringContaining('too fast for a person')]);
    expect(again.$('[name=displayName]')?.getAttribute('value')).toBe('Zoë');
    const typed = { displayName: 'Zoë', shown: readOf(`book ${host.username.toLowerCase()} ${id}`) };
    const done = await limited.visitor().post(`/with/${host.username}/${id}`, typed);
    expect([done.status, done.location]).toEqual([303, expect.stringMatching(/^\/booking\//)]);
  });

  test('a right code is not spent by whoever has tried too many', async () => {
    const host = await registerProvider(limited);
    const slot = await publishOne(host);
    const page = await host.browser.get(`/details-provider/${slot.id}`);
    const made = await page.submit('Book for them', { displayName: 'Wanda' });
    const code = made.$('#code')?.text ?? '';
    await claim(limited.visitor(), noCode);
    await limited.d1.prepare("UPDATE throttles SET tries = 30 WHERE bucket LIKE 'claim:%'").run();
    expect((await claim(limited.visitor(), code)).status).toBe(429);
    await limited.d1.prepare('DELETE FROM throttles').run();
    expect((await claim(limited.visitor(), code)).status).toBe(303);
  });

  test('whoever asks for names by registrations that are wrong is told as few as by right ones', async () => {
    const { username } = await registerConsumer(limited);
    const ask = async () => JSON.stringify((await register({ ...consumer(), username, password: 'wrong' })).json);
    expect(await ask()).toContain('already taken');
    await limited.d1.prepare(`UPDATE throttles SET tries = 60 WHERE bucket LIKE 'register:%'`).run();
    expect(await ask()).not.toContain('taken');
    expect(await ask()).toContain('Password needs');
    await limited.d1.prepare('DELETE FROM throttles').run();
  });

  test.each([
    ['2001:db8:1:2::1', ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::'], ['2001:db8:1:3::1', '2001:db8::1:2:1']],
    ['2001:db8::1', ['2001:db8::2', '2001:db8:0:0:1:2:3:4'], ['2001:db8:0:1::1', '2001::db8:1:2:3:4:5']],
    ['198.51.100.1', ['198.51.100.1'], ['198.51.100.2']],
  ])('whoever has %s is stopped at %j, too, and nobody else', async (address, theirs, others) => {
    const registered = async (at: string) => {
      const someone = limited.visitor();
      someone.headers['x-forwarded-for'] = at;
      return (await register(consumer(), {}, someone)).status;
    };
    expect(await registered(address)).toBe(201);
    await limited.d1.prepare(`UPDATE throttles SET tries = 1000 WHERE bucket LIKE 'register:%'`).run();
    for (const at of theirs) expect([at, await registered(at)]).toEqual([at, 429]);
    for (const at of others) expect([at, await registered(at)]).toEqual([at, 201]);
  });
});
