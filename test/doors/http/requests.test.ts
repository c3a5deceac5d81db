import { describe, expect, test } from 'vitest';
import { accountCalls } from '../../support/account-calls';
import { password, peopleAt } from '../../support/factories';
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

/** The lines of one answer, which arrive a little later than it does. */
async function linesOf({ headers }: { headers: Headers }): Promise<Record<string, unknown>[]> {
  const id = headers.get('x-request-id');
  expect(id).toMatch(/^[\w-]{12}$/);
  await expect.poll(() => lines.filter((line) => line.id === id).length).toBeGreaterThan(0);
  return lines.filter((line) => line.id === id);
}
const eventsOf = async (answer: { headers: Headers }) =>
  (await linesOf(answer)).flatMap(({ message, event }) => (message === 'security' ? [event] : []));

describe('the log', () => {
  test('has one line for each request, by its route and without its address', async () => {
    const party = await createParty(host);
    const page = await maya.browser.get(`/party/${party.id}?from=mail`);
    const d1 = expect.objectContaining({ trips: 1, rowsRead: expect.any(Number), rowsWritten: 0 });
    const asked = { id: page.headers.get('x-request-id'), route: '/party/:id', method: 'GET', status: 200 };
    expect(await linesOf(page)).toEqual([{ message: 'request', ...asked, milliseconds: expect.any(Number), d1 }]);
    for (const [path, route] of [
      ['/nowhere/Ana.Costa', '/*'],
      ['/details/none%20', '*'],
      ['/api/party/getmy', '/api/Party/GetMy'],
      ['/api/Account/Ana.Costa', '/api/account/:call'],
    ])
      expect(await linesOf(await maya.browser.get(path ?? ''))).toMatchObject([{ message: 'request', route }]);
  });

  test('tells what concerns safety', async () => {
    const { username, browser } = await newConsumer();
    const guess = () => logIn({ username, password: 'Wrong password 1' });
    expect(await eventsOf(await guess())).toEqual(['login failed']);
    expect(await eventsOf(await logIn({ username, password }))).toEqual([]);
    for (let tries = 0; tries < 10; tries++) await guess();
    expect(await eventsOf(await guess())).toEqual(['throttled']);
    const change = { intent: 'password', password, newPassword: 'Battery staple 2' };
    expect(await eventsOf(await browser.post('/profile', change))).toEqual(['password changed']);
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    expect(await eventsOf(await browser.post('/profile', change, elsewhere))).toEqual(['cross-site refused']);
    const dead = { cookie: `daybook=${browser.cookies.get('daybook')}` };
    expect(await eventsOf(await browser.post('/logout', {}))).toEqual(['session ended']);
    expect(await eventsOf(await daybook.visitor().get('/profile', dead))).toEqual(['session check failed']);
    const other = await newConsumer();
    expect(await eventsOf(await other.browser.post('/profile', { intent: 'everywhere' }))).toEqual(['session ended']);
    expect(await eventsOf(await daybook.visitor().get('/profile'))).toEqual([]);
  });

  test('has nothing of anyone', async () => {
    await maya.browser.post('/login', { username: maya.username, password });
    await maya.browser.get(`/with/${host.username}?q=${maya.username}`);
    await daybook.visitor().get('/login');
    const told = JSON.stringify(lines);
    const cookie = maya.browser.cookies.get('daybook') ?? 'none';
    for (const own of [maya.username, host.username, password, '127.0.0.1', cookie]) expect(told).not.toContain(own);
  });
});
