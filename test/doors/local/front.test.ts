import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { atDesk } from '../../../app/local/at-desk';
import { runtimes } from '../../bench/runtime-process';
import { exchange } from '../../support/exchange';
import { sendRaw } from '../../support/raw';
import { addressOf, useSharedProcesses } from '../../support/use-processes';
import { type Served, useServer } from '../../support/use-server';

/* The one door of a local server: what may come in by which name, and that there is no other door beside it. */

const lines: string[] = [];
const log = ({ message }: { message: string }) => void lines.push(message);
const own = useServer({ log, vars: { LOG: 'on', RATE_LIMIT: undefined } });
const published = useServer({ vars: { PUBLIC_URL: 'https://book.example.org' } });
const open = useServer({ host: '0.0.0.0', log, vars: { LOG: 'on' } });
const proxied = useServer({ trustedProxy: { addresses: '127.0.0.1' } });

/** A busy machine answers late; what answers nobody refuses at once. In milliseconds. */
const patience = 30_000;

/** Asks by these headers alone; a path is sent as it is. */
const ask = ({ port }: Served, headers: Record<string, string>, path = '/login', method = 'GET') =>
  exchange({ hostname: '127.0.0.1', port: String(port), path }, { method, headers, patience });

describe('a server for this machine alone', () => {
  const pages = ['/', '/login', '/mail', '/mail/x.eml', '/api/health', '/api/Account/Profile', '/favicon.svg'];
  const addresses = [...pages, '/assets/none.js', '/cdn-cgi/mf/scheduled', '/cdn-cgi/platform-proxy', '/nowhere'];
  const askAsEvil = (path: string, method: string) => ask(own, { host: `evil.example:${own.port}` }, path, method);

  test.each(addresses)('refuses %s by the name of another site, by whatever method', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await askAsEvil(path, method);

      expect(status, method).toBe(421);
      expect(headers.get('content-type'), method).toBe('text/plain; charset=utf-8');
    }
  });

  test.each(addresses)('says of %s by the name of another site whom it is for, and repeats no name', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const { text } = await askAsEvil(path, method);

      expect(text, method).toContain('for its own machine alone');
      expect(text, method).not.toContain('evil');
    }
  });

  test.each(['localhost', 'daybook.localhost', 'LOCALHOST:80', '127.0.0.1', '127.1.2.3:9000', '[::1]', '[::1]:8787'])(
    'answers to %s',
    async (host) => {
      expect((await ask(own, { host })).status).toBe(200);
    },
  );

  test.each(['localhost.evil.example', '127.0.0.1.evil.example', 'evillocalhost', '10.0.0.1', '[::2]', '0.0.0.0'])(
    'does not answer to %s',
    async (host) => {
      expect((await ask(own, { host })).status).toBe(421);
    },
  );

  test.each(['book.example.org', 'localhost'])(
    'whose PUBLIC_URL is at book.example.org answers to %s',
    async (host) => {
      expect((await ask(published, { host })).status).toBe(200);
    },
  );

  test.each(['example.org', 'x.book.example.org'])(
    'whose PUBLIC_URL is at book.example.org does not answer to %s',
    async (host) => {
      expect((await ask(published, { host })).status).toBe(421);
    },
  );
});

describe.each([
  ['that others reach', open],
  ['behind a proxy', proxied],
])('a server %s', (_, server) => {
  test('answers to any name', async () => {
    expect((await ask(server, { host: 'book.example.org' })).status).toBe(200);
  });

  // A name of this machine in its network may be anybody's there.
  test.each(['book.example.org', hostname(), `${hostname()}.local`])('shows its mail to nobody at %s', async (host) => {
    expect((await ask(server, { host }, '/mail')).status).toBe(404);
  });
});

