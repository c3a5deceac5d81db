import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { password, peopleAt } from '../../support/factories';
import { openApi } from '../../support/openapi';
import { sendAndLeave, sendRaw } from '../../support/raw';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* Bodies that nobody types: with too many fields, broken off, or left by a client that went away. */

const daybook = useServer();
const { newConsumer, newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const many = (count: number) => new URLSearchParams(Array.from({ length: count }, (_, place) => [`f${place}`, 'x']));
const boundary = 'parts';
const inParts = (count: number) =>
  `${[...many(count)].map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--${boundary}--\r\n`;

describe('a form of more fields than any of ours has', () => {
  test('is refused before it is read', async () => {
    for (const count of [1_001, 90_000]) {
      const page = await daybook.visitor().post('/login', many(count));
      expect([page.status, page.$('h1')?.getAttribute('aria-label')]).toEqual([413, 'Too much at once']);
      expect(page.text).not.toContain('f1000');
    }
    const read = await daybook.visitor().post('/login', many(1_000));
    expect(read.status).toBe(400);
  });

  test('is refused in parts as well', async () => {
    const send = async (count: number) => {
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      const { status } = await fetch(`${daybook.url}/login`, { method: 'POST', headers, body: inParts(count) });
      return status;
    };
    expect([await send(600), await send(1_001)]).toEqual([400, 413]);
  });

  test('may come from whoever has logged in here before, as the longest answers have them', async () => {
    const here = many(2_500);
    expect((await maya.browser.post('/profile', here)).status).toBe(400);
    expect((await maya.browser.post('/profile', many(2_700))).status).toBe(413);
    const returning = await newConsumer();
    await returning.browser.api('DELETE', '/api/Account/Logout');
    expect((await returning.browser.post('/login', here)).status).toBe(400);
  });
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

const head = (path: string, type: string, ...more: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${daybook.port}`,
    `Content-Type: ${type}`,
    'Sec-Fetch-Site: same-origin',
    ...more,
    '',
    '',
  ].join('\r\n');
const [json, form] = ['application/json', 'application/x-www-form-urlencoded'];
const chunked = 'Transfer-Encoding: chunked';

const callsThatWantAnObject = Object.entries(openApi().paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, { requestBody }]) => {
      const { type } = requestBody?.content['application/json']?.schema ?? {};
      return requestBody?.required && type === 'object';
    })
    .map(([method]) => [method.toUpperCase(), path.replace('{id}', 'none')] as const),
);

test.each(callsThatWantAnObject)('%s %s wants an object', async (method, path) => {
  const { api } = await newProvider();
  for (const body of [null, [], [{}], 'text', 5, true]) {
    const faults = complaints(await api(method, `${path}?id=none&for=slot`, body));
    expect([body, faults]).toEqual([body, ['Send an object with the fields of this call.']]);
  }
});

describe('a body that breaks off', () => {
  test('at a bad chunk is a 400 in the shape of the API', async () => {
    const answered = await sendRaw(
      daybook.port,
      `${head('/api/Account/Login', json, chunked)}5\r\n{"use\r\nnonsense\r\n`,
    );
    expect(answered).toMatch(/^HTTP\/1.1 400 /);
    expect(answered).toMatch(/\r\ncontent-type: application\/json/i);
    expect(answered).toContain('["The body broke off."]');
  });

  test('at a bad chunk is a page of a form', async () => {
    const answered = await sendRaw(daybook.port, `${head('/login', form, chunked)}5\r\nuser=\r\nnonsense\r\n`);
    expect(answered).toMatch(/^HTTP\/1.1 400 /);
    expect(answered).toContain('We could not read this form, so nothing was done.');
  });

  test('where nobody reads it is not noticed', async () => {
    for (const path of ['/api/Account/Nothing', '/nowhere', '/api/Account/Profile']) {
      const answered = await sendRaw(daybook.port, `${head(path, json, chunked)}5\r\n{"use\r\nnonsense\r\n`);
      expect([path, answered.slice(0, 12)]).toEqual([path, expect.stringMatching(/^HTTP\/1.1 40[45]$/)]);
    }
  });

  // Whatever is logged as an error fails the test: see console.ts.
  test('because its client went away is nothing to log', async () => {
    const cookie = `Cookie: ${maya.browser.cookies.header('/') ?? ''}`;
    for (const [path, type] of [
      ['/api/Account/Login', json],
      ['/login', form],
      ['/profile', form],
      ['/nowhere', form],
    ] as const) {
      await sendAndLeave(daybook.port, `${head(path, type, 'Content-Length: 500', cookie)}{"username":"x`);
      await sendAndLeave(daybook.port, `${head(path, type, chunked, cookie)}5\r\n{"use`);
    }
    const login = new URLSearchParams({ username: maya.username, password }).toString();
    await sendAndLeave(daybook.port, `${head('/login', form, `Content-Length: ${login.length}`)}${login}`);
    await sleep(500);
    expect((await daybook.visitor().get('/login')).status).toBe(200);
  });
});
