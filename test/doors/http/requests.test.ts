import { beforeEach, describe, expect, test } from 'vitest';
import { accountCalls } from '../../support/account-calls';
import { type Person, password, peopleAt } from '../../support/factories';
import { createParty } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';

/* What is told of a request where it ends: to whoever made it, and to the log. */

const lines: Record<string, unknown>[] = [];
const daybook = useServer({
  vars: { LOG: 'on', RATE_LIMIT: undefined },
  log: ({ message }) => lines.push(JSON.parse(message)),
});
const { newConsumer } = peopleAt(daybook);
const { logIn } = accountCalls(daybook);

const { host, maya } = useWorld(daybook, { host: {}, maya: {} });

/** The lines of one response, which arrive a little later than it does. */
async function linesOf({ headers }: { headers: Headers }): Promise<Record<string, unknown>[]> {
  const id = headers.get('x-request-id');
  expect(id).toMatch(/^[\w-]{12}$/);
  await expect.poll(() => lines.filter((line) => line.id === id).length).toBeGreaterThan(0);
  return lines.filter((line) => line.id === id);
}
/** What a log tells of safety at one response. */
const eventsOf = async (response: { headers: Headers }) =>
  (await linesOf(response)).flatMap(({ message, event }) => (message === 'security' ? [event] : []));

describe('the log', () => {
  test('has one line for each request, by its route and without its address', async () => {
    const party = await createParty(host);

    const page = await maya.browser.get(`/party/${party.id}?from=mail`);

    const d1 = expect.objectContaining({ trips: 1, rowsRead: expect.any(Number), rowsWritten: 0 });
    const request = { id: page.headers.get('x-request-id'), route: '/party/:id', method: 'GET', status: 200 };
    expect(await linesOf(page)).toEqual([{ message: 'request', ...request, milliseconds: expect.any(Number), d1 }]);
  });

  test.each([
    ['/nowhere/Ana.Costa', '/*'],
    ['/details/none%20', '*'],
    ['/api/party/getmy', '/api/Party/GetMy'],
    ['/api/Account/Ana.Costa', '/api/account/:call'],
  ])('calls %s by %s', async (path, route) => {
    expect(await linesOf(await maya.browser.get(path))).toMatchObject([{ message: 'request', route }]);
  });

  test('has nothing of anyone', async () => {
    await maya.browser.post('/login', { username: maya.username, password });
    await maya.browser.get(`/with/${host.username}?q=${maya.username}`);

    // The lines of the last response come after those of the others.
    await linesOf(await daybook.visitor().get('/login'));

    const log = JSON.stringify(lines);
    const cookie = maya.browser.cookies.get('daybook') ?? 'none';
    for (const own of [maya.username, host.username, password, '127.0.0.1', cookie]) expect(log).not.toContain(own);
  });
});

describe('the log tells what concerns safety:', () => {
  let reader: Person;
  beforeEach(async () => {
    reader = await newConsumer();
  });
  const guess = () => logIn({ username: reader.username, password: 'Wrong password 1' });
  const newPassword = { intent: 'password', password, newPassword: 'Battery staple 2' };

  test('a login that failed', async () => {
    expect(await eventsOf(await guess())).toEqual(['login failed']);
  });

  test('nothing of a login that succeeded', async () => {
    expect(await eventsOf(await logIn({ username: reader.username, password }))).toEqual([]);
  });

  test('too many tries', async () => {
    for (let tries = 0; tries < 10; tries++) await guess();

    expect(await eventsOf(await guess())).toEqual(['throttled']);
  });

  test('a new password', async () => {
    expect(await eventsOf(await reader.browser.post('/profile', newPassword))).toEqual(['password changed']);
  });

  test('a form of another site', async () => {
    const response = await reader.browser.post('/profile', newPassword, { 'sec-fetch-site': 'cross-site' });

    expect(await eventsOf(response)).toEqual(['cross-site refused']);
  });

  test('a logout', async () => {
    expect(await eventsOf(await reader.browser.post('/logout', {}))).toEqual(['session ended']);
  });

  test('a logout everywhere', async () => {
    expect(await eventsOf(await reader.browser.post('/profile', { intent: 'everywhere' }))).toEqual(['session ended']);
  });

  test('each change of a webhook', async () => {
    const wish = { url: 'https://example.org/hook', kinds: ['booked'] };
    const made = await host.api('POST', '/api/Account/MakeWebhook', wish);
    const { id } = made.json as { id: string };

    const changed = await host.api('PUT', `/api/Account/EditWebhook?id=${id}`, { kinds: ['moved'] });
    const ended = await host.api('DELETE', `/api/Account/EndWebhook?id=${id}`);

    expect([await eventsOf(made), await eventsOf(changed), await eventsOf(ended)]).toEqual([
      ...[['webhook made'], ['webhook changed'], ['webhook ended']],
    ]);
  });

  test('a session that has ended', async () => {
    const cookie = `daybook=${reader.browser.cookies.get('daybook')}`;
    await reader.browser.post('/logout', {});

    expect(await eventsOf(await daybook.visitor().get('/profile', { cookie }))).toEqual(['session check failed']);
  });

  test('nothing of a reader without a session', async () => {
    expect(await eventsOf(await daybook.visitor().get('/profile'))).toEqual([]);
  });
});
