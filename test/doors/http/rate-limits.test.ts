import { afterEach, expect, test } from 'vitest';
import { accountCalls, consumer } from '../../support/account-calls';
import { codeOf, keyOn, wrongCodeOf } from '../../support/authenticator';
import { password, publishOne, registerConsumer, registerProvider, several } from '../../support/factories';
import { openGuest, wordOf } from '../../support/guests';
import { useServer } from '../../support/use-server';
import type { Visitor } from '../../support/visit';

// Each test may say whom it asks for, as a proxy does.
const limited = useServer({ vars: { RATE_LIMIT: undefined }, trustedProxy: { addresses: '127.0.0.1' } });
const { register, logIn } = accountCalls(limited);
const forget = () => limited.d1.prepare('DELETE FROM throttles').run();
afterEach(async () => void (await forget()));

/** Says that so many have been counted in each of these buckets. */
const count = (tries: number, bucket: string) =>
  limited.d1.prepare('UPDATE throttles SET tries = ? WHERE bucket LIKE ?').bind(tries, bucket).run();

type Refused = { status: number; headers: Headers };
function expectStopped({ status, headers }: Refused, minutes: number): void {
  const after = Number(headers.get('retry-after'));
  expect([status, after > 0, after <= minutes * 60]).toEqual([429, true, true]);
}

const wrong = { password: 'Wrong horse 1' };

test('too many wrong passwords stop even the right one, until some time has passed', async () => {
  const { username } = await registerConsumer(limited);
  const guesses = await several(10, () => logIn({ username, ...wrong }));
  expect(guesses.map(({ status }) => status)).toEqual(Array(10).fill(401));
  expectStopped(await logIn({ username, password }), 15);
  const form = await limited.visitor().post('/login', { username, password });
  expectStopped(form, 15);
  expect(form.$('input[name=username]')?.getAttribute('value')).toBe(username);
  await limited.d1.prepare('UPDATE throttles SET ends_at = 0').run();
  expect((await logIn({ username, password })).status).toBe(200);
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
});

const newPassword = { intent: 'password', ...wrong, newPassword: password };
test.each<[what: string, guess: (who: Visitor, username: string) => Promise<{ status: number }>]>([
  ['an address', (who) => who.api('PUT', '/api/Account/SetEmail', { email: 'a@example.com', ...wrong })],
  ['new recovery codes', (who) => who.api('POST', '/api/Account/MakeRecoveryCodes', wrong)],
  ['the password that is to be changed', (who) => who.post('/profile', newPassword)],
  [
    'a recovery code',
    (who, username) => who.api('PUT', '/api/Account/ResetPassword', { username, code: 'AAAAA-AAAAA', password }),
  ],
])('a password guessed by way of %s is counted with those of a login', async (_, guess) => {
  const { username, browser } = await registerConsumer(limited);
  const guesses = await several(10, () => guess(browser, username));
  expect(guesses.map(({ status }) => status)).toEqual(Array(10).fill(400));
  expect((await logIn({ username, password }, browser)).status).toBe(429);
});

test('codes of a second factor are counted as passwords are, and a look at the password gives no new tries', async () => {
  const { username, browser } = await registerConsumer(limited);
  const page = await browser.visit('/second-factor');
  const key = keyOn(page);
  await page.submit('Turn it on', { code: codeOf(key), password });
  const guess = async (code?: string) => (await logIn({ username, password, ...(code && { code }) })).status;
  const statuses = [];
  for (const code of [...Array(5).fill(wrongCodeOf(key)), undefined, ...Array(4).fill(wrongCodeOf(key))]) {
    statuses.push(await guess(code));
  }
  expect(statuses).toEqual(Array(10).fill(401));
  expect(await guess(codeOf(key, 1))).toBe(429);
  await forget();
  expect(await guess(codeOf(key, 1))).toBe(200);
});

test('too many writes of any kind are stopped, but no reading', async () => {
  const hasty = limited.visitor();
  const member = await registerConsumer(limited);
  for (const one of [hasty, member.browser]) one.headers['x-forwarded-for'] = '203.0.113.7';
  // Twice 300 in a minute, and some, in case the minute turns meanwhile.
  const answers = await several(610, () => hasty.api('DELETE', '/api/Account/Logout'));
  const stopped = answers.filter(({ status }) => status !== 204);
  expect(stopped.length).toBeGreaterThan(0);
  for (const answer of stopped) expectStopped(answer, 1);
  expect((await hasty.get('/login')).status).toBe(200);
  // Whoever is logged in is counted by themselves, wherever they are.
  expect((await member.api('PUT', '/api/Appointment/Cancel?id=none')).status).toBe(404);
});

