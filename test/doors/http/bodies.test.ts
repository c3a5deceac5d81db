import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../../habits/json';
import { complaints } from '../../support/complaints';
import { dayAhead, type Person, password, registerConsumer } from '../../support/factories';
import { openApi } from '../../support/openapi';
import { sendAndLeave, sendRaw } from '../../support/raw';
import { useServer, useWorld } from '../../support/use-server';

/*
 * Bodies that nobody types: with too many fields, of another kind, with values that can't be read, broken off, or left by a client that
 * went away.
 */

const daybook = useServer();
const { ana, maya } = useWorld(daybook, { ana: {}, maya: {} });

describe('a form of more fields than any of ours has', () => {
  const many = (count: number) => new URLSearchParams(Array.from({ length: count }, (_, place) => [`f${place}`, 'x']));

  test('is refused before it is read, in parts as well', async () => {
    for (const count of [1_001, 90_000]) {
      const page = await daybook.visitor().post('/login', many(count));
      expect([page.status, page.$('h1')?.getAttribute('aria-label')]).toEqual([413, 'Too much at once']);
      expect(page.text).not.toContain('f1000');
    }
    expect((await daybook.visitor().post('/login', many(1_000))).status).toBe(400);
    const inParts = async (count: number) => {
      const body = new FormData();
      for (const [name, value] of many(count)) body.append(name, value);
      return (await fetch(`${daybook.url}/login`, { method: 'POST', body })).status;
    };
    expect([await inParts(500), await inParts(1_001)]).toEqual([400, 413]);
  });

  test('may come from whoever has logged in here before, as the longest answers have them', async () => {
    const here = many(2_500);
    expect((await maya.browser.post('/profile', here)).status).toBe(400);
    expect((await maya.browser.post('/profile', many(2_700))).status).toBe(413);
    const returning = await registerConsumer(daybook);
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

type Call = { path: string; method: string; isNeeded: boolean; schema: Schema };
const callsWithBodies = Object.entries(openApi().paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { requestBody }]): Call[] => {
    const schema = requestBody?.content['application/json']?.schema as Schema | undefined;
    const asked = { path: path.replace('{id}', 'none'), method: method.toUpperCase() };
    return schema ? [{ ...asked, isNeeded: requestBody?.required === true, schema }] : [];
  }),
);

const wantObjects = callsWithBodies.filter(({ isNeeded, schema }) => isNeeded && schema.type === 'object');
test.each(wantObjects.map(({ method, path }) => [method, path]))('%s %s wants an object', async (method, path) => {
  for (const body of [null, [], [{}], 'text', 5, true]) {
    const faults = complaints(await ana.api(method ?? '', `${path}?id=none&for=slot`, body));
    expect([body, faults]).toEqual([body, ['Send an object with the fields of this call.']]);
  }
});

describe('a value that no text can be made of', () => {
  /** JSON can say it, and `String()` of it throws. */
  const unreadable = { toString: 1, valueOf: true, length: 'x' };
  const usual: Record<string, unknown> = { start: '09:00', end: '10:00', date: dayAhead(3), questionType: 1, day: 1 };

  /** A body that fits a schema well enough to be looked at. */
  function fitting(schema: Schema, name = ''): unknown {
    if (schema.properties) {
      return Object.fromEntries(Object.entries(schema.properties).map(([own, inner]) => [own, fitting(inner, own)]));
    }
    if (schema.anyOf) return fitting(schema.anyOf[0] ?? {}, name);
    const [type] = [schema.type].flat();
    if (type === 'array') return [fitting(schema.items ?? {}, name), fitting(schema.items ?? {}, name)];
    return usual[name] ?? schema.enum?.[0] ?? (type === 'integer' ? (schema.minimum ?? 1) : 'Words');
  }

  /** Such bodies, each with what can't be read in one place, and twice in a list. */
  function spoilt(schema: Schema, name = ''): unknown[] {
    if (schema.anyOf && !schema.properties) return schema.anyOf.flatMap((one) => spoilt(one, name));
    const whole = fitting(schema, name) as Record<string, unknown>;
    const fields = Object.entries(schema.properties ?? {}).flatMap(([own, inner]) =>
      spoilt(inner, own).map((value) => ({ ...whole, [own]: value })),
    );
    const entries = schema.items ? spoilt(schema.items, name).map((value) => [value, value]) : [];
    return [unreadable, [unreadable], ...fields, ...entries];
  }

  test('is refused in each place of each body, and never a fault of ours', { timeout: 120_000 }, async () => {
    let sent = 0;
    for (const { path, method, schema } of callsWithBodies) {
      for (const body of spoilt(schema)) {
        // It throws at a status that the document does not name.
        const send = (who: Person) => who.api(method, `${path}?id=none`, body);
        const first = await send(ana);
        const { status } = first.status === 403 ? await send(maya) : first;
        expect(status, JSON.stringify(body)).toBeLessThan(500);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThan(200);
  });

  const twice = [{ questionText: unreadable, questionType: 1, options: ['Yes', 'yes'] }];
  test.each([
    ['among reminders', 'PUT', '/api/Account/SetReminders', { reminders: [unreadable] }],
    ['as a list among them', 'PUT', '/api/Account/SetReminders', { reminders: [[60]] }],
    ['as a question, with an option twice', 'POST', '/api/Checkin/CreateTemplate?templateName=Visit', twice],
  ])('is a complaint %s', async (_, method, path, body) => {
    expect(complaints(await ana.api(method, path, body)).length).toBeGreaterThan(0);
  });
});

describe('a body that breaks off', () => {
  const [json, form, chunked] = ['application/json', 'application/x-www-form-urlencoded', 'Transfer-Encoding: chunked'];
  const head = (path: string, type: string, ...more: string[]) => {
    const lines = [`Host: 127.0.0.1:${daybook.port}`, `Content-Type: ${type}`, 'Sec-Fetch-Site: same-origin', ...more];
    return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  };
  const breakOff = (path: string, type: string) =>
    sendRaw(daybook.port, `${head(path, type, chunked)}5\r\n{"use\r\nnonsense\r\n`);

  test('at a bad chunk is a 400 in the shape of the API', async () => {
    const answered = await breakOff('/api/Account/Login', json);
    expect(answered).toMatch(/^HTTP\/1.1 400 /);
    expect(answered).toMatch(/\r\ncontent-type: application\/json/i);
    expect(answered).toContain('["The body broke off."]');
  });

  test('at a bad chunk is a page of a form', async () => {
    const answered = await breakOff('/login', form);
    expect(answered).toMatch(/^HTTP\/1.1 400 /);
    expect(answered).toContain('We could not read this form, so nothing was done.');
  });

  test('where nobody reads it is not noticed', async () => {
    for (const path of ['/api/Account/Nothing', '/nowhere', '/api/Account/Profile'])
      expect(await breakOff(path, json)).toMatch(/^HTTP\/1.1 40[45] /);
  });

  // Whatever is logged as an error fails the test: see console.ts.
  test('because its client went away is nothing to log', async () => {
    const cookie = `Cookie: ${maya.browser.cookies.header('/') ?? ''}`;
    const login = new URLSearchParams({ username: maya.username, password }).toString();
    await Promise.all([
      ...['/api/Account/Login', '/login', '/profile', '/nowhere'].flatMap((path) => {
        const type = path.startsWith('/api/') ? json : form;
        return [
          sendAndLeave(daybook.port, `${head(path, type, 'Content-Length: 500', cookie)}{"username":"x`),
          sendAndLeave(daybook.port, `${head(path, type, chunked, cookie)}5\r\n{"use`),
        ];
      }),
      sendAndLeave(daybook.port, `${head('/login', form, `Content-Length: ${login.length}`)}${login}`),
    ]);
    await sleep(500);
    expect((await daybook.visitor().get('/login')).status).toBe(200);
  });
});
