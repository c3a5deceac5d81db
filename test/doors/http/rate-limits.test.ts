import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountCalls, consumer } from '../../support/account-calls';
import { codeOf, keyOn, wrongCodeOf } from '../../support/authenticator';
import {
  type Person,
  password,
  publishOne,
  registerConsumer,
  registerProvider,
  several,
} from '../../support/factories';
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

type PlainResponse = { status: number; headers: Headers };
function expectStopped({ status, headers }: PlainResponse, minutes: number): void {
  expect(status).toBe(429);
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(minutes * 60);
}
const statusesOf = async (times: number, send: () => Promise<{ status: number }>) =>
  (await several(times, send)).map(({ status }) => status);

const wrong = { password: 'Wrong horse 1' };

describe('ten wrong passwords', () => {
  let username: string;
  let responses: number[];
  beforeEach(async () => {
    ({ username } = await registerConsumer(limited));
    responses = await statusesOf(10, () => logIn({ username, ...wrong }));
  });

  test('are each refused', () => {
    expect(responses).toEqual(Array(10).fill(401));
  });

  test('stop even the right one', async () => {
    expectStopped(await logIn({ username, password }), 15);
  });

  test('stop the form, which keeps the username', async () => {
    const form = await limited.visitor().post('/login', { username, password });

    expectStopped(form, 15);
    expect(form.$('input[name=username]')?.getAttribute('value')).toBe(username);
  });

  test('are forgotten after some time', async () => {
    await limited.d1.prepare('UPDATE throttles SET ends_at = 0').run();

    expect((await logIn({ username, password })).status).toBe(200);
  });
});

test('passwords guessed by a session that has ended are counted with those of a login', async () => {
  const { username, browser } = await registerConsumer(limited);
  const cookie = browser.cookies.get('daybook') ?? '';
  await browser.api('DELETE', '/api/Account/Logout');
  const stranger = limited.visitor();
  const guess = () => {
    stranger.cookies.set('daybook', cookie);
    return stranger.post('/profile', { intent: 'password', password, newPassword: password, once: 'guess' });
  };

  expect(await statusesOf(12, guess)).toEqual(Array(12).fill(401));
  expect((await logIn({ username, password })).status).toBe(429);
});

const newPassword = { intent: 'password', ...wrong, newPassword: password };
test.each<[what: string, guess: (who: Visitor, username: string) => Promise<{ status: number }>]>([
  ['an address', (who) => who.api('PUT', '/api/Account/SetEmail', { email: 'a@example.com', ...wrong })],
  ['new recovery codes', (who) => who.api('POST', '/api/Account/MakeRecoveryCodes', wrong)],
  ['a key', (who) => who.api('POST', '/api/Account/MakeKey', { name: 'Till', scope: 'read', ...wrong })],
  ['the password that is to be changed', (who) => who.post('/profile', newPassword)],
  [
    'a recovery code',
    (who, username) => who.api('PUT', '/api/Account/ResetPassword', { username, code: 'AAAAA-AAAAA', password }),
  ],
])('a password guessed by way of %s is counted with those of a login', async (_, guess) => {
  const { username, browser } = await registerConsumer(limited);

  expect(await statusesOf(10, () => guess(browser, username))).toEqual(Array(10).fill(400));
  expect((await logIn({ username, password }, browser)).status).toBe(429);
});

describe('wrong codes of a second factor', () => {
  let reader: Person;
  let key: string;
  beforeEach(async () => {
    reader = await registerConsumer(limited);
    const page = await reader.browser.visit('/second-factor');
    key = keyOn(page);
    await page.submit('Turn it on', { code: codeOf(key), password });
  });
  const tryCode = async (code: string) => (await logIn({ username: reader.username, password, code })).status;
  const askForCode = async () => (await logIn({ username: reader.username, password })).status;
  async function tryWrongCodes(times: number): Promise<void> {
    for (let tried = 0; tried < times; tried++) expect(await tryCode(wrongCodeOf(key))).toBe(401);
  }

  test('are counted as passwords are', async () => {
    await tryWrongCodes(10);

    expect(await tryCode(codeOf(key, 1))).toBe(429);
  });

  test('are not forgotten because the password is right', async () => {
    await tryWrongCodes(5);
    expect(await askForCode()).toBe(401);
    await tryWrongCodes(4);

    expect(await tryCode(codeOf(key, 1))).toBe(429);
  });

  test('don’t spend the right one', async () => {
    await tryWrongCodes(10);
    expect(await tryCode(codeOf(key, 1))).toBe(429);

    await forget();

    expect(await tryCode(codeOf(key, 1))).toBe(200);
  });
});

describe('more than 300 writes in a minute', () => {
  let hasty: Visitor;
  let member: Person;
  let responses: PlainResponse[];
  beforeAll(async () => {
    hasty = limited.visitor();
    member = await registerConsumer(limited);
    for (const { headers } of [hasty, member.browser]) headers['x-forwarded-for'] = '203.0.113.7';
    // Twice as many, and some, in case the minute turns meanwhile.
    responses = await several(610, () => hasty.api('DELETE', '/api/Account/Logout'));
  });

  test('are stopped', () => {
    const stopped = responses.filter(({ status }) => status !== 204);

    expect(stopped.length).toBeGreaterThan(0);
    for (const response of stopped) expectStopped(response, 1);
  });

  test('stop no reading', async () => {
    expect((await hasty.get('/login')).status).toBe(200);
  });

  test('stop nobody at the same address who is logged in', async () => {
    expect((await member.api('PUT', '/api/Appointment/Cancel?id=none')).status).toBe(404);
  });
});

