import { describe, expect, test } from 'vitest';
import { password } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/*
 * Known holes of Remix v2 and its router that have no patch there, each with what keeps it out of reach; those with a patch are
 * closed by the versions that package.json demands. Then what the framework would answer otherwise: see
 * app/http/framework/README.md.
 */

const daybook = useServer();
const { maya } = useWorld(daybook, { maya: {} });

const leadsAway = (address: string) => new URL(address, daybook.url).origin !== daybook.url;
const linksOf = (page: Page) =>
  ['href', 'action', 'formaction'].flatMap((name) =>
    page.$$(`[${name}]`).map((element) => element.getAttribute(name) ?? ''),
  );

// CVE-2026-40181, CVE-2026-53669
const slashes = ['//evil.example', '///evil.example', '/.//evil.example', '/\t/evil.example'];
const backslashes = ['/\\evil.example', '\\\\evil.example', '/\\/evil.example', '/%5cevil.example/..'];
const targets = [...slashes, ...backslashes, 'https://evil.example', 'javascript:alert(1)'];

test.each(targets)('%j leads nowhere after a login', async (to) => {
  const login = { username: maya.username, password };

  const { status, location } = await daybook.visitor().post(`/login?to=${encodeURIComponent(to)}`, login);

  expect(status).toBe(303);
  expect(leadsAway(location ?? '')).toBe(false);
  expect(location).toMatch(/^\/(?![/\\])/);
});

test.each(targets)('%j is the target of no link on the pages before a login', async (to) => {
  for (const path of ['/login', '/not-logged-in', '/register', '/login/code']) {
    const page = await daybook.visitor().get(`${path}?to=${encodeURIComponent(to)}`);

    expect([...linksOf(page), page.location ?? '/'].filter(leadsAway)).toEqual([]);
  }
});

const list = `/__manifest?p=${'/a'.repeat(1000)}&version=1`;
// CVE-2026-34077, CVE-2026-42211, CVE-2026-42342
test.each([
  ['answers in the format of single fetch', '/_root.data'],
  ['answers a screen in the format of single fetch', '/login.data'],
  ['answers a part of a screen in the format of single fetch', '/login.data?_routes=root'],
  ['lists the routes', list],
])('nothing %s', async (_, path) => {
  const { status, headers } = await daybook.visitor().get(path);

  expect(status).toBe(404);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test.each(['/nowhere', '/create', '/details/none', '/party/none', '/booking/none'])(
  'no error tells the browser which class to make of it (CVE-2026-53666): %s',
  async (path) => {
    const page = await maya.browser.get(path);

    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.text).not.toMatch(/__subType|"__type":"Error"/);
  },
);

test.each([
  ['/api/Account/Login', 405],
  ['/profile', 405],
  ['/nowhere', 404],
])('a rare method is answered like any other: %s', async (path, status) => {
  expect((await maya.api('PROPFIND', path)).status).toBe(status);
});

const readPaths = ['/api/Account/Profile', '/api/nope', '/profile', '/nowhere'];
test.each(readPaths.flatMap((path) => ['GET', 'HEAD'].map((method) => [method, path] as const)))(
  'a body that comes with %s %s is let be',
  async (method, path) => {
    const accept = { accept: 'text/html' };
    const plain = await maya.api(method, path, undefined, accept);

    const withBody = await maya.api(method, path, { any: 'thing' }, accept);

    expect(withBody.status).toBe(plain.status);
    expect(withBody.text.length).toBe(plain.text.length);
  },
);

describe('what the framework asks screens for by `_data` means nothing to a call', () => {
  test.each([
    ['/api/Account/Profile', '/api/Account/Profile?_data=root'],
    ['/api/Account/Profile/x', '/api/Account/Profile/x?_data=root'],
    ['/api/Appointment/GetPage?page=x', '/api/Appointment/GetPage?page=x&_data=root'],
  ])('that reads: %s', async (path, pathWithData) => {
    const { status, json } = await maya.api('GET', path);

    expect(await maya.api('GET', pathWithData)).toMatchObject({ status, json });
  });

  test('that writes', async () => {
    const login = { username: 'a', password: 'b' };

    const { status, json } = await daybook.visitor().api('POST', '/api/Account/Login?_data=x', login);

    expect(status).toBe(401);
    expect(json).toBe('Wrong username or password.');
  });
});
