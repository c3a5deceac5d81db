import { env } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
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
  test('is sent on to https, with its path and query', async () => {
    const response = await ask('http://book.example.org/with/ana?day=1');

    expect(response.status).toBe(301);
    expect(response.headers.get('Location')).toBe('https://book.example.org/with/ana?day=1');
  });

  test('is sent on to https with its method where it is a form', async () => {
    const response = await ask('http://book.example.org/login', asForm({ username: 'ana', password }));

    expect(response.status).toBe(308);
    expect(response.headers.get('Location')).toBe('https://book.example.org/login');
  });

  test('logs nobody in', async () => {
    const response = await ask('http://book.example.org/login', asForm({ username: 'ana', password }));

    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('to the API is refused, so that no program gets used to it', async () => {
    const { status, headers } = await ask('http://book.example.org/api/Account/Login', login);

    expect(status).toBe(403);
    expect(headers.get('Location')).toBeNull();
    expect(headers.getSetCookie()).toEqual([]);
  });

  test.each(['localhost:8787', '127.0.0.1:8787', '[::1]:8787', 'daybook.localhost'])(
    'is served at this machine, as %s',
    async (host) => {
      expect((await ask(`http://${host}/login`)).status).toBe(200);
    },
  );

  test('is served at any name where the local server says so', async () => {
    expect((await ask('http://book.example.org/login', {}, { PLAIN_HTTP: 'on' })).status).toBe(200);
  });
});

describe.each(['http://mal lory/login', 'https://mallory:x/with/ana', 'https://xn--mallory-%/api/health'])(
  'a request to the broken address %s',
  (url) => {
    const requests = [
      ['a page', {}],
      ['a form', asForm({ username: 'ana' })],
    ] as const;

    test.each(requests)('for %s is a 400', async (_, init) => {
      expect((await askAt(url, init, { LOG: 'off' })).status).toBe(400);
    });

    test.each(requests)('for %s is not told what it asked', async (_, init) => {
      const response = await askAt(url, init, { LOG: 'off' });

      expect(await response.text()).not.toMatch(/mal|stack/i);
      expect(JSON.stringify([...response.headers])).not.toMatch(/mal|stack/i);
    });

    test.each(requests)('for %s is logged in one line, without the address', async (_, init) => {
      const lines: unknown[] = [];
      for (const level of ['log', 'warn', 'error'] as const) {
        const spy = vi.spyOn(console, level).mockImplementation((line) => void lines.push(line));
        onTestFinished(() => spy.mockRestore());
      }

      await askAt(url, init, { LOG: 'on' });

      expect(lines).toHaveLength(1);
      expect(lines.join()).not.toMatch(/mal/);
    });
  },
);

test.each(['/profile', '/api/Account/Profile'])('%s does not say what its database was asked', async (path) => {
  const { headers } = await ask(path, as(cookie), { TIMING: undefined });

  expect(headers.has('Server-Timing')).toBe(false);
});

