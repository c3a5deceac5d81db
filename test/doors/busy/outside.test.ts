import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FeedRequest } from '../../../app/domain/busy/feeds';
import { calendarAddress, outsideAddress } from '../../../app/domain/input/outside-address';
import { type Vars, workerOf } from '../../../app/local/configuration';
import { fetchOutside } from '../../../app/serve/outside';

/* Addresses that somebody typed, and servers behind them that mean harm. */

const calendar = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
const type = { 'Content-Type': 'text/calendar; charset=utf-8' };

const respondWith =
  (status: number, headers: Record<string, string> = type, body: string | Buffer = calendar): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const to = (location: string) => respondWith(302, { Location: location });
const responses: Record<string, RequestListener> = {
  '/fine': (request, response) => {
    const isKnown = request.headers['if-none-match'] === '"1"' || request.headers['if-modified-since'] === 'yesterday';
    if (isKnown) response.writeHead(304).end();
    else response.writeHead(200, { ...type, ETag: '"1"', 'Last-Modified': 'yesterday' }).end(calendar);
  },
  '/bomb': respondWith(200, { ...type, 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000))),
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
  '/cut': (_, response) => {
    response.writeHead(200, { ...type, 'Content-Length': '1000' });
    response.write('BEGIN', () => response.destroy());
  },
  '/page': respondWith(200, { 'Content-Type': 'text/html' }, '<!doctype html>'),
  '/unasked': respondWith(304, {}, ''),
  '/401': respondWith(401),
  '/503': respondWith(503),
  '/moved': respondWith(301, { Location: '/fine' }),
  '/third': to('/second'),
  '/second': to('/moved'),
  '/fourth': to('/third'),
  '/to-network': to('http://192.168.0.1/'),
  '/to-file': to('file:///etc/passwd'),
};