describe('what the runtime believes', () => {
  const toMail = 'http://localhost/mail';
  const spellings = ['MF-Original-URL', 'mf-original-url', 'Mf-OrIgInAl-UrL'];

  test.each(spellings)('%s leads nobody to the mail', async (name) => {
    for (const [kind, server] of Object.entries({ own, open, proxied, published })) {
      const { status } = await ask(server, { host: 'localhost', [name]: toMail }, '/nowhere');

      expect(status, kind).toBe(404);
    }
  });

  test.each(spellings)('%s lets nobody in by the name of another site', async (name) => {
    expect((await ask(own, { host: 'evil.example', [name]: toMail }, '/nowhere')).status).toBe(421);
  });

  const rubbish: Record<string, string>[] = [
    { 'mf-cf-blob': '{"timezone":"Asia/Tokyo"}', 'cf-timezone': 'Asia/Tokyo' },
    { 'mf-cf-blob': '{mallory' },
    { 'MF-Original-URL': 'mallory' },
    { 'MF-Proxy-Shared-Secret': 'mallory' },
    { 'MF-Op': 'GET', 'MF-Op-Secret': 'mallory', 'MF-Route-Override': 'mallory' },
    { 'CF-Connecting-IP': 'mallory', 'CF-Front-Key': 'mallory', 'CF-Worker': 'mallory', 'CF-EW-Via': 'mallory' },
  ];
  const askWith = (headers: Record<string, string>) => ask(own, { host: 'localhost', ...headers }, '/register');
  const zoneIn = (text: string) => /data-zone="[^"]*"|Asia\/Tokyo/.exec(text)?.[0];

  test.each(rubbish)('%j from outside changes nothing of the page', async (headers) => {
    const plain = await askWith({});

    const { status, text } = await askWith(headers);

    expect(status).toBe(200);
    expect(zoneIn(text)).toBe(zoneIn(plain.text));
  });

  test.each(rubbish)('%j from outside is not logged', async (headers) => {
    await askWith(headers);

    expect(lines.join()).not.toContain('mallory');
  });
});

