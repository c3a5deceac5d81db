import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { password, registerConsumer } from '../../support/factories';
import { openApi } from '../../support/openapi';
import { sendAndLeave, sendRaw } from '../../support/raw';
import { useServer, useWorld } from '../../support/use-server';
import type { Sent, Visitor } from '../../support/visit';

/* Bodies that nobody types: with too many fields, of another kind, broken off, or left by a client that went away. */

const daybook = useServer();
const { ana, maya } = useWorld(daybook, { ana: {}, maya: {} });

const formOf = (count: number) => new URLSearchParams(Array.from({ length: count }, (_, nth) => [`f${nth}`, 'x']));
const statusOf = async (who: Visitor, count: number) => (await who.post('/login', formOf(count))).status;

describe('a form of a stranger', () => {
  test('is read with a thousand fields', async () => {
    expect(await statusOf(daybook.visitor(), 1_000)).toBe(400);
  });

  test('is refused with more', async () => {
    expect(await statusOf(daybook.visitor(), 1_001)).toBe(413);
  });

  test('is refused with more in parts', async () => {
    const body = new FormData();
    for (const [name, value] of formOf(1_001)) body.append(name, value);

    expect((await fetch(`${daybook.url}/login`, { method: 'POST', body })).status).toBe(413);
  });

  const most = 64 * 1024;
  const undeclared = { 'content-length': null, 'transfer-encoding': 'chunked' };
  test.each<[what: string, sent: Sent, bytes: number, status: number]>([
    ['64 KiB is read', {}, most, 400],
    ['64 KiB whose length is not declared is read', undeclared, most, 400],
    ['more than 64 KiB is refused', {}, most + 1, 413],
    ['more than 64 KiB whose length is not declared is refused', undeclared, most + 1, 413],
    ['ten times as much whose length is not declared is refused', undeclared, 10 * most, 413],
  ])('of %s', async (_, sent, bytes, status) => {
    const username = 'x'.repeat(bytes - 'username='.length);

    expect((await daybook.visitor().post('/login', { username }, sent)).status).toBe(status);
  });
});

// The longest answers have as many.
describe('a form of somebody who has an account', () => {
  test('is read with 2,500 fields', async () => {
    expect(await statusOf(maya.browser, 2_500)).toBe(400);
  });

  test('is refused with 2,700', async () => {
    expect(await statusOf(maya.browser, 2_700)).toBe(413);
  });

  test('is read with 2,500 fields after a logout', async () => {
    const { browser, api } = await registerConsumer(daybook);
    await api('DELETE', '/api/Account/Logout');

    expect(await statusOf(browser, 2_500)).toBe(400);
  });
});

const wantObjects = Object.entries(openApi().paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { requestBody }]) => {
    const isObject = requestBody?.content['application/json']?.schema.type === 'object';
    return requestBody?.required && isObject ? [[method.toUpperCase(), path.replace('{id}', 'none')]] : [];
  }),
);
const noObjects = wantObjects.flatMap(([method = '', path = '']) =>
  [null, [{}], 'text'].map((body): [string, string, unknown] => [method, path, body]),
);
test.each(noObjects)('%s %s wants an object, and not %j', async (method, path, body) => {
  const response = await ana.api(method, `${path}?id=none&for=slot&username=nobody`, body);

  expect(complaints(response)).toEqual(['Send an object with the fields of this call.']);
});

/** JSON can say it, and `String()` of it throws. */
const unreadable = { toString: 1, valueOf: true, length: 'x' };
test.each([
  ['among reminders', 'Account/SetReminders', { reminders: [unreadable] }],
  ['as a name', 'People/Create', { name: unreadable }],
  ['as a question', 'Checkin/CreateTemplate?templateName=V', [{ questionText: unreadable, questionType: 0 }]],
])('a value that no text can be made of is a complaint %s', async (_, call, body) => {
  const method = call.startsWith('Account') ? 'PUT' : 'POST';

  expect(complaints(await ana.api(method, `/api/${call}`, body)).length).toBeGreaterThan(0);
});

test('answers to no TRACE', async () => {
  const head = `TRACE /login HTTP/1.1\r\nHost: 127.0.0.1:${daybook.port}\r\nX-Secret: told\r\nConnection: close\r\n\r\n`;

  const response = await sendRaw(daybook.port, head, 300);

  expect(response).toMatch(/^HTTP\/1.1 4\d\d /);
  expect(response).not.toContain('told');
});

describe('a body that breaks off', () => {
  const [json, form, chunked] = ['application/json', 'application/x-www-form-urlencoded', 'Transfer-Encoding: chunked'];
  const headOf = (path: string, type: string, ...more: string[]) => {
    const lines = [`Host: 127.0.0.1:${daybook.port}`, `Content-Type: ${type}`, 'Sec-Fetch-Site: same-origin', ...more];
    return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  };

  const badSecondChunk = '5\r\n{"use\r\nnonsense\r\n';
  const badFirstChunk = `3;${'x'.repeat(20_000)}\r\n`;
  test.each([
    [
      'at a bad chunk is a 400 in the shape of the API',
      '/api/Account/Login',
      json,
      badSecondChunk,
      '["The body broke off."]',
    ],
    [
      'at a first chunk that is too long is a 400',
      '/api/Account/Login',
      json,
      badFirstChunk,
      '["The body broke off."]',
    ],
    ['at a bad chunk of a form is a page', '/login', form, badSecondChunk, 'We could not read this form'],
  ])('%s', async (_, path, type, body, words) => {
    const response = await sendRaw(daybook.port, headOf(path, type, chunked) + body);

    expect(response).toMatch(/^HTTP\/1.1 400 /);
    expect(response).toContain(words);
  });

  const cookieOfMaya = () => `Cookie: ${maya.browser.cookies.header('/') ?? ''}`;
  const typeOf = (path: string) => (path.startsWith('/api/') ? json : form);
  const declared = (path: string) =>
    `${headOf(path, typeOf(path), 'Content-Length: 500', cookieOfMaya())}{"username":"x`;
  const undeclared = (path: string) => `${headOf(path, typeOf(path), chunked, cookieOfMaya())}5\r\n{"use`;
  const whole = () => {
    const login = new URLSearchParams({ username: maya.username, password }).toString();
    return `${headOf('/login', form, `Content-Length: ${login.length}`)}${login}`;
  };

  // Whatever is logged as an error fails the test: see console.ts.
  test('because its client went away is nothing to log', async () => {
    const paths = ['/api/Account/Login', '/login', '/profile', '/nowhere'];
    const requests = [...paths.map(declared), ...paths.map(undeclared), whole()];

    await Promise.all(requests.map((text) => sendAndLeave(daybook.port, text)));
    await sleep(500);

    expect((await daybook.visitor().get('/login')).status).toBe(200);
  });
});

describe('what a call does not know', () => {
  test('is ignored among the properties of its JSON', async () => {
    const { status } = await ana.api('PUT', '/api/Account/SetProfile', { displayName: 'Ana', favouriteColour: 'red' });

    expect(status).toBe(200);
  });

  test('is ignored in its query', async () => {
    const { status } = await ana.api('GET', '/api/Account/Profile?favouriteColour=red');

    expect(status).toBe(200);
  });
});