/** The word of a form that was read for a while: one that is sent at once is refused. */
const readWordOf = (form: string) => wordOf(limited, form, Date.now() - 5000);
const spend = (code: string) => limited.visitor().post('/claim', { code, shown: readWordOf('paper code') });
const zoe = { displayName: 'Zoë', email: 'zoe@mail.test' };
const wish = async () =>
  limited.visitor().api('POST', '/api/Waitlist/Add', { provider: (await registerProvider(limited)).username, ...zoe });
async function bookAsStranger(): Promise<PlainResponse> {
  const host = await registerProvider(limited);
  const { id } = await publishOne(host);
  const typed = { displayName: 'Zoë', shown: readWordOf(`book ${host.username} ${id}`) };
  return limited.visitor().post(`/with/${host.username}/${id}`, typed);
}

type Limit = [
  string,
  bucket: string,
  limit: number,
  minutes: number,
  taken: number,
  send: () => Promise<PlainResponse>,
];
describe.each<Limit>([
  ['registrations from one address', 'register:%', 60, 60, 201, () => register(consumer())],
  ['logins from one address', 'login-from:%', 200, 15, 401, () => logIn({ username: consumer().username, password })],
  ['guests from one address', 'guest:%', 60, 60, 201, () => openGuest(limited.visitor(), { displayName: 'Zoë' })],
  ['bookings of strangers from one address', 'guest:%', 60, 60, 303, bookAsStranger],
  ['wishes from one address, of whomever', 'wish:%', 60, 60, 201, wish],
  ['codes from one address', 'paper-code:%', 30, 15, 400, () => spend('22222-22222')],
])('%s', (_, bucket, limit, minutes, taken, send) => {
  beforeEach(async () => {
    expect((await send()).status).toBe(taken);
  });

  test(`are counted for ${minutes} minutes`, async () => {
    const ends = limited.d1.prepare('SELECT max(ends_at) AS ends FROM throttles WHERE bucket LIKE ?').bind(bucket);

    const left = ((await ends.first<number>('ends')) ?? 0) - Date.now();
    expect(Math.round(left / 60_000)).toBe(minutes);
  });

  test(`are stopped after ${limit}`, async () => {
    await count(limit - 1, bucket);
    expect((await send()).status).toBe(taken);

    expectStopped(await send(), minutes);
  });
});

test('a guest books no more dates in series than one network may, however many each of them has', async () => {
  const year = Array.from({ length: 53 }, (_, week) => `none${week}`);
  const guest = limited.visitor();
  await openGuest(guest, { displayName: 'Zoë' });

  const statuses = await statusesOf(4, () => guest.api('POST', '/api/Appointment/BookSeries', { ids: year }));

  expect(statuses.sort()).toEqual([404, 404, 404, 429]);
});

test('a right code is not spent by whoever has tried too many', async () => {
  const host = await registerProvider(limited);
  const page = await host.browser.get(`/details-provider/${(await publishOne(host)).id}`);
  const code = (await page.submit('Book for them', { displayName: 'Wanda' })).$('#code')?.text ?? '';
  await spend('22222-22222');
  await count(30, 'paper-code:%');
  expect((await spend(code)).status).toBe(429);

  await forget();

  expect((await spend(code)).status).toBe(303);
});

describe('a wrong registration for a name that is taken', () => {
  let username: string;
  beforeEach(async () => {
    ({ username } = await registerConsumer(limited));
  });
  const faultsOf = async () => JSON.stringify((await register({ ...consumer(), username, password: 'wrong' })).json);

  test('says so', async () => {
    expect(await faultsOf()).toContain('already taken');
  });

  test('tells of no more names than right ones may ask for', async () => {
    await faultsOf();
    await count(60, 'register:%');

    const faults = await faultsOf();
    expect(faults).toContain('Password needs');
    expect(faults).not.toContain('taken');
  });
});

describe('whoever registered too often', () => {
  const statusAt = async (address: string) => (await register(consumer(), { 'x-forwarded-for': address })).status;
  async function stop(address: string): Promise<void> {
    expect(await statusAt(address)).toBe(201);
    await count(1000, 'register:%');
  }

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:aaaa:bbbb:cccc:dddd'],
    ['2001:db8:1:2::1', '2001:db8:1:2::'],
    ['198.51.100.1', '198.51.100.1'],
  ])('at %s is stopped at %s', async (address, same) => {
    await stop(address);

    expect(await statusAt(same)).toBe(429);
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8:1:2::1', '2001:db8::1:2:1'],
    ['198.51.100.1', '198.51.100.2'],
  ])('at %s stops nobody at %s', async (address, other) => {
    await stop(address);

    expect(await statusAt(other)).toBe(201);
  });
});

describe('lost links', () => {
  const ask = (email: string) => limited.visitor().post('/lost-link', { email });

  test.each([
    ['address', 'links:%', 10],
    ['network', 'links-from:%', 30],
  ])('are asked for so often by one %s, whoever has booked', async (_, bucket, most) => {
    await ask('nobody@mail.test');
    await count(most, bucket);

    expectStopped(await ask('nobody@mail.test'), 15);
  });
});