let server: Server;
let origin = '';
beforeAll(async () => {
  server = createServer((request, response) => {
    (responses[request.url ?? ''] ?? ((_, missing) => missing.writeHead(404).end()))(request, response);
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
    'https://p01-caldav.icloud.com/published/2/x',
    'https://93.184.216.34/x.ics',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/x.ics',
  ])('may be that of a public server, by its name or number: %s', (address) => {
    expect(outsideAddress(address)?.protocol).toBe('https:');
  });

  test.each([
    'webcal://p01-caldav.icloud.com/published/2/x',
    'WEBCALS://outlook.live.com/owa/calendar/x/reachcalendar.ics',
  ])('may be the one that a calendar has for its programs: %s', (address) => {
    expect(calendarAddress(address)?.protocol).toBe('https:');
  });

  test.each([
    '',
    'calendar',
    'http://calendar.google.com/x',
    'webcal://calendar.google.com/x',
    'ftp://calendar.google.com/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://name:password@calendar.google.com/x',
  ])('may not be one that anybody could read on the way, or no address at all: %s', (address) => {
    expect(outsideAddress(address)).toBeUndefined();
  });

  test.each([
    ...['localhost', 'LOCALHOST.', 'a.localhost', 'localhost..', '127.0.0.1..', 'printer', 'nas.local'],
    ...['metadata.google.internal', 'router.home.arpa'],
  ])('may not have a name of a network at home or a cloud: %s', (host) => {
    expect(outsideAddress(`https://${host}/x`)).toBeUndefined();
  });

  test.each([
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '0.0.0.0', '10.1.2.3', '100.64.0.1'],
    ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1', '198.18.0.1', '224.0.0.1'],
    '255.255.255.255',
  ])('may not have a number that is not public: %s', (host) => {
    expect(outsideAddress(`https://${host}/x`)).toBeUndefined();
  });

  test.each([
    ...['::1', '::', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'],
    ...['2001::1', '2001:db8::1', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1'],
  ])('may not have a long number that is not public: %s', (host) => {
    expect(outsideAddress(`https://[${host}]/x`)).toBeUndefined();
  });

  test('may be of this machine where the local server allows it', () => {
    const address = outsideAddress('http://127.0.0.1:9000/x', { allowsLoopback: true });

    expect(address?.href).toBe('http://127.0.0.1:9000/x');
  });

  test.each([
    ['of its network', 'https://192.168.1.1/x'],
    ['read on the way', 'http://calendar.google.com/x'],
  ])('may not be one %s even then', (_, address) => {
    expect(outsideAddress(address, { allowsLoopback: true })).toBeUndefined();
  });
});

describe('what is there', () => {
  test('is read with its marks', async () => {
    expect(await ask('/fine')).toEqual({ kind: 'read', text: calendar, etag: '"1"', lastModified: 'yesterday' });
  });

  test.each([
    ['tag', { etag: '"1"' }],
    ['date', { lastModified: 'yesterday' }],
  ])('is not read again where its %s is the same', async (_, mark) => {
    expect(await ask('/fine', mark)).toEqual({ kind: 'unchanged' });
  });

  test('is refused where it is unchanged though nobody asked', async () => {
    expect(await ask('/unasked')).toEqual(failed('refused'));
  });

  test('is not read from this machine', async () => {
    expect(await ask('/fine', {}, false)).toEqual(failed('not_public'));
  });

  test('is followed three times', async () => {
    expect(await ask('/third')).toMatchObject({ kind: 'read', text: calendar });
  });

  test('is not followed a fourth time', async () => {
    expect(await ask('/fourth')).toEqual(failed('too_many_redirects'));
  });

  test.each(['/to-network', '/to-file'])('is not followed to where nobody may ask: %s', async (path) => {
    expect(await ask(path)).toEqual(failed('not_public'));
  });

  test.each([
    ['this machine', 'http://127.0.0.1/'],
    ['this machine in long numbers', 'https://[::ffff:127.0.0.1]/'],
    ['this machine as one number', 'https://2130706433/'],
    ['this machine without a scheme', '//127.0.0.1/fine'],
    ['where anybody could listen', 'http://calendar.example.org/'],
  ])('is not followed from a public server to %s', async (_, away) => {
    const address = 'https://calendar.example.org/x.ics';
    responses['/away'] = to(away);
    const asked: string[] = [];
    // The public server stands here too, so its name leads to the port of this test.
    const asPublic = ((at: string, init?: RequestInit) => {
      asked.push(at);
      return fetch(at === address ? `${origin}/away` : at, init);
    }) as typeof fetch;

    const response = await fetchOutside({ address }, { fetch: asPublic });

    expect(response).toEqual(failed('not_public'));
    expect(asked).toEqual([address]);
  });

  test.each(['/bomb', '/endless'])('is given up where it is too large: %s', async (path) => {
    expect(await ask(path)).toEqual(failed('too_large'));
  });

  test.concurrent.each(['/silent', '/slow'])('is given up where it takes too long: %s', async (path) => {
    expect(await ask(path)).toEqual(failed('too_slow'));
  });

  test.each([
    ['/401', 'not_allowed'],
    ['/nowhere', 'not_found'],
    ['/503', 'server_error'],
    ['/page', 'wrong_type'],
    ['/cut', 'unreachable'],
  ])('is no calendar where %s is answered: %s', async (path, why) => {
    expect(await ask(path)).toEqual(failed(why));
  });

  test('is no calendar where nobody listens', async () => {
    const nobody = { address: 'http://127.0.0.1:1/' };

    expect(await fetchOutside(nobody, { fetch, allowsLoopback: true })).toEqual(failed('unreachable'));
  });
});

describe("the local server's network", () => {
  /** What its Worker reads at these addresses. */
  async function readThrough(vars: Vars, addresses: string[]): Promise<string[]> {
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
          return asked.then(async (response) => new Response(await response.text()), () => new Response('refused'));
        },
      }`,
      serviceBindings: { OUTSIDE: serviceBindings?.OUTSIDE as never },
    });
    const read = async (at: string) =>
      (await runtime.dispatchFetch(`http://test/?at=${encodeURIComponent(at)}`)).text();
    return Promise.all(addresses.map(read)).finally(() => runtime.dispose());
  }

  let everywhere: Server;
  /** The numbers of this machine in its networks, as hosts. */
  let ownNumbers: string[];
  const addressesOf = (hosts: string[]) =>
    hosts.map((host) => `http://${host}:${(everywhere.address() as AddressInfo).port}/`);
  beforeAll(async () => {
    everywhere = createServer((_, response) => response.writeHead(200, type).end(calendar));
    await new Promise<void>((resolve) => everywhere.listen(0, '::', resolve));
    const own = Object.values(networkInterfaces()).flatMap((some = []) =>
      some.filter(({ internal, scopeid }) => !internal && !scopeid),
    );
    ownNumbers = own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
  });
  afterAll(() => void everywhere.close());

  test('refuses by itself what resolves to this machine, private or not', async () => {
    const hosts = ['127.0.0.1', 'localhost', hostname(), ...ownNumbers];

    expect(await readThrough({}, addressesOf(hosts)), hosts.join()).toEqual(hosts.map(() => 'refused'));
  });

  test('asks the loopback alone where it is tried', async () => {
    const [loopback, ...others] = await readThrough({ ASK_LOOPBACK: 'on' }, addressesOf(['127.0.0.1', ...ownNumbers]));

    expect(loopback).toBe(calendar);
    expect(others).toEqual(ownNumbers.map(() => 'refused'));
  });
});
