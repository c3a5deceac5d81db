import { expect, test } from 'vitest';
import { password } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';

/* What the framework would answer otherwise: see app/http/framework/README.md. */

const daybook = useServer();
const { maya } = useWorld(daybook, { maya: {} });

test.each(['PROPFIND', 'QUERY'])('a method as rare as %s is answered like any other', async (method) => {
  const answer = await daybook.visitor().api(method, '/api/Account/Login');
  expect([answer.status, answer.headers.get('allow'), answer.json]).toEqual([405, 'POST', 'This call is a POST.']);
  const statuses = ['/profile', '/nowhere'].map(async (path) => (await maya.api(method, path)).status);
  expect(await Promise.all(statuses)).toEqual([405, 404]);
});

test.each(['/api/Account/Profile', '/api/nope', '/profile', '/login', '/nowhere', '/view?q=x'])(
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
    const asked = `${path}${path.includes('?') ? '&' : '?'}_data=root`;
    const [plain, asData] = [await maya.api('GET', path), await maya.api('GET', asked)];
    expect([asData.status, asData.json]).toEqual([plain.status, plain.json]);
  }
  const login = await daybook.visitor().api('POST', '/api/Account/Login?_data=x', { username: 'a', password: 'b' });
  expect([login.status, login.json]).toEqual([401, 'Wrong username or password.']);
  const to = encodeURIComponent('/view?_data=routes%2Fbooking%2Ffind&location=Lisbon');
  const { username } = maya;
  const page = await daybook.visitor().post(`/login?to=${to}`, { username, password });
  expect([page.status, page.location]).toEqual([303, '/view?location=Lisbon']);
});

test.each(['/profile', '/view', '/news'])('%s is found with a slash at its end and with a query', async (path) => {
  const plain = await maya.browser.get(path);
  for (const other of [`${path}/`, `${path}?x=1`]) {
    const { status, root } = await maya.browser.get(other);
    expect([other, status, root.querySelector('h1')?.text]).toEqual([other, 200, plain.$('h1')?.text]);
  }
});
