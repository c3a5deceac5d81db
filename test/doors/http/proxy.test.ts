import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { password } from '../../support/factories';
import { sendRaw } from '../../support/raw';
import { useServer } from '../../support/use-server';
import type { Sent } from '../../support/visit';

/* Who a client is, where anybody may write headers: a server behind a proxy, one that others reach, and one for this machine. */

const proxied = useServer({
  vars: { RATE_LIMIT: undefined },
  trustedProxy: { addresses: '127.0.0.1', header: 'X-Forwarded-For' },
});
const open = useServer({ host: '0.0.0.0', vars: { RATE_LIMIT: undefined } });
const own = useServer({ vars: { RATE_LIMIT: undefined } });
const published = useServer({ vars: { PUBLIC_URL: 'https://book.example.org' } });

let names = 0;
const register = async ({ visitor }: typeof own, sent: Sent) => {
  const person = { displayName: 'Rosa', username: `rosa.${++names}`, password, role: 'Consumer' };
  return visitor().api('POST', '/api/Account/Register', person, sent);
};
const clientsOf = async ({ d1 }: typeof own) =>
  (
    await d1
      .prepare("SELECT substr(bucket, 10) AS client FROM throttles WHERE bucket LIKE 'register:%' ORDER BY 1")
      .all()
  ).results;

test('without a proxy nobody is believed who says where they come from', async () => {
  for (const daybook of [open, own]) {
    await register(daybook, { 'cf-connecting-ip': '203.0.113.7', 'x-forwarded-for': '203.0.113.8' });
    expect(await clientsOf(daybook)).toEqual([{ client: '127.0.0.1' }]);
  }
});

test('behind a proxy that writes ports, or who can’t be known, nobody is a new client with each connection', async () => {
  const lists = [
    '203.0.113.7:4711',
    '203.0.113.7:4712',
    '1.2.3.4, unknown',
    '5.6.7.8, unknown',
    '[2001:db8::1]:1',
    '[2001:db8::2]:2',
  ];
  for (const list of lists) await register(proxied, { 'x-forwarded-for': list });

  const clients = (await clientsOf(proxied)).map(({ client }) => client);
  expect(clients).toEqual(['127.0.0.1', '2001:db8:0:0::/64', '203.0.113.7']);
});

test('a proxy that speaks TLS makes cookies that only https has, and links that lead there', async () => {
  const https = { 'x-forwarded-proto': 'https', host: 'book.example.org' };
  const { headers } = await register(proxied, https);
  expect(headers.get('set-cookie')).toMatch(/; Secure/);
  expect((await register(open, https)).headers.get('set-cookie')).not.toMatch(/; Secure/);
  const page = await proxied.visitor().get('/login', https);
  expect([page.status, page.headers.has('strict-transport-security')]).toEqual([200, true]);
});

test('the mail that a server keeps is shown to this machine, and to nobody who comes to it through a proxy', async () => {
  const statusOf = async ({ visitor }: typeof own, sent?: Sent) => (await visitor().get('/mail', sent)).status;
  expect([await statusOf(open), await statusOf(own)]).toEqual([200, 200]);
  for (const path of ['/mail', '/mail/x.eml']) {
    const { status, text } = await proxied.visitor().get(path, { 'x-forwarded-for': '198.51.100.1' });
    expect([status, text]).toEqual([403, expect.stringContaining('on its own machine only')]);
  }
  // A proxy that nobody has named; some add no header, and ask by the name of this machine.
  for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
    expect([header, await statusOf(open, { [header]: '198.51.100.1' })]).toEqual([header, 403]);
  // A name of another site that leads to this machine.
  expect([await statusOf(open, { host: 'evil.example' }), await statusOf(own, { host: 'evil.example' })]).toEqual([
    404, 421,
  ]);
  const byName = { host: `127.0.0.1:${published.port}` };
  const asks: Sent[] = [{}, byName, { 'mf-original-url': 'http://localhost/mail' }];
  for (const sent of asks) expect(await statusOf(published, sent)).toBe(403);
  // A page of any site can send a form to this machine.
  const planted = await fetch(`${own.url}/mail`, { method: 'POST', body: 'Subject: From a friend' });
  expect(planted.status).toBe(403);
  expect((await own.visitor().get('/mail')).text).not.toContain('From a friend');
  // This machine by an address that others may reach it by.
  const outside = Object.values(networkInterfaces())
    .flatMap((some = []) => some)
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (outside) expect((await fetch(`http://${outside}:${open.port}/mail`)).status).toBe(200);
});

test('a body without a length is handed on as one, and what follows it as another request', async () => {
  const head = `DELETE /api/Account/Logout HTTP/1.1\r\nHost: 127.0.0.1:${open.port}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const smuggled = 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n';
  const answer = await sendRaw(open.port, `${head}${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`, 300);
  expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 204']);
  for (const _ of [1, 2, 3]) expect((await open.visitor().get('/login')).status).toBe(200);
});
