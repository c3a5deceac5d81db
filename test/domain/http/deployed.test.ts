import { env } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type * as entry from '../../../app/entry.server';
import { regionOf } from '../../../app/serve/region';
// @ts-expect-error the built server has no types; the rehearsal gives it those of its source
import * as build from '../../../build/server/index.js';
import {
  as,
  asForm,
  asJson,
  ask,
  askAt,
  password,
  realD1,
  register,
  runHourly,
  tomorrow,
} from '../../support/ask-worker';
import { withEmptyReplica, withKnownBookmarks } from '../../support/faulty-d1';

/* What is so only where the product is deployed: TLS at the edge, copies of the database, objects in many regions, limits, a clock. */

const login = asJson({ username: 'ana', password });
let cookie: string;
let party: string;
beforeAll(async () => {
  const cookies = await register('Provider', 'ana');
  cookie = /__Host-daybook=[^;]*/.exec(cookies)?.[0] ?? '';
  const draft = { title: 'Housewarming', date: tomorrow(), startTime: '19:00', endTime: '22:00' };
  const created = await ask('/api/Party/CreateParty', asJson(draft, cookie));
  party = ((await created.json()) as { id: string }).id;
});

describe('a request without TLS', () => {
  test('is sent on to https with its path and query, a form with its method', async () => {
    const asked = await ask('http://book.example.org/with/ana?day=1');
    expect([asked.status, asked.headers.get('Location')]).toEqual([301, 'https://book.example.org/with/ana?day=1']);
    const sent = await ask('http://book.example.org/login', asForm({ username: 'ana', password }));
    expect([sent.status, sent.headers.get('Location')]).toEqual([308, 'https://book.example.org/login']);
    expect(sent.headers.getSetCookie()).toEqual([]);
  });

  test('to the API is refused, so that no program gets used to it', async () => {
    const { status, headers } = await ask('http://book.example.org/api/Account/Login', login);
    expect([status, headers.get('Location'), headers.getSetCookie()]).toEqual([403, null, []]);
  });

  test('is served at this machine, and at any name where the local server says so', async () => {
    for (const host of ['localhost:8787', '127.0.0.1:8787', '[::1]:8787', 'daybook.localhost'])
      expect([host, (await ask(`http://${host}/login`)).status]).toEqual([host, 200]);
    expect((await ask('http://book.example.org/login', {}, { PLAIN_HTTP: 'on' })).status).toBe(200);
  });
});

test('a request whose address is broken is a 400, and nothing of it is shown or logged', async () => {
  const written: unknown[] = [];
  for (const level of ['log', 'warn', 'error'] as const) {
    const spy = vi.spyOn(console, level).mockImplementation((line) => void written.push(line));
    onTestFinished(() => spy.mockRestore());
  }

  for (const url of ['http://mal lory/login', 'https://mallory:x/with/ana', 'https://xn--mallory-%/api/health'])
    for (const init of [{}, asForm({ username: 'ana' })]) {
      const answer = await askAt(url, init, { LOG: 'on' });
      expect([url, answer.status]).toEqual([url, 400]);
      expect(`${await answer.text()} ${JSON.stringify([...answer.headers])}`).not.toMatch(/mal|stack/i);
    }

  expect(written.length).toBe(6);
  expect(written.join()).not.toMatch(/mal/);
});

test('a deployed Daybook does not say what its database was asked', async () => {
  for (const path of ['/profile', '/api/Account/Profile'])
    expect((await ask(path, as(cookie), { TIMING: undefined })).headers.has('Server-Timing')).toBe(false);
});

describe('a copy of the database that lags behind', () => {
  const lagging = () => ({ DB: withEmptyReplica(realD1()) });

  test('does not hide what is there: the primary is asked before a page is missing', async () => {
    const page = await ask(`/party/${party}`, {}, lagging());
    expect([page.status, (await page.text()).includes('Housewarming')]).toEqual([200, true]);
    expect(page.headers.get('Server-Timing')).toContain('trips=2');
    const missing = await ask('/party/none', {}, lagging());
    expect([missing.status, missing.headers.get('Server-Timing')]).toEqual([404, expect.stringContaining('trips=2')]);
    expect((await ask('/party/none')).headers.get('Server-Timing')).toContain('trips=1');
  });

  test('does not log anybody out', async () => {
    for (const path of ['/api/Account/Profile', '/profile']) {
      const answer = await ask(path, as(cookie), lagging());
      expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([path, 200, []]);
    }
  });
});

