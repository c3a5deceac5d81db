import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { password, registerConsumer } from '../../support/factories';
import { openApi } from '../../support/openapi';
import { sendAndLeave, sendRaw } from '../../support/raw';
import { useServer, useWorld } from '../../support/use-server';
import type { Visitor } from '../../support/visit';

/* Bodies that nobody types: with too many fields, of another kind, broken off, or left by a client that went away. */

const daybook = useServer();
const { ana, maya } = useWorld(daybook, { ana: {}, maya: {} });

test('a form of more fields than any of ours has is refused before it is read, and whoever has logged in here may send more', async () => {
  const many = (count: number) => new URLSearchParams(Array.from({ length: count }, (_, place) => [`f${place}`, 'x']));
  const post = async (who: Visitor, count: number) => (await who.post('/login', many(count))).status;
  expect([await post(daybook.visitor(), 1_000), await post(daybook.visitor(), 1_001)]).toEqual([400, 413]);
  const inParts = new FormData();
  for (const [name, value] of many(1_001)) inParts.append(name, value);
  expect((await fetch(`${daybook.url}/login`, { method: 'POST', body: inParts })).status).toBe(413);
  // The longest answers have as many.
  const { browser, api } = await registerConsumer(daybook);
  expect([await post(browser, 2_500), await post(browser, 2_700)]).toEqual([400, 413]);
  await api('DELETE', '/api/Account/Logout');
  expect(await post(browser, 2_500)).toBe(400);
});

test('a form of a stranger may have 64 KiB, declared or not', async () => {
  const fits = 64 * 1024 - 'username='.length;
  const undeclared = { 'content-length': null, 'transfer-encoding': 'chunked' };
  for (const sent of [{}, undeclared]) {
    const post = async (length: number) =>
      (await daybook.visitor().post('/login', { username: 'x'.repeat(length) }, sent)).status;
    expect([await post(fits), await post(fits + 1)]).toEqual([400, 413]);
  }
});

const wantObjects = Object.entries(openApi().paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { requestBody }]) => {
    const isObject = requestBody?.content['application/json']?.schema.type === 'object';
    return requestBody?.required && isObject ? [[method.toUpperCase(), path.replace('{id}', 'none')]] : [];
  }),
);
test.each(wantObjects)('%s %s wants an object', async (method = '', path = '') => {
  for (const body of [null, [{}], 'text']) {
    const faults = complaints(await ana.api(method, `${path}?id=none&for=slot`, body));
    expect([body, faults]).toEqual([body, ['Send an object with the fields of this call.']]);
  }
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
  const answer = await sendRaw(daybook.port, head, 300);
  expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
  expect(answer).not.toContain('told');
});

describe('a body that breaks off', () => {
  const [json, form, chunked] = ['application/json', 'application/x-www-form-urlencoded', 'Transfer-Encoding: chunked'];
  const head = (path: string, type: string, ...more: string[]) => {
    const lines = [`Host: 127.0.0.1:${daybook.port}`, `Content-Type: ${type}`, 'Sec-Fetch-Site: same-origin', ...more];
    return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  };

  test('at a bad chunk is a 400 in the shape of the API, or a page', async () => {
    const breakOff = (path: string, type: string) =>
      sendRaw(daybook.port, `${head(path, type, chunked)}5\r\n{"use\r\nnonsense\r\n`);
    expect(await breakOff('/api/Account/Login', json)).toMatch(/^HTTP\/1.1 400 .*\["The body broke off."\]/s);
    expect(await breakOff('/login', form)).toMatch(/^HTTP\/1.1 400 .*We could not read this form/s);
    const atOnce = `${head('/api/Account/Login', json, chunked)}3;${'x'.repeat(20_000)}\r\n`;
    expect(await sendRaw(daybook.port, atOnce)).toMatch(/^HTTP\/1.1 400 .*\["The body broke off."\]/s);
  });

  // Whatever is logged as an error fails the test: see console.ts.
  test('because its client went away is nothing to log', async () => {
    const cookie = `Cookie: ${maya.browser.cookies.header('/') ?? ''}`;
    const login = new URLSearchParams({ username: maya.username, password }).toString();
    const left = ['/api/Account/Login', '/login', '/profile', '/nowhere'].flatMap((path) => {
      const type = path.startsWith('/api/') ? json : form;
      const declared = `${head(path, type, 'Content-Length: 500', cookie)}{"username":"x`;
      return [declared, `${head(path, type, chunked, cookie)}5\r\n{"use`];
    });
    const whole = `${head('/login', form, `Content-Length: ${login.length}`)}${login}`;
    await Promise.all([...left, whole].map((text) => sendAndLeave(daybook.port, text)));
    await sleep(500);
    expect((await daybook.visitor().get('/login')).status).toBe(200);
  });
});
