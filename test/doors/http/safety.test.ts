import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { createParty } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* What a browser or a program may do with the product, whoever wrote the page that it shows. */

const daybook = useServer();
const { host } = useWorld(daybook, { host: {} });
let party: string;
beforeAll(async () => {
  party = (await createParty(host)).id;
});

test('lets no page of another site read anything', async () => {
  const elsewhere = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' };
  for (const path of ['/', '/profile', '/api/Account/Profile', '/api/health', `/party/${party}`, '/api/openapi.json']) {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await host.api(method as 'GET', path, undefined, elsewhere);
      const allowed = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect([method, path, allowed]).toEqual([method, path, []]);
    }
  }
});

describe('says of each response what it is', () => {
  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/nowhere', 'text/html; charset=utf-8'],
    ['/api/Account/Profile', 'application/json; charset=utf-8'],
    ['/api/nothing', 'application/json; charset=utf-8'],
    ['/your-data/daybook.json', 'application/json; charset=utf-8'],
  ])('%s: %s', async (path, type) => {
    expect((await host.browser.get(path)).headers.get('content-type')).toBe(type);
  });
});

test('answers to no TRACE', async () => {
  const traced = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { port } = daybook;
    const sent = request({ port, host: '127.0.0.1', path: '/login', method: 'TRACE', headers: { 'x-secret': 'told' } });
    sent.once('error', reject);
    sent.once('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.end();
  });
  expect(traced.status).toBeGreaterThanOrEqual(400);
  expect(traced.text).not.toContain('told');
});

test.each([
  ['/login', ['current-password']],
  ['/register', ['new-password']],
  ['/profile', ['current-password', 'new-password']],
])('at %s password managers fill in each password, and pasting is left alone', async (path, wanted) => {
  const reader = path === '/profile' ? host.browser : daybook.visitor();
  const fields = (await reader.get(path)).$$('input[type=password]');
  const kinds = new Set(fields.map((field) => field.getAttribute('autocomplete')));
  for (const kind of wanted) expect(kinds).toContain(kind);
  for (const kind of kinds) expect(['current-password', 'new-password']).toContain(kind);
  for (const field of fields) expect(field.getAttribute('onpaste') ?? null).toBeNull();
});
