import { beforeAll, describe, expect, test } from 'vitest';
import { codeOf, keyOn } from '../../support/authenticator';
import {
  book,
  dayAhead,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
  several,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { documentedCalls } from '../../support/openapi';
import { useServer } from '../../support/use-server';
import type { Visitor } from '../../support/visit';
import { add } from '../../support/waitlist';

/* What a program may do with a key of an account, and what guards the account from it. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

type Key = { id: string; name: string; scope: string; until: string | null; usedOn: string | null; key: string };

const wish = (details: object = {}) => ({ name: 'Till', scope: 'write', password, ...details });
const make = (who: Person, details: object = {}) => who.api('POST', '/api/Account/MakeKey', wish(details));
const keyOf = async (who: Person, details: object = {}) => (await make(who, details)).json as Key;
const keysOf = async (who: Person) => (await who.api('GET', '/api/Account/Keys')).json as Key[];
/** A program without cookies, which sends this key. */
function programOf(key: string): Visitor {
  const program = daybook.visitor();
  program.headers.authorization = `Bearer ${key}`;
  return program;
}
const profileBy = (key: string) => programOf(key).api('GET', '/api/Account/Profile');

describe('a key', () => {
  test('is shown when it is made', async () => {
    const { status, json } = await make(await newProvider());

    expect(status).toBe(201);
    expect(json).toMatchObject({ name: 'Till', scope: 'write', until: null, usedOn: null });
    expect((json as Key).key).toMatch(/^daybook_[\w-]{44}$/);
  });

  test('is never shown again', async () => {
    const host = await newProvider();
    const { key } = await keyOf(host);

    const listed = await host.api('GET', '/api/Account/Keys');

    expect(listed.json).toMatchObject([{ name: 'Till' }]);
    expect(listed.text).not.toContain(key);
  });

  test('is not given by the answer to a repeat', async () => {
    const host = await newProvider();
    const sent = { 'idempotency-key': 'the-same' };
    const first = (await host.api('POST', '/api/Account/MakeKey', wish(), sent)).json as Key;

    const second = (await host.api('POST', '/api/Account/MakeKey', wish(), sent)).json as Key;

    expect(second.key).not.toBe(first.key);
  });

  test('is stored as a hash alone', async () => {
    const { key } = await keyOf(await newProvider());

    const { results } = await daybook.d1.prepare('SELECT * FROM keys').all();

    expect(JSON.stringify(results)).not.toContain(key.slice('daybook_'.length));
  });

  test('does what the account may, without cookies and without an Origin', async () => {
    const host = await newProvider({ displayName: 'Karla' });
    const program = programOf((await keyOf(host)).key);

    const slot = await publishOne({ ...host, api: program.api.bind(program) });

    expect(slot.providerName).toBe('Karla');
  });

  test('sets no cookie', async () => {
    const { key } = await keyOf(await newProvider());

    const { headers } = await programOf(key).api('PUT', '/api/Account/SetProfile', { displayName: 'Karla K.' });

    expect(headers.get('set-cookie')).toBeNull();
  });

  test('sets no cookie for a language in the address', async () => {
    const { key } = await keyOf(await newProvider());

    const { headers } = await programOf(key).api('GET', '/api/Account/Profile?lang=de');

    expect(headers.get('set-cookie')).toBeNull();
  });

  test('counts, and not the session of a cookie that comes with it', async () => {
    const [host, other] = [await newProvider(), await newConsumer()];
    const { key } = await keyOf(host);

    const { json } = await other.api('GET', '/api/Account/Profile', undefined, { authorization: `Bearer ${key}` });

    expect(json).toMatchObject({ username: host.username });
  });

  test('is not looked at in an address', async () => {
    const { key } = await keyOf(await newProvider());

    expect((await daybook.visitor().api('GET', `/api/Account/GetNews?key=${key}&access_token=${key}`)).status).toBe(
      401,
    );
  });

  test('opens no screen', async () => {
    const { key } = await keyOf(await newProvider());

    const { status, location } = await programOf(key).get('/profile');
    expect([status, location]).toEqual([302, '/not-logged-in?to=%2Fprofile']);
  });

  test('is listed with the day of its last use', async () => {
    const host = await newProvider();
    await profileBy((await keyOf(host)).key);

    await expect.poll(async () => (await keysOf(host))[0]?.usedOn).toMatch(/^\d\d-\d\d-\d{4}$/);
  });
});

describe('a key that only reads', () => {
  let host: Person;
  let program: Visitor;
  beforeAll(async () => {
    host = await newProvider();
    program = programOf((await keyOf(host, { scope: 'read' })).key);
  });

  test('reads', async () => {
    expect((await program.api('GET', '/api/Appointment/GetBooked')).status).toBe(200);
  });

  test('writes nothing', async () => {
    expect((await program.api('PUT', '/api/Account/SetProfile', { displayName: 'Else' })).status).toBe(403);
    expect((await host.api('GET', '/api/Account/Profile')).json).toMatchObject({ displayName: host.displayName });
  });
});

describe('a client’s key that only reads', () => {
  let client: Person;
  let program: Visitor;
  beforeAll(async () => {
    const host = await newProvider();
    client = await newConsumer();
    await book(client, await publishOne(host));
    for (const day of [70, 71]) await add(client, host, { from: dayAhead(day), to: dayAhead(day) });
    // Of these one is offered at once.
    await publish(host, { dates: [dayAhead(71)] });
    program = programOf((await keyOf(client, { scope: 'read' })).key);
  });

  test('is shown no personal link of a booking, by which it could be canceled', async () => {
    const ofLogin = (await client.api('GET', '/api/Appointment/GetBooked')).json as Row[];
    const ofKey = (await program.api('GET', '/api/Appointment/GetBooked')).json as Row[];

    expect(ofLogin.map(({ link }) => link)).toEqual([expect.stringMatching(/^\/booking\//)]);
    expect(ofKey.map(({ link }) => link)).toEqual([null]);
  });

  test('is shown no link of a wait or of an offer, by which it could be taken', async () => {
    const { text } = await program.api('GET', '/api/Waitlist/GetMy');

    expect((await client.api('GET', '/api/Waitlist/GetMy')).text).toMatch(/\/waiting\/.*\/offer\//s);
    expect(text).not.toMatch(/\/(waiting|offer)\//);
  });
});

describe('what guards the account', () => {
  // Whoever adds a call of the account decides here whether a key may make it.
  const never = [
    ...['POST Register', 'POST Login', 'POST Guest', 'DELETE Logout', 'GET Sessions', 'DELETE EndSession'],
    ...['POST ForgotPassword', 'PUT ResetPassword', 'POST MakeRecoveryCodes', 'PUT SetEmail'],
    ...['POST MakeKey', 'GET Keys', 'DELETE EndKey', 'POST MakeWebhook'],
    ...['POST MakeFeed', 'GET GetBusyFeeds', 'PUT SetBusyFeeds'],
    ...['GET Export', 'DELETE Delete'],
  ].map((call) => call.replace(' ', ' /api/Account/'));
  const byScope = [
    ...['GET Profile', 'PUT SetProfile', 'GET IsProvider', 'GET GetNews'],
    ...['GET GetRules', 'PUT SetRules', 'GET GetReminders', 'PUT SetReminders'],
    ...[
      'GET Webhooks',
      'PUT EditWebhook',
      'DELETE EndWebhook',
      'POST TestWebhook',
      'GET GetDeliveries',
      'PUT SendAgain',
    ],
  ].map((call) => call.replace(' ', ' /api/Account/'));

  test('is decided for each call of the account', () => {
    const calls = documentedCalls().filter((call) => call.includes(' /api/Account/'));

    expect(calls.sort()).toEqual([...never, ...byScope].sort());
  });

  test('no key touches, and all else it may', async () => {
    const program = programOf((await keyOf(await newProvider())).key);
    const isRefused = async (call: string) => {
      const [method = '', path = ''] = call.split(' ');
      const { text } = await program.api(method, path.replace('{id}', 'none'), method === 'GET' ? undefined : {});
      return text.includes('No key may do this');
    };

    const refused = [];
    for (const call of documentedCalls()) if (await isRefused(call)) refused.push(call);

    expect(refused.sort()).toEqual(
      [...never, 'DELETE /api/Shop/Close', 'POST /api/Shop/Invite', 'PUT /api/Shop/SetColleague'].sort(),
    );
  });
});

describe('a key opens nothing', () => {
  const refused = async (key: string) => {
    const { status, headers } = await profileBy(key);
    return { status, scheme: headers.get('www-authenticate') };
  };
  const no = { status: 401, scheme: 'Bearer error="invalid_token"' };

  test('if it is wrong', async () => {
    expect(await refused(`daybook_${'x'.repeat(44)}`)).toEqual(no);
    expect(await refused('x')).toEqual(no);
    expect(await refused('')).toEqual(no);
    expect(await refused('two words')).toEqual(no);
  });

  test('once it was ended', async () => {
    const host = await newProvider();
    const { key, id } = await keyOf(host);

    expect((await host.api('DELETE', `/api/Account/EndKey?id=${id}`)).status).toBe(204);

    expect(await refused(key)).toEqual(no);
  });

  test('after its last day', async () => {
    const { key, id } = await keyOf(await newProvider(), { until: '12-31-2090' });

    await daybook.d1.prepare('UPDATE keys SET ends_at = 1 WHERE id = ?').bind(id).run();

    expect(await refused(key)).toEqual(no);
  });

  test('once its account is deleted', async () => {
    const ana = await newConsumer();
    const { key } = await keyOf(ana);

    await ana.api('DELETE', '/api/Account/Delete', { password });

    expect(await refused(key)).toEqual(no);
  });

  test('of another account', async () => {
    const [host, rival] = [await newProvider(), await newProvider()];
    const { id } = await keyOf(host);

    expect((await rival.api('DELETE', `/api/Account/EndKey?id=${id}`)).status).toBe(404);
  });
});

describe('a key is not made', () => {
  test('without the right password', async () => {
    expect((await make(await newProvider(), { password: 'Wrong horse 1' })).status).toBe(400);
  });

  test('without a session', async () => {
    expect((await daybook.visitor().api('POST', '/api/Account/MakeKey', wish())).status).toBe(401);
  });

  test('for a guest, who has no login', async () => {
    expect((await make(await newGuest(daybook))).status).toBe(409);
  });

  test('without a code where the login asks for one', async () => {
    const host = await newProvider();
    const page = await host.browser.visit('/second-factor');
    const secret = keyOn(page);
    await page.submit('Turn it on', { code: codeOf(secret), password });

    expect((await make(host)).status).toBe(400);
  });

  test('beside ten others', async () => {
    const host = await newProvider();
    await several(10, () => make(host));

    expect((await make(host)).status).toBe(409);
    expect(await keysOf(host)).toHaveLength(10);
  });

  test.each([
    ['a name', { name: ' ' }],
    ['a scope that there is', { scope: 'all' }],
    ['a date for its last day', { until: 'tomorrow' }],
    ['a last day to come', { until: '01-01-2020' }],
  ])('without %s', async (_, details) => {
    expect((await make(await newProvider(), details)).status).toBe(400);
  });
});

describe('a new password', () => {
  const change = (who: Person, more: Record<string, string> = {}) =>
    who.browser
      .visit('/profile')
      .then((page) => page.submit('Change password', { password, newPassword: 'Correct horse 2', ...more }));

  test('ends all keys if that is asked for', async () => {
    const host = await newProvider();
    await keyOf(host);

    await change(host, { endKeys: 'true' });

    expect(await keysOf(host)).toEqual([]);
  });

  test('leaves them otherwise', async () => {
    const host = await newProvider();
    const { key } = await keyOf(host);

    await change(host);

    expect((await profileBy(key)).status).toBe(200);
  });
});

test('the owner is told of a new key in their news', async () => {
  const host = await newProvider();

  await keyOf(host);

  const { json } = await host.api('GET', '/api/Account/GetNews');
  expect(json).toMatchObject([{ kind: 'key' }]);
});

test('a key is made, seen and ended on the screen, without script', async () => {
  const host = await newProvider();
  const made = await (await host.browser.visit('/keys')).submit('Make the key', {
    name: 'Till',
    scope: 'read',
    password,
  });
  const [key = ''] = /daybook_[\w-]{44}/.exec(made.text) ?? [];
  expect((await profileBy(key)).status).toBe(200);

  const list = await host.browser.visit('/keys');
  expect(list.words).toContain('Till');
  const ended = await list.submit('End the key Till', {});

  expect(ended.words).toContain('That key is ended.');
  expect((await profileBy(key)).status).toBe(401);
});

test('a program that books with a key has the booking once, however often it asks', async () => {
  const [host, ana] = [await newProvider(), await newConsumer()];
  const slot = await publishOne(host);
  const program = programOf((await keyOf(ana)).key);
  const asProgram = { ...ana, api: program.api.bind(program) };

  const [first, second] = [await book(asProgram, slot), await book(asProgram, slot)];

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.json).toEqual(first.json);
});
