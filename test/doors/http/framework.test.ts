import { expect, test } from 'vitest';
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
test.each([...slashes, ...backslashes, 'https://evil.example', 'javascript:alert(1)'])(
  '%j leads nowhere after a login, a registration or a code',
  async (to) => {
    const query = `?to=${encodeURIComponent(to)}`;
    const login = { username: maya.username, password };
    const { status, location } = await daybook.visitor().post(`/login${query}`, login);
    expect([status, leadsAway(location ?? '')]).toEqual([303, false]);
    expect(location).toMatch(/^\/(?![/\\])/);
    for (const path of ['/login', '/not-logged-in', '/register', '/login/code']) {
      const page = await daybook.visitor().get(path + query);
      expect([...linksOf(page), page.location ?? '/'].filter(leadsAway)).toEqual([]);
    }
  },
);

test('nothing answers in the format of single fetch, nor with a list of routes (CVE-2026-34077, CVE-2026-42211, CVE-2026-42342)', async () => {
  const list = `/__manifest?p=${'/a'.repeat(1000)}&version=1`;
  for (const path of ['/_root.data', '/login.data', '/login.data?_routes=root', list]) {
    const { status, headers } = await daybook.visitor().get(path);
    expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
  }
});

test('no error tells the browser which class to make of it (CVE-2026-53666)', async () => {
  for (const path of ['/nowhere', '/create', '/details/none', '/party/none', '/booking/none']) {
    const page = await maya.browser.get(path);
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.text).not.toMatch(/__subType|"__type":"Error"/);
  }
});

test('a rare method is answered like any other', async () => {
  const statusOf = async (path: string) => (await maya.api('PROPFIND', path)).status;
  expect([await statusOf('/api/Account/Login'), await statusOf('/profile'), await statusOf('/nowhere')]).toEqual([
    405, 405, 404,
  ]);
});

test.each(['/api/Account/Profile', '/api/nope', '/profile', '/nowhere'])(
  'a body that comes with a reading of %s is let be',
  async (path) => {
    const accept = { accept: 'text/html' };
    for (const method of ['GET', 'HEAD']) {
      const plain = await maya.api(method, path, undefined, accept);
      const withBody = await maya.api(method, path, { any: 'thing' }, accept);
      expect([method, withBody.status, withBody.text.length]).toEqual([method, plain.status, plain.text.length]);
    }
  },
);

test('what the framework asks screens for by `_data` means nothing to a call', async () => {
  for (const path of ['/api/Account/Profile', '/api/Account/Profile/x', '/api/Appointment/GetPage?page=x']) {
    const { status, json } = await maya.api('GET', path);
    expect(await maya.api('GET', `${path}${path.includes('?') ? '&' : '?'}_data=root`)).toMatchObject({ status, json });
  }
  const login = await daybook.visitor().api('POST', '/api/Account/Login?_data=x', { username: 'a', password: 'b' });
  expect([login.status, login.json]).toEqual([401, 'Wrong username or password.']);
});