/** The word of a form that was read for a while: one that is sent at once is refused. */
const readOf = (form: string) => wordOf(limited, form, Date.now() - 5000);
const claim = (code: string) => limited.visitor().post('/claim', { code, shown: readOf('claim') });
const zoe = { displayName: 'Zoë', email: 'zoe@mail.test' };
const wish = async () =>
  limited.visitor().api('POST', '/api/Waitlist/Add', { provider: (await registerProvider(limited)).username, ...zoe });
async function bookAsStranger(): Promise<Refused> {
  const host = await registerProvider(limited);
  const { id } = await publishOne(host);
  const typed = { displayName: 'Zoë', shown: readOf(`book ${host.username} ${id}`) };
  return limited.visitor().post(`/with/${host.username}/${id}`, typed);
}

type Limit = [string, bucket: string, limit: number, minutes: number, taken: number, send: () => Promise<Refused>];
test.each<Limit>([
  ['registrations from one address', 'register:%', 60, 60, 201, () => register(consumer())],
  ['logins from one address', 'login-from:%', 200, 15, 401, () => logIn({ username: consumer().username, password })],
  ['guests from one address', 'guest:%', 60, 60, 201, () => openGuest(limited.visitor(), { displayName: 'Zoë' })],
  ['bookings of strangers from one address', 'guest:%', 60, 60, 303, bookAsStranger],
  ['wishes from one address, of whomever', 'wish:%', 60, 60, 201, wish],
  ['codes from one address', 'claim:%', 30, 15, 400, () => claim('22222-22222')],
])('too many %s are stopped', async (_, bucket, limit, minutes, taken, send) => {
  expect((await send()).status).toBe(taken);
  const ends = limited.d1.prepare('SELECT max(ends_at) AS ends FROM throttles WHERE bucket LIKE ?').bind(bucket);
  expect(Math.round((((await ends.first<number>('ends')) ?? 0) - Date.now()) / 60_000)).toBe(minutes);
  await count(limit - 1, bucket);
  expect((await send()).status).toBe(taken);
  expectStopped(await send(), minutes);
});

test('a guest books no more dates in series than one network may, however many each of them has', async () => {
  const year = Array.from({ length: 53 }, (_, week) => `none${week}`);
  const guest = limited.visitor();
  await openGuest(guest, { displayName: 'Zoë' });
  const tryYear = () => guest.api('POST', '/api/Appointment/BookSeries', { ids: year });
  const statuses = (await several(4, tryYear)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([404, 404, 404, 429]);
});

test('a right code is not spent by whoever has tried too many', async () => {
  const host = await registerProvider(limited);
  const page = await host.browser.get(`/details-provider/${(await publishOne(host)).id}`);
  const code = (await page.submit('Book for them', { displayName: 'Wanda' })).$('#code')?.text ?? '';
  await claim('22222-22222');
  await count(30, 'claim:%');
  expect((await claim(code)).status).toBe(429);
  await forget();
  expect((await claim(code)).status).toBe(303);
});

test('whoever asks for names by registrations that are wrong is told as few as by right ones', async () => {
  const { username } = await registerConsumer(limited);
  const ask = async () => JSON.stringify((await register({ ...consumer(), username, password: 'wrong' })).json);
  expect(await ask()).toContain('already taken');
  await count(60, 'register:%');
  expect(await ask()).not.toContain('taken');
  expect(await ask()).toContain('Password needs');
});

test.each([
  ['2001:db8:1:2::1', ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::'], ['2001:db8:1:3::1', '2001:db8::1:2:1']],
  ['198.51.100.1', ['198.51.100.1'], ['198.51.100.2']],
])('whoever has %s is stopped at %j, too, and nobody else', async (address, theirs, others) => {
  const registered = async (at: string) => (await register(consumer(), { 'x-forwarded-for': at })).status;
  expect(await registered(address)).toBe(201);
  await count(1000, 'register:%');
  for (const at of theirs) expect([at, await registered(at)]).toEqual([at, 429]);
  for (const at of others) expect([at, await registered(at)]).toEqual([at, 201]);
});
