import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { beforeAll, describe, expect, test } from 'vitest';
import { regionOf } from '../../../app/serve/region';
import worker, { type Env } from '../../../app/worker';
import { withEmptyReplica, withKnownBookmarks } from '../../support/replica-d1';

/* What is so only where the product is deployed: TLS at the edge, copies of the database, objects in many regions. */

const origin = 'https://daybook.test';

async function ask(path: string, init: RequestInit = {}, given: Partial<Record<keyof Env, unknown>> = {}) {
  const after = createExecutionContext();
  const request = new Request(path.startsWith('http') ? path : origin + path, { redirect: 'manual', ...init });
  const settings = { ...env, RATE_LIMIT: 'off', ...given } as unknown as Env;
  const response = await worker.fetch(request, settings, after as never);
  await waitOnExecutionContext(after);
  return response;
}

const asJson = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});
const ana = { username: 'ana', displayName: 'Ana', password: 'Correct1horse', role: 'Provider', location: 'Lisbon' };

let cookie: string;
let party: string;
beforeAll(async () => {
  const registered = await ask('/api/Account/Register', asJson({ ...ana, timeZone: 'UTC' }));
  cookie = /__Host-daybook=[^;]*/.exec(registered.headers.getSetCookie().join('; '))?.[0] ?? '';
  const [year = '', month, date] = new Date(Date.now() + 864e5).toISOString().slice(0, 10).split('-');
  const draft = { title: 'Housewarming', date: `${month}-${date}-${year}`, startTime: '19:00', endTime: '22:00' };
  const { headers, ...init } = asJson(draft);
  const created = await ask('/api/Party/CreateParty', { ...init, headers: { ...headers, Cookie: cookie } });
  expect(created.status).toBe(201);
  party = ((await created.json()) as { id: string }).id;
});

describe('a request without TLS', () => {
  test('is sent on to https with its path and query, a form with its method', async () => {
    const asked = await ask('http://book.example.org/with/ana?day=1');
    expect([asked.status, asked.headers.get('Location')]).toEqual([301, 'https://book.example.org/with/ana?day=1']);
    const body = new URLSearchParams({ username: 'ana', password: 'Correct1horse' });
    const sent = await ask('http://book.example.org/login', { method: 'POST', body });
    expect([sent.status, sent.headers.get('Location')]).toEqual([308, 'https://book.example.org/login']);
    expect(sent.headers.getSetCookie()).toEqual([]);
  });

  test('to the API is refused, so that no program gets used to it', async () => {
    const { status, headers } = await ask('http://book.example.org/api/Account/Login', asJson(ana));
    expect([status, headers.get('Location'), headers.getSetCookie()]).toEqual([403, null, []]);
    expect((await ask('http://book.example.org/api/health')).status).toBe(403);
  });

  test.each(['localhost:8787', '127.0.0.1:8787', '[::1]:8787', 'daybook.localhost'])(
    'is served at %s',
    async (host) => {
      expect((await ask(`http://${host}/login`)).status).toBe(200);
    },
  );

  test('is served at any name where the local server says so', async () => {
    expect((await ask('http://book.example.org/login', {}, { PLAIN_HTTP: 'on' })).status).toBe(200);
  });
});

test('a deployed Daybook does not say what its database was asked', async () => {
  for (const path of ['/login', '/profile', '/api/Account/Profile']) {
    const { headers } = await ask(path, { headers: { Cookie: cookie } }, { TIMING: undefined });
    expect([path, headers.has('Server-Timing')]).toEqual([path, false]);
  }
});

describe('a copy of the database that lags behind', () => {
  const lagging = () => ({ DB: withEmptyReplica(env.DB as unknown as D1Database) });

  test('does not hide what is there: the primary is asked before a page is missing', async () => {
    const page = await ask(`/party/${party}`, {}, lagging());
    expect([page.status, (await page.text()).includes('Housewarming')]).toEqual([200, true]);
    expect(page.headers.get('Server-Timing')).toContain('trips=2');
    const missing = await ask('/party/none', {}, lagging());
    expect([missing.status, missing.headers.get('Server-Timing')]).toEqual([404, expect.stringContaining('trips=2')]);
    expect((await ask('/party/none')).headers.get('Server-Timing')).toContain('trips=1');
  });

  test('does not log anybody out', async () => {
    const call = await ask('/api/Account/Profile', { headers: { Cookie: cookie } }, lagging());
    expect([call.status, call.headers.getSetCookie()]).toEqual([200, []]);
    const screen = await ask('/profile', { headers: { Cookie: cookie } }, lagging());
    expect([screen.status, screen.headers.getSetCookie()]).toEqual([200, []]);
  });
});