describe('a bookmark', () => {
  const later = '00000009-00000002-00004e2f-0a83ea2fceebc654de0640c422be4653';
  const earlier = later.replace('9', '1');
  const began = async (headers: Record<string, string>, known: string[] = [earlier, later]) => {
    const DB = withKnownBookmarks(realD1(), known);
    const { status } = await ask('/api/Party/GetAll', { headers: { Cookie: cookie, ...headers } }, { DB });
    return { status, began: DB.began };
  };
  const inCookie = (bookmark: string) => ({
    Cookie: `${cookie}; __Host-daybook-seen=${encodeURIComponent(btoa(JSON.stringify(bookmark)))}`,
  });

  test('of a call comes in a header, and the next call reads from there', async () => {
    const read = await ask('/api/Account/Profile', as(cookie));
    const bookmark = read.headers.get('X-D1-Bookmark') ?? '';
    expect(bookmark).toMatch(/^[0-9a-f-]{20,}$/);
    expect(await began({ 'X-D1-Bookmark': bookmark }, [bookmark])).toEqual({ status: 200, began: [bookmark] });
    expect((await ask('/login')).headers.has('X-D1-Bookmark')).toBe(false);
  });

  test('that D1 refuses is as none', async () => {
    expect(await began({ 'X-D1-Bookmark': later }, [])).toEqual({ status: 200, began: [later, 'first-primary'] });
    expect(await began(inCookie(later), [])).toEqual({ status: 200, began: [later, 'first-primary'] });
    for (const odd of ['first-primary', "' OR 1", 'x'.repeat(300)])
      expect(await began({ 'X-D1-Bookmark': odd })).toEqual({ status: 200, began: ['first-unconstrained'] });
  });
});

test('hashing is done by objects of the region that the login comes from', async () => {
  const asked: [string, unknown][] = [];
  const HASHERS = {
    idFromName: (name: string) => name,
    get: (name: string, { locationHint }: { locationHint?: string }) => {
      asked.push([name.replace(/-[0-7]$/, ''), locationHint]);
      return env.HASHERS.get(env.HASHERS.idFromName('0'));
    },
  };
  for (const cf of [{ continent: 'OC' }, { continent: 'NA', longitude: '-122.4' }, undefined])
    expect((await ask('/api/Account/Login', { ...login, cf } as RequestInit, { HASHERS })).status).toBe(200);
  expect(asked).toEqual(['oc', 'wnam', undefined].map((region) => [region ?? 'anywhere', region]));

  const regions = [
    ['EU', '-9.1', 'weur'],
    ['EU', '26.1', 'eeur'],
    ['NA', '-73.9', 'enam'],
    ['AS', '77.6', 'apac'],
    ['AS', '55.3', 'me'],
  ];
  for (const [continent = '', longitude = '', region] of regions)
    expect([continent, longitude, regionOf({ continent, longitude })]).toEqual([continent, longitude, region]);
  expect([regionOf({ continent: 'NA' }), regionOf({ continent: 'AN', longitude: '0' })]).toEqual(['wnam', undefined]);
});

describe('with every read stopped as one too many', () => {
  const stopped = { RATE_LIMIT: undefined, READS: { limit: async () => ({ success: false }) } };
  const asked: string[] = [];
  /** A database that notes who asks it anything. */
  const session = { prepare: (query: string) => asked.push(query), getBookmark: () => null };
  const noting = { ...stopped, DB: { withSession: () => session } as unknown as D1Database };

  test.each(['/', '/with/ana', '/calendar/none.ics', '/your-data/daybook.json'])(
    '%s is a page that says so, in the menu of whoever the cookie names, and asks the database nothing',
    async (path) => {
      const answer = await ask(path, as(cookie), noting);
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '60']);
      const page = await answer.text();
      expect(page).toContain('Too many pages at once. Please wait a minute.');
      // A letter has no menu.
      if (!path.startsWith('/with/')) expect(page).toContain('href="/view-open"');
      expect(asked).toEqual([]);
    },
  );

  test('a page that the edge keeps is given all the same, because it asks for nothing; a page that it would have to make is not', async () => {
    const made = await ask('/with/ana');
    const kept = await ask('/with/ana/', {}, noting);
    expect([kept.status, await kept.text()]).toEqual([200, await made.text()]);
    // Each other address counts, so nobody can make us read by asking for what is not kept.
    for (const query of ['?month=2031-01', '?page=7', `?dates=${tomorrow()}`, '?utm_source=x']) {
      const { status, headers } = await ask(`/with/ana${query}`, {}, noting);
      expect([query, status, headers.get('Cache-Control')]).toEqual([query, 429, 'private, no-store']);
    }
    expect(asked).toEqual([]);
  });
});

