import { expect, test } from 'vitest';
import { createParty } from '../../support/party-factories';
import { sendRaw } from '../../support/raw';
import { useServer, useWorld } from '../../support/use-server';

/* What a browser or a program may do with the product, whoever wrote the page that it shows. */

const daybook = useServer();
const { host } = useWorld(daybook, { host: {} });

test('lets no page of another site read anything', async () => {
  const elsewhere = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' };
  const { id } = await createParty(host);
  for (const path of ['/profile', '/api/Account/Profile', `/party/${id}`, '/api/openapi.json']) {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await host.api(method, path, undefined, elsewhere);
      expect([method, path, ...headers.keys()].join()).not.toContain('access-control-');
    }
  }
});

test('answers to no TRACE', async () => {
  const head = `TRACE /login HTTP/1.1\r\nHost: 127.0.0.1:${daybook.port}\r\nX-Secret: told\r\nConnection: close\r\n\r\n`;
  const answer = await sendRaw(daybook.port, head, 300);
  expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
  expect(answer).not.toContain('told');
});

test.each([
  ['/login', ['current-password']],
  ['/register', ['new-password']],
  ['/profile', ['current-password', 'new-password']],
])('at %s password managers fill in each password, and pasting is left alone', async (path, wanted) => {
  const reader = path === '/profile' ? host.browser : daybook.visitor();
  const fields = (await reader.get(path)).$$('input[type=password]');
  expect([...new Set(fields.map((field) => field.getAttribute('autocomplete')))].sort()).toEqual(wanted);
  expect(fields.filter((field) => field.hasAttribute('onpaste'))).toEqual([]);
});