describe('a bookmark', () => {
  const later = '00000009-00000002-00004e2f-0a83ea2fceebc654de0640c422be4653';
  const earlier = later.replace('9', '1');
  const began = async (headers: Record<string, string>, known: string[] = [earlier, later]) => {
    const DB = withKnownBookmarks(env.DB as unknown as D1Database, known);
    const { status } = await ask('/api/Party/GetAll', { headers: { Cookie: cookie, ...headers } }, { DB });
    return { status, began: DB.began };
  };
  const inCookie = (bookmark: string) => ({
    Cookie: `${cookie}; __Host-daybook-seen=${encodeURIComponent(btoa(JSON.stringify(bookmark)))}`,
  });

  test('of a call comes in a header, and the next call reads from there', async () => {
    const read = await ask('/api/Account/Profile', { headers: { Cookie: cookie } });
    const bookmark = read.headers.get('X-D1-Bookmark') ?? '';
    expect(bookmark).toMatch(/^[0-9a-f-]{20,}$/);
    const written = await ask('/api/Account/Login', asJson(ana));
    expect(written.headers.get('X-D1-Bookmark')).toMatch(/^[0-9a-f-]{20,}$/);
    expect(await began({ 'X-D1-Bookmark': bookmark }, [bookmark])).toEqual({ status: 200, began: [bookmark] });
    expect((await ask('/login')).headers.has('X-D1-Bookmark')).toBe(false);
  });

  test('counts where it is the later of header and cookie', async () => {
    const both = (header: string, seen: string) => began({ ...inCookie(seen), 'X-D1-Bookmark': header });
    expect((await both(earlier, later)).began).toEqual([later]);
    expect((await both(later, earlier)).began).toEqual([later]);
  });

  test('that D1 refuses is as none', async () => {
    expect(await began({ 'X-D1-Bookmark': later }, [])).toEqual({ status: 200, began: [later, 'first-primary'] });
    expect(await began(inCookie(later), [])).toEqual({ status: 200, began: [later, 'first-primary'] });
    for (const odd of ['first-primary', "' OR 1", 'x'.repeat(300)])
      expect(await began({ 'X-D1-Bookmark': odd })).toEqual({ status: 200, began: ['first-unconstrained'] });
  });
});

describe('hashing', () => {
  test('is done by objects of the region that the login comes from', async () => {
    const asked: [string, unknown][] = [];
    const HASHERS = {
      idFromName: (name: string) => name,
      get: (name: string, options: { locationHint?: string }) => {
        asked.push([name, options.locationHint]);
        return env.HASHERS.get(env.HASHERS.idFromName('0'));
      },
    };
    for (const cf of [{ continent: 'OC' }, { continent: 'NA', longitude: '-122.4' }, undefined])
      expect((await ask('/api/Account/Login', { ...asJson(ana), cf } as RequestInit, { HASHERS })).status).toBe(200);
    expect(asked).toEqual([
      [expect.stringMatching(/^oc-[0-7]$/), 'oc'],
      [expect.stringMatching(/^wnam-[0-7]$/), 'wnam'],
      [expect.stringMatching(/^anywhere-[0-7]$/), undefined],
    ]);
  });

  test.each([
    ['EU', '-9.1', 'weur'],
    ['EU', '26.1', 'eeur'],
    ['NA', '-73.9', 'enam'],
    ['NA', undefined, 'wnam'],
    ['AS', '77.6', 'apac'],
    ['AS', '55.3', 'me'],
    ['SA', '-58.4', 'sam'],
    ['AF', '3.4', 'afr'],
    ['AN', '0', undefined],
    ['?', '?', undefined],
  ])('is near a reader in %s at %s degrees: %s', (continent, longitude, region) => {
    expect(regionOf({ continent, ...(longitude && { longitude }) })).toBe(region);
  });
});
