import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { password } from '../../support/factories';
import { sendRaw } from '../../support/raw';
import { type Served, useServer } from '../../support/use-server';
import type { Sent } from '../../support/visit';

/* Who a client is, where anybody may write headers: a server behind a proxy, one that others reach, and one for this machine. */

const proxied = useServer({
  vars: { RATE_LIMIT: undefined },
  trustedProxy: { addresses: '127.0.0.1', header: 'X-Forwarded-For' },
});
const reachable = useServer({ host: '0.0.0.0', vars: { RATE_LIMIT: undefined } });
const own = useServer({ vars: { RATE_LIMIT: undefined } });
const published = useServer({ vars: { PUBLIC_URL: 'https://book.example.org' } });

const names = ['reachable by others', 'for this machine'] as const;
const servers: Record<(typeof names)[number], Served> = { 'reachable by others': reachable, 'for this machine': own };

let registered = 0;
const register = async ({ visitor }: Served, sent: Sent) => {
  const person = { displayName: 'Rosa', username: `rosa.${++registered}`, password, role: 'Consumer' };
  return visitor().api('POST', '/api/Account/Register', person, sent);
};

/** Whom a server has counted registrations for, in alphabetical order. */
async function clientsOf({ d1 }: Served): Promise<unknown[]> {
  const buckets = d1.prepare(
    "SELECT substr(bucket, 10) AS client FROM throttles WHERE bucket LIKE 'register:%' ORDER BY 1",
  );
  return (await buckets.all()).results.map(({ client }) => client);
}

describe('without a proxy', () => {
  test.each(names)('a server %s believes nobody who says where they come from', async (name) => {
    await register(servers[name], { 'cf-connecting-ip': '203.0.113.7', 'x-forwarded-for': '203.0.113.8' });

    expect(await clientsOf(servers[name])).toEqual(['127.0.0.1']);
  });

  test('nobody who claims https gets a cookie for https only', async () => {
    const { headers } = await register(reachable, { 'x-forwarded-proto': 'https', host: 'book.example.org' });

    expect(headers.get('set-cookie')).not.toMatch(/; Secure/);
  });
});

describe('behind a proxy', () => {
  const ofIpv4 = ['203.0.113.7:4711', '203.0.113.7:4712'];
  const ofIpv6 = ['[2001:db8::1]:1', '[2001:db8::2]:2'];
  const ofNobody = ['1.2.3.4, unknown', '5.6.7.8, unknown'];

  test.each([
    ['an IPv4 address with ports', ofIpv4, '203.0.113.7'],
    ['an IPv6 network with ports', ofIpv6, '2001:db8:0:0::/64'],
    ['somebody whom the proxy can’t name', ofNobody, '127.0.0.1'],
  ])('nobody is a new client with each connection: %s', async (_, lists, client) => {
    await proxied.d1.prepare('DELETE FROM throttles').run();

    for (const list of lists) await register(proxied, { 'x-forwarded-for': list });

    expect(await clientsOf(proxied)).toEqual([client]);
  });

  const https = { 'x-forwarded-proto': 'https', host: 'book.example.org' };

  test('that speaks TLS, cookies are for https only', async () => {
    const { headers } = await register(proxied, https);

    expect(headers.get('set-cookie')).toMatch(/; Secure/);
  });

  test('that speaks TLS, browsers are told to stay with https', async () => {
    const page = await proxied.visitor().get('/login', https);

    expect(page.status).toBe(200);
    expect(page.headers.has('strict-transport-security')).toBe(true);
  });
});

describe('the mail that a server keeps', () => {
  const statusOf = async ({ visitor }: Served, sent?: Sent) => (await visitor().get('/mail', sent)).status;

  test.each(names)('by a server %s is shown to this machine', async (name) => {
    expect(await statusOf(servers[name])).toBe(200);
  });

  test.each(['/mail', '/mail/x.eml'])('is not shown through a proxy at %s', async (path) => {
    const { status, text } = await proxied.visitor().get(path, { 'x-forwarded-for': '198.51.100.1' });

    expect(status).toBe(403);
    expect(text).toContain('on its own machine only');
  });

  // Some proxies add no header, and ask by the name of this machine.
  test.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])(
    'is not shown through a proxy that nobody has named, which adds %s',
    async (header) => {
      expect(await statusOf(reachable, { [header]: '198.51.100.1' })).toBe(403);
    },
  );

  test.each([
    ['reachable by others', 404],
    ['for this machine', 421],
  ] as const)('by a server %s is not shown at another site’s name that leads here', async (name, status) => {
    expect(await statusOf(servers[name], { host: 'evil.example' })).toBe(status);
  });

  test.each<[by: string, sent: () => Sent]>([
    ['its name', () => ({})],
    ['an address of this machine', () => ({ host: `127.0.0.1:${published.port}` })],
    ['a header that names this machine', () => ({ 'mf-original-url': 'http://localhost/mail' })],
  ])('is not shown where a public address is set, by %s', async (_, sent) => {
    expect(await statusOf(published, sent())).toBe(403);
  });

  // A page of any site can send a form to this machine.
  test('takes no mail from a form', async () => {
    const planted = await fetch(`${own.url}/mail`, { method: 'POST', body: 'Subject: From a friend' });

    expect(planted.status).toBe(403);
    expect((await own.visitor().get('/mail')).text).not.toContain('From a friend');
  });

  const outsideAddresses = Object.values(networkInterfaces())
    .flatMap((some = []) => some)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .slice(0, 1);
  test.each(outsideAddresses)(
    'is shown to this machine by $address, which others may reach it by',
    async ({ address }) => {
      expect((await fetch(`http://${address}:${reachable.port}/mail`)).status).toBe(200);
    },
  );
});

describe('a body without a length', () => {
  const head = () =>
    `DELETE /api/Account/Logout HTTP/1.1\r\nHost: 127.0.0.1:${reachable.port}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const smuggled = 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n';
  const sendSmuggled = () =>
    sendRaw(reachable.port, `${head()}${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`, 300);

  test('is no request of its own', async () => {
    expect((await sendSmuggled()).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 204']);
  });

  test('leaves the next requests their own responses', async () => {
    await sendSmuggled();

    for (const _ of [1, 2, 3]) expect((await reachable.visitor().get('/login')).status).toBe(200);
  });
});
