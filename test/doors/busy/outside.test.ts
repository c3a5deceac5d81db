import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FeedRequest } from '../../../app/domain/busy/feeds';
import { outsideAddress } from '../../../app/domain/input/outside-address';
import { type Vars, workerOf } from '../../../app/local/configuration';
import { fetchOutside } from '../../../app/serve/outside';

/* Addresses that somebody typed, and servers behind them that mean harm. */

const calendar = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
const type = { 'Content-Type': 'text/calendar; charset=utf-8' };

const bomb = gzipSync(Buffer.alloc(50_000_000));

const answers: Record<string, RequestListener> = {
  '/fine': (request, response) => {
    const isKnown = request.headers['if-none-match'] === '"1"' || request.headers['if-modified-since'] === 'yesterday';
    if (isKnown) response.writeHead(304).end();
    else response.writeHead(200, { ...type, ETag: '"1"', 'Last-Modified': 'yesterday' }).end(calendar);
  },
  '/packed': (_, response) => response.writeHead(200, { ...type, 'Content-Encoding': 'gzip' }).end(gzipSync(calendar)),
  '/bomb': (_, response) => response.writeHead(200, { ...type, 'Content-Encoding': 'gzip' }).end(bomb),
  '/announced': (_, response) => response.writeHead(200, { ...type, 'Content-Length': '9000000' }).flushHeaders(),
  '/endless': (_, response) => {
    response.writeHead(200, type);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  },
  '/silent': () => undefined,
  '/slow': (_, response) => {
    response.writeHead(200, type);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/page': (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>'),
  '/unasked': (_, response) => response.writeHead(304).end(),
  '/cut': (_, response) => {
    response.writeHead(200, { ...type, 'Content-Length': '1000' });
    response.write('BEGIN', () => response.destroy());
  },
};
for (const status of [401, 403, 404, 410, 418, 500, 503])
  answers[`/${status}`] = (_, response) => response.writeHead(status, type).end(calendar);
const redirect = (path: string, to: string, status = 302) => {
  answers[path] = (_, response) => response.writeHead(status, { Location: to }).end();
};
redirect('/moved', '/fine', 301);
redirect('/third', '/second');
redirect('/second', '/moved');
redirect('/fourth', '/third');
redirect('/round', '/round');
redirect('/to-network', 'http://192.168.0.1/');
redirect('/to-metadata', 'http://169.254.169.254/latest/meta-data/');
redirect('/to-mapped', 'https://[::ffff:10.0.0.1]/');
redirect('/to-file', 'file:///etc/passwd');

let server: Server;
let origin = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    (answers[request.url ?? ''] ?? ((_, missing) => missing.writeHead(404).end()))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (path: string, conditions: Omit<FeedRequest, 'address'> = {}, allowsLoopback = true) =>
  fetchOutside({ address: origin + path, ...conditions }, { fetch, allowsLoopback, timeout: 1500 });
const failed = (why: string) => ({ kind: 'failed', why });

describe('an address outside', () => {
  test.each([
    'https://calendar.google.com/calendar/ical/x/basic.ics',
    'webcal://p01-caldav.icloud.com/published/2/x',
    'WEBCALS://outlook.live.com/owa/calendar/x/reachcalendar.ics',
    'https://cloud.example.org:8443/remote.php/dav/x?export',
    'https://93.184.216.34/x.ics',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/x.ics',
  ])('may be %s', (address) => {
    expect(outsideAddress(address)?.protocol).toBe('https:');
  });

  test.each([
    '',
    'calendar',
    'http://calendar.google.com/x',
    'ftp://calendar.google.com/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://name:password@calendar.google.com/x',
    'https://localhost/x',
    'https://LOCALHOST./x',
    'https://a.localhost/x',
    'https://localhost../x',
    'https://127.0.0.1../x',
    'https://printer/x',
    'https://nas.local/x',
    'https://metadata.google.internal/x',
    'https://router.home.arpa/x',
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://2130706433/x',
    'https://0x7f.0.0.1/x',
    'https://0177.0.0.1/x',
    'https://0.0.0.0/x',
    'https://10.1.2.3/x',
    'https://100.64.0.1/x',
    'https://169.254.169.254/x',
    'https://172.16.0.1/x',
    'https://172.31.255.255/x',
    'https://192.168.1.1/x',
    'https://198.18.0.1/x',
    'https://224.0.0.1/x',
    'https://255.255.255.255/x',
    'https://[::1]/x',
    'https://[::]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://[::ffff:a9fe:a9fe]/x',
    'https://[::127.0.0.1]/x',
    'https://[64:ff9b::7f00:1]/x',
    'https://[2002:7f00:1::]/x',
    'https://[2001::1]/x',
    'https://[2001:db8::1]/x',
    'https://[fe80::1]/x',
    'https://[fc00::1]/x',
    'https://[fd12::1]/x',
    'https://[ff02::1]/x',
  ])('may not be %s', (address) => {
    expect(outsideAddress(address)).toBeUndefined();
  });

  test('may be of this machine where the local server says so, and of its network even then not', () => {
    const loopback = { allowsLoopback: true };
    expect(outsideAddress('http://127.0.0.1:9000/x', loopback)?.href).toBe('http://127.0.0.1:9000/x');
    expect(outsideAddress('https://192.168.1.1/x', loopback)).toBeUndefined();
    expect(outsideAddress('http://calendar.google.com/x', loopback)).toBeUndefined();
  });
});