describe('a request that can’t be read', () => {
  const get = (...head: string[]) => `GET /login HTTP/1.1\r\n${head.join('\r\n')}\r\nConnection: close\r\n\r\n`;
  const to = (target: string, method = 'GET', version = '1.1') =>
    `${method} ${target} HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

  describe.each([
    ['a Host with a space', get('Host: mal lory')],
    ['a Host with mark-up', get('Host: <b>mallory</b>')],
    ['a Host with somebody before it', get('Host: mallory@localhost')],
    ['a Host with a path', get('Host: localhost/mallory')],
    ['a Host of bytes', get('Host: mall\u00f6ry')],
    ['a Host with percent signs', get('Host: %6docalhost')],
    ['a Host with a port that is none', get('Host: mallory:99999')],
    ['a Host of a broken name', get('Host: xn--')],
    ['a Host of a broken address', get('Host: [::mallory]')],
    ['an empty Host', get('Host: ')],
    ['no Host', get('Accept: mallory')],
    ['two Hosts', get('Host: localhost', 'Host: mallory.example')],
    ['two Hosts that are one', get('Host: localhost', 'host: localhost')],
    ['HTTP/1.0 without a Host', 'GET /login HTTP/1.0\r\n\r\n'],
    ['a target with a host', to('http://mallory.example/login')],
    ['a target with this host', to('http://localhost/mail')],
    ['a target without a slash', to('mallory')],
    ['a target for all', to('*', 'OPTIONS')],
    ['a method of its own', to('/login', 'MALLORY')],
    ['a header that is none', get('Host: localhost', 'mallory')],
    ['two lengths', get('Host: localhost', 'Content-Length: 1', 'Content-Length: 2')],
    ['another version', to('/login', 'GET', '3.0')],
    ['a length and chunks', get('Host: localhost', 'Content-Length: 5', 'Transfer-Encoding: chunked')],
  ])('with %s', (_, request) => {
    const servers = [own, open];
    let responses: string[];

    beforeAll(async () => {
      responses = await Promise.all(servers.map(({ port }) => sendRaw(port, request)));
    });

    test('is a 400 that says so', () => {
      for (const response of responses) {
        expect(response).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
        expect(response).toContain('Daybook can’t read this request.');
      }
    });

    test('is not repeated in the answer', () => {
      for (const response of responses) expect(response).not.toMatch(/mal/i);
    });

    test('leaves the server open to others', async () => {
      for (const server of servers) expect((await ask(server, { host: 'localhost' })).status).toBe(200);
    });

    test('is not logged', () => {
      // The random id of a request may have any three letters in it.
      expect(lines.join().replace(/"id":"[^"]*"/g, '')).not.toMatch(/mal/i);
    });
  });

  test('for a header that is too long is a 431', async () => {
    const response = await sendRaw(own.port, get('Host: localhost', `Accept: ${'x'.repeat(70_000)}`));

    expect(response).toMatch(/^HTTP\/1.1 431 /);
  });
});

test('there is no way through the front to another host', async () => {
  const response = await sendRaw(own.port, 'CONNECT mallory.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');

  expect(response).not.toContain(' 200');
});

describe('whoever asks to go on in another protocol', () => {
  const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  const upgradeAt = (host: string) =>
    sendRaw(own.port, `GET /login HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\n${upgrade.join('\r\n')}\r\n\r\n`);

  test('gets the page', async () => {
    expect(await upgradeAt('localhost')).toMatch(/^HTTP\/1.1 200 /);
  });

  test('is refused by the name of another site', async () => {
    expect(await upgradeAt('evil.example')).toMatch(/^HTTP\/1.1 421 /);
  });
});

/** The ports at which processes of Linux listen. */
function portsOf(pids: number[]): number[] {
  const socketsOf = (pid: number) =>
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? ''];
      } catch {
        return []; // closed meanwhile
      }
    });
  const sockets = new Set(pids.flatMap(socketsOf));
  const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').trim().split('\n').slice(1));
  const listening = '0A';
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter((row) => row[3] === listening && sockets.has(row[9] ?? ''))
    .map(([, at = '']) => Number.parseInt(at.split(':')[1] ?? '', 16));
}

/** Asks each of these ports what its front would not pass on, by the name of another site. @returns answers that are no refusal */
async function responsesOf(ports: number[]): Promise<unknown[]> {
  const statements = JSON.stringify([['SELECT 1', []]]);
  const asks: { path: string; headers?: Record<string, string>; body?: string }[] = [
    { path: '/mail' },
    { path: '/', headers: { 'MF-Original-URL': 'http://localhost/mail' } },
    { path: '/api/health', headers: { 'CF-Front-Key': '' } },
    { path: '/', body: statements },
    { path: '/', headers: { 'MF-Custom-Fetch-Service': '0/#MAILBOX' }, body: 'Subject: From a friend' },
    { path: '/', headers: { 'MF-Custom-Fetch-Service': '1/#NODE' }, body: '["hash","x"]' },
  ];
  const responses = ports.flatMap((port) =>
    asks.map(async ({ path, headers, body }) => {
      const method = body === undefined ? 'GET' : 'POST';
      const to = { hostname: '127.0.0.1', port: String(port), path };
      const sent = { host: 'evil.example', ...headers };
      const { status, text } = await exchange(to, { method, headers: sent, body, patience });
      return { port, path, headers, status, text };
    }),
  );
  return (await Promise.all(responses)).filter(({ status }) => status < 400);
}

describe.runIf(process.platform === 'linux')('the other ports of a local server', () => {
  const { start, within } = useSharedProcesses();
  let port: string;
  let others: number[];
  let responses: unknown[];

  beforeAll(async () => {
    const running = start();
    ({ port } = new URL(await addressOf(running)));
    const pid = running.child.pid as number;
    others = portsOf([pid, ...runtimes(pid)]).filter((other) => other !== Number(port));
    responses = await responsesOf(others);
  });

  test('answer nobody', () => {
    expect(others.length).toBeGreaterThan(2);
    expect(responses).toEqual([]);
  });

  test('take no mail', async () => {
    const to = { hostname: '127.0.0.1', port, path: '/mail' };

    const mail = await exchange(to, { method: 'GET', headers: {}, patience });

    expect(mail.text).toContain('No mail was sent yet.');
  });

  test('take no statement while the database is made, backed up or restored', async () => {
    await atDesk(within('book'), async (d1) => {
      expect((await d1.prepare('SELECT 1 AS one').all()).results).toEqual([{ one: 1 }]);
      expect(await responsesOf(portsOf(runtimes()))).toEqual([]);
    });
  });
});