describe('the hourly job', () => {
  test('forgets expired sessions, keys and counters, and nothing else', async () => {
    const now = Date.now();
    const sessions = `INSERT INTO sessions (id, account_id, created_at, expires_at)
      SELECT ?, id, ?, ? FROM accounts WHERE username = 'ana'`;
    const keys = "INSERT INTO one_time_keys VALUES ('c', 'old', 'x', NULL, ?), ('c', 'new', 'x', NULL, ?)";
    await env.DB.batch([
      env.DB.prepare(sessions).bind('old', now - 2000, now - 1000),
      env.DB.prepare(sessions).bind('new', now - 2000, now + 60_000),
      env.DB.prepare("INSERT INTO throttles VALUES ('old', 1, ?), ('new', 1, ?)").bind(now - 1000, now + 60_000),
      env.DB.prepare(keys).bind(now - 25 * 3_600_000, now),
    ]);
    await runHourly();
    const { results } = await env.DB.prepare(
      `SELECT 'session' AS what, id AS name FROM sessions WHERE id IN ('old', 'new')
       UNION ALL SELECT 'counter', bucket FROM throttles WHERE bucket IN ('old', 'new')
       UNION ALL SELECT 'key', key FROM one_time_keys WHERE caller = 'c'`,
    ).all();
    expect(results).toEqual(['session', 'counter', 'key'].map((what) => ({ what, name: 'new' })));
  });

  test('lets nothing lift the limits of mail, but where the server is a local one', async () => {
    const lifted = async () => (await env.DB.prepare('SELECT name FROM lifted_limits').all()).results;
    await env.DB.prepare("INSERT INTO lifted_limits VALUES ('mail')").run();
    await runHourly({ PLAIN_HTTP: 'on' });
    expect(await lifted()).toEqual([{ name: 'mail' }]);
    await runHourly();
    expect(await lifted()).toEqual([]);
  });
});

test('a fresh Worker rehearses each screen and each call that reads before its first request, and none fails for want of a database', async () => {
  const { handlersOf, rehearse }: typeof entry = build.entry.module;
  const [Request, Response] = [globalThis.Request, globalThis.Response];
  const done = await rehearse(build, handlersOf(build));
  expect([globalThis.Request, globalThis.Response]).toEqual([Request, Response]);
  expect(done.filter(({ status }) => status >= 500)).toEqual([]);

  const shapeOf = (path: string) => path.replace(/[?.].*/, '').replace(/A{22}/g, ':one');
  const rehearsed = new Set(done.map(({ path }) => shapeOf(path)));
  const routes = Object.values(build.routes as Record<string, { id: string; path?: string }>);
  const screens = routes.flatMap(({ id, path = '' }) => (id === 'root' || /^api\/|\*/.test(path) ? [] : [path]));
  expect(screens.length).toBeGreaterThan(55);
  const wanted = screens.map((path) => shapeOf(`/${path.replace(/\/:\w+\?/, '').replace(/:\w+/g, ':one')}`));
  expect(wanted.filter((path) => !rehearsed.has(path))).toEqual([]);
  // Whoever is only sent to the login has seen nothing of a screen.
  const shown = done.filter(({ status }) => status === 200).map(({ path }) => path);
  expect(shown).toEqual(
    expect.arrayContaining(['/', '/profile', '/view', '/week', '/people', '/hours', '/create-party']),
  );
  expect([...rehearsed].filter((path) => path.startsWith('/api/')).length).toBeGreaterThan(20);
});