describe('what is there', () => {
  test('is read, packed or not, and not again where it has not changed', async () => {
    expect(await ask('/fine')).toEqual({ kind: 'read', text: calendar, etag: '"1"', lastModified: 'yesterday' });
    expect(await ask('/packed')).toMatchObject({ kind: 'read', text: calendar });
    expect(await ask('/fine', { etag: '"1"' })).toEqual({ kind: 'unchanged' });
    expect(await ask('/fine', { lastModified: 'yesterday' })).toEqual({ kind: 'unchanged' });
    expect(await ask('/unasked')).toEqual(failed('refused'));
  });

  test('is followed three times', async () => {
    expect(await ask('/third')).toMatchObject({ kind: 'read', text: calendar });
    expect(await ask('/fourth')).toEqual(failed('too_many_redirects'));
    expect(await ask('/round')).toEqual(failed('too_many_redirects'));
  });

  test.each(['/to-network', '/to-metadata', '/to-mapped', '/to-file'])(
    'is not followed to where nobody may ask: %s',
    async (path) => {
      expect(await ask(path)).toEqual(failed('not_public'));
    },
  );

  test('is not asked of this machine', async () => {
    expect(await ask('/fine', {}, false)).toEqual(failed('not_public'));
  });

  test.each([
    'http://127.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://2130706433/',
    '//127.0.0.1/fine',
    'http://calendar.example.org/',
  ])('is not followed from a public server to this machine, nor to where anybody could listen: %s', async (to) => {
    const asked: string[] = [];
    const address = 'https://calendar.example.org/x.ics';
    // The public server stands here too, so its name leads to the port of this test.
    const ask = ((at: string, init?: RequestInit) => {
      asked.push(at);
      return fetch(at === address ? `${origin}/away` : at, init);
    }) as typeof fetch;
    redirect('/away', to);
    expect(await fetchOutside({ address }, { fetch: ask })).toEqual(failed('not_public'));
    expect(asked).toEqual([address]);
  });

  test.each(['/bomb', '/announced', '/endless'])('is given up where it is too large: %s', async (path) => {
    expect(await ask(path)).toEqual(failed('too_large'));
  });

  test.each(['/silent', '/slow'])('is given up where it takes too long: %s', async (path) => {
    const began = Date.now();
    expect(await ask(path)).toEqual(failed('too_slow'));
    expect(Date.now() - began).toBeLessThan(6000);
  });

  test.each([
    ['/401', 'not_allowed'],
    ['/403', 'not_allowed'],
    ['/404', 'not_found'],
    ['/410', 'not_found'],
    ['/418', 'refused'],
    ['/500', 'server_error'],
    ['/503', 'server_error'],
    ['/page', 'wrong_type'],
    ['/cut', 'unreachable'],
  ])('%s is no calendar: %s', async (path, why) => {
    expect(await ask(path)).toEqual(failed(why));
  });

  test('cannot be reached where nobody listens', async () => {
    const asked = { address: 'http://127.0.0.1:1/' };
    expect(await fetchOutside(asked, { fetch, allowsLoopback: true })).toEqual(failed('unreachable'));
  });
});

describe("the local server's network", () => {
  const text = (answer: { text: () => Promise<string> }) => answer.text();
  const askThrough = async (vars: Vars, at = `${origin}/fine`) => {
    const { serviceBindings } = await workerOf(vars, { SESSION_SECRETS: '', PASSWORD_PEPPER: '' });
    const { Miniflare, NoOpLog } = await import('miniflare');
    const runtime = new Miniflare({
      modules: true,
      log: new NoOpLog(),
      handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
        for (const stream of [stdout, stderr]) stream.resume();
      },
      script: `export default {
        async fetch(request, env) {
          const asked = env.OUTSIDE.fetch(new URL(request.url).searchParams.get('at'));
          return asked.then(async (answer) => new Response(await answer.text()), () => new Response('refused'));
        },
      }`,
      serviceBindings: { OUTSIDE: serviceBindings?.OUTSIDE as never },
    });
    try {
      return await text(await runtime.dispatchFetch(`http://test/?at=${encodeURIComponent(at)}`));
    } finally {
      await runtime.dispose();
    }
  };

  test('refuses by itself what resolves to this machine, unless it is to be tried', async () => {
    expect(await askThrough({})).toBe('refused');
    expect(await askThrough({}, `${origin.replace('127.0.0.1', 'localhost')}/fine`)).toBe('refused');
    expect(await askThrough({ ASK_LOOPBACK: 'on' })).toBe(calendar);
  });

  test('refuses the addresses that this machine has, private or not, and the name that resolves to them', async () => {
    const everywhere = createServer((_, response) => response.writeHead(200, type).end(calendar));
    await new Promise<void>((resolve) => everywhere.listen(0, '::', resolve));
    const { port } = everywhere.address() as AddressInfo;
    const addresses = Object.values(networkInterfaces()).flatMap((some = []) =>
      some.filter(({ internal }) => !internal),
    );
    const own = addresses.filter(({ scopeid }) => !scopeid);
    const hosts = own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
    const ask = (host: string, vars: Vars = {}) => askThrough(vars, `http://${host}:${port}/`);
    try {
      for (const host of [hostname(), ...hosts]) expect([host, await ask(host)]).toEqual([host, 'refused']);
      for (const host of hosts) expect([host, await ask(host, { ASK_LOOPBACK: 'on' })]).toEqual([host, 'refused']);
    } finally {
      everywhere.close();
    }
  });
});