describe('a copy of the database that lags behind', () => {
  const lagging = () => ({ DB: withEmptyReplica(realD1()) });

  test('does not hide what is there', async () => {
    const page = await ask(`/party/${party}`, {}, lagging());

    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Housewarming');
    expect(page.headers.get('Server-Timing')).toContain('trips=2');
  });

  test('has the primary asked before a page is missing', async () => {
    const missing = await ask('/party/none', {}, lagging());

    expect(missing.status).toBe(404);
    expect(missing.headers.get('Server-Timing')).toContain('trips=2');
  });

  test.each(['/api/Account/Profile', '/profile'])('does not log anybody out of %s', async (path) => {
    const response = await ask(path, as(cookie), lagging());

    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

test('a page that is missing at the primary is asked for once', async () => {
  const missing = await ask('/party/none');

  expect(missing.headers.get('Server-Timing')).toContain('trips=1');
});

describe('a bookmark', () => {
  const later = '00000009-00000002-00004e2f-0a83ea2fceebc654de0640c422be4653';
  const earlier = later.replace('9', '1');
  /** Where sessions of the database begin for a call with these headers, where D1 knows some bookmarks. */
  const beginningsOf = async (headers: Record<string, string>, known: string[] = [earlier, later]) => {
    const DB = withKnownBookmarks(realD1(), known);
    const { status } = await ask('/api/Party/GetAll', { headers: { Cookie: cookie, ...headers } }, { DB });
    expect(status).toBe(200);
    return DB.began;
  };
  const inCookie = (bookmark: string) => ({
    Cookie: `${cookie}; __Host-daybook-seen=${encodeURIComponent(btoa(JSON.stringify(bookmark)))}`,
  });

  const bookmarkOf = async () => {
    const read = await ask('/api/Account/Profile', as(cookie));
    return read.headers.get('X-D1-Bookmark') ?? '';
  };

  test('comes with a call, in a header', async () => {
    expect(await bookmarkOf()).toMatch(/^[0-9a-f-]{20,}$/);
  });

  test('does not come with a page', async () => {
    expect((await ask('/login')).headers.has('X-D1-Bookmark')).toBe(false);
  });

  test('is where the next call reads', async () => {
    const bookmark = await bookmarkOf();

    expect(await beginningsOf({ 'X-D1-Bookmark': bookmark }, [bookmark])).toEqual([bookmark]);
  });

  test.each([
    ['header', () => ({ 'X-D1-Bookmark': later })],
    ['cookie', () => inCookie(later)],
  ])('of a %s that D1 refuses has the primary read', async (_, headersOf) => {
    expect(await beginningsOf(headersOf(), [])).toEqual([later, 'first-primary']);
  });

  test.each(['first-primary', "' OR 1", 'x'.repeat(300)])('that is none is not shown to D1: %s', async (odd) => {
    expect(await beginningsOf({ 'X-D1-Bookmark': odd })).toEqual(['first-unconstrained']);
  });
});

test.each([
  ['Oceania', { continent: 'OC' }, 'oc', 'oc'],
  ['the west of America', { continent: 'NA', longitude: '-122.4' }, 'wnam', 'wnam'],
  ['nobody knows where', undefined, 'anywhere', undefined],
])('a login from %s is hashed by an object of its region', async (_, cf, name, locationHint) => {
  const asked: { name: string; locationHint: unknown }[] = [];
  const HASHERS = {
    idFromName: (name: string) => name,
    get: (name: string, { locationHint }: { locationHint?: string }) => {
      asked.push({ name: name.replace(/-[0-7]$/, ''), locationHint });
      return env.HASHERS.get(env.HASHERS.idFromName('0'));
    },
  };

  const { status } = await ask('/api/Account/Login', { ...login, cf } as RequestInit, { HASHERS });

  expect(status).toBe(200);
  expect(asked).toEqual([{ name, locationHint }]);
});

test.each([
  ['EU', '-9.1', 'weur'],
  ['EU', '26.1', 'eeur'],
  ['NA', '-73.9', 'enam'],
  ['NA', undefined, 'wnam'],
  ['AS', '77.6', 'apac'],
  ['AS', '55.3', 'me'],
  ['AN', '0', undefined],
])('the region of %s at %s is %s', (continent, longitude, region) => {
  expect(regionOf({ continent, longitude })).toBe(region);
});

describe('with every read stopped as one too many', () => {
  const stopped = { RATE_LIMIT: undefined, READS: { limit: async () => ({ success: false }) } };
  const queries: string[] = [];
  beforeEach(() => queries.splice(0));
  /** A database that notes what it is asked. */
  const session = { prepare: (query: string) => queries.push(query), getBookmark: () => null };
  const noting = { ...stopped, DB: { withSession: () => session } as unknown as D1Database };

  describe.each(['/', '/with/ana', '/calendar/none.ics', '/your-data/daybook.json'])('%s', (path) => {
    test('is refused, with when to try again', async () => {
      const response = await ask(path, as(cookie), noting);

      expect(response.status).toBe(429);
      expect(response.headers.get('Retry-After')).toBe('60');
    });

    test('is a page that says why', async () => {
      const response = await ask(path, as(cookie), noting);

      expect(await response.text()).toContain('Too many pages at once. Please wait a minute.');
    });

    test('asks the database nothing', async () => {
      await ask(path, as(cookie), noting);

      expect(queries).toEqual([]);
    });
  });

  test.each(['GET', 'PUT'])('a key of a program is not looked for at a %s', async (method) => {
    const guess = { method, headers: { Authorization: `Bearer daybook_${'x'.repeat(44)}` } };
    const call = method === 'GET' ? '/api/Account/Profile' : '/api/Appointment/Cancel?id=none';

    const response = await ask(call, guess, noting);

    expect(response.status).toBe(429);
    expect(queries).toEqual([]);
  });

  // A letter, as /with/ana is one, has no menu.
  test.each(['/', '/calendar/none.ics', '/your-data/daybook.json'])(
    '%s has the menu of whoever the cookie names',
    async (path) => {
      const response = await ask(path, as(cookie), noting);

      expect(await response.text()).toContain('href="/view-open"');
    },
  );

  test('a page that the edge caches is given all the same', async () => {
    const made = await ask('/with/ana');

    const cached = await ask('/with/ana/', {}, noting);

    expect(cached.status).toBe(200);
    expect(await cached.text()).toEqual(await made.text());
    expect(queries).toEqual([]);
  });

  // Each other address counts, so nobody can make us read by asking for what is not cached.
  test.each(['?month=2031-01', '?page=7', `?dates=${tomorrow()}`, '?utm_source=x'])(
    'a page that the edge would have to make is refused: %s',
    async (query) => {
      await ask('/with/ana');

      const { status, headers } = await ask(`/with/ana${query}`, {}, noting);

      expect(status).toBe(429);
      expect(headers.get('Cache-Control')).toBe('private, no-store');
      expect(queries).toEqual([]);
    },
  );
});

describe('the hourly job', () => {
  describe('forgets what has expired, and nothing else:', () => {
    beforeAll(async () => {
      const now = Date.now();
      const keys = "INSERT INTO one_time_keys VALUES ('c', 'old', 'x', NULL, ?), ('c', 'new', 'x', NULL, ?)";
      await env.DB.batch([
        env.DB.prepare("INSERT INTO throttles VALUES ('old', 1, ?), ('new', 1, ?)").bind(now - 1000, now + 60_000),
        env.DB.prepare(keys).bind(now - 25 * 3_600_000, now),
      ]);
      await runHourly();
    });

    test.each([
      ['counters', "SELECT bucket AS name FROM throttles WHERE bucket IN ('old', 'new')"],
      ['one-time keys', "SELECT key AS name FROM one_time_keys WHERE caller = 'c'"],
    ])('%s', async (_, query) => {
      expect((await env.DB.prepare(query).all()).results).toEqual([{ name: 'new' }]);
    });
  });

  describe('where the limits of mail are lifted', () => {
    const liftedLimits = async () => (await env.DB.prepare('SELECT name FROM lifted_limits').all()).results;
    beforeEach(() => env.DB.prepare("INSERT OR IGNORE INTO lifted_limits VALUES ('mail')").run());

    test('leaves them so at a local server', async () => {
      await runHourly({ PLAIN_HTTP: 'on' });

      expect(await liftedLimits()).toEqual([{ name: 'mail' }]);
    });

    test('sets them again at a deployed one', async () => {
      await runHourly();

      expect(await liftedLimits()).toEqual([]);
    });
  });
});

describe('the rehearsal of a fresh Worker', () => {
  const shapeOf = (path: string) => path.replace(/[?.].*/, '').replace(/A{22}/g, ':one');
  const globals = { Request: globalThis.Request, Response: globalThis.Response };
  let done: Awaited<ReturnType<typeof entry.rehearse>>;
  let rehearsed: string[];
  beforeAll(async () => {
    const { handlersOf, rehearse }: typeof entry = build.entry.module;
    done = await rehearse(build, handlersOf(build));
    rehearsed = [...new Set(done.map(({ path }) => shapeOf(path)))];
  });

  test('leaves Request as it was', () => {
    expect(globalThis.Request).toBe(globals.Request);
  });

  test('leaves Response as it was', () => {
    expect(globalThis.Response).toBe(globals.Response);
  });

  test('fails nowhere for want of a database', () => {
    expect(done.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test('asks for every screen', () => {
    const routes = Object.values(build.routes as Record<string, { id: string; path?: string }>);
    const screens = routes.flatMap(({ id, path = '' }) => (id === 'root' || /^api\/|\*/.test(path) ? [] : [path]));
    expect(screens.length).toBeGreaterThan(55);

    const wanted = screens.map((path) => shapeOf(`/${path.replace(/\/:\w+\?/, '').replace(/:\w+/g, ':one')}`));
    expect(wanted.filter((path) => !rehearsed.includes(path))).toEqual([]);
  });

  // Whoever is only sent to the login has seen nothing of a screen.
  test.each(['/', '/profile', '/view', '/week', '/people', '/hours', '/create-party'])('makes %s', (path) => {
    expect(done).toContainEqual(expect.objectContaining({ path, status: 200 }));
  });

  test('asks for the calls that read', () => {
    expect(rehearsed.filter((path) => path.startsWith('/api/')).length).toBeGreaterThan(20);
  });
});
