import { beforeEach, describe, expect, test, vi } from 'vitest';
import { acceptedLocale, englishLocale } from '../../../app/domain/words/languages';
import type * as CachedPages from '../../../app/http/cached-pages.server';

/* What is cached of pages, in isolates that share a Cache API: each import of the module is an isolate of its own. */

async function newIsolate(): Promise<typeof CachedPages> {
  vi.resetModules();
  return import('../../../app/http/cached-pages.server');
}

const stranger = { locale: englishLocale, zone: undefined };
const origin = 'https://daybook.test';
let names = 0;
const freshAddress = ({ addressOf }: typeof CachedPages) => {
  names += 1;
  return addressOf(new Request(`${origin}/with/name-${names}`), stranger, 'v1') ?? '';
};
const words = (page: CachedPages.CachedPage | undefined) => page && new TextDecoder().decode(page.body);
const pageOf = (text: string, madeAt: number, providerId = `provider-${names}`): CachedPages.CachedPage => ({
  body: new TextEncoder().encode(text).buffer as ArrayBuffer,
  providerIds: [providerId],
  madeAt,
  isPublic: true,
  framedBy: [],
});
const begin = Date.parse('2030-01-07T09:00:00Z');

describe('a page', () => {
  const service = 'AAAAAAAAAAAAAAAAAAAAAA';
  type Asked = [path: string, zone?: string, version?: string];
  const keyOf = async (...[path, zone, version = 'v1']: Asked) =>
    (await newIsolate()).addressOf(new Request(`${origin}${path}`), { ...stranger, zone }, version);

  test.each(['/with/ANA', '/with/ana/', '/with/ana#times'])('at %s is cached as the one at /with/ana', async (path) => {
    expect(await keyOf(path)).toBe(await keyOf('/with/ana'));
  });

  test.each<[what: string, asked: Asked, other: Asked]>([
    ['provider', ['/with/ana'], ['/with/bea']],
    ['month', ['/with/ana?month=2030-01'], ['/with/ana?month=2030-02']],
    ['day', ['/with/ana?dates=01-07-2030'], ['/with/ana?dates=01-08-2030']],
    ['number of days', ['/with/ana?dates=01-07-2030'], ['/with/ana?dates=01-07-2030&dates=01-08-2030']],
    ['page of times', ['/with/ana?page=1'], ['/with/ana?page=2']],
    ['service', [`/with/ana?service=${service}`], [`/with/ana?service=${service.replace('A', 'B')}`]],
    ['zone of the reader', ['/with/ana', 'Asia/Tokyo'], ['/with/ana', 'Europe/Oslo']],
    ['version of the product', ['/with/ana', undefined, 'v1'], ['/with/ana', undefined, 'v2']],
  ])('for another %s is cached by itself', async (_, asked, other) => {
    const key = await keyOf(...asked);

    expect(key).toBeDefined();
    expect(await keyOf(...other)).toBeDefined();
    expect(await keyOf(...other)).not.toBe(key);
  });

  describe('for readers of several languages', () => {
    const keyIn = async (accepted: string) => {
      const { addressOf } = await newIsolate();
      const locale = acceptedLocale(accepted) ?? englishLocale;
      const request = new Request(`${origin}/with/ana`, { headers: { 'Accept-Language': accepted } });
      return addressOf(request, { ...stranger, locale }, 'v1');
    };

    test.each([
      ['de-DE', 'de-AT'],
      ['de', 'de-CH'],
      ['en-GB', 'en-IE'],
      ['es-MX', 'es-CO'],
      ['pt', 'pt-BR'],
    ])('of %s and %s is one', async (language, other) => {
      expect(await keyIn(language)).toBeDefined();
      expect(await keyIn(language)).toBe(await keyIn(other));
    });

    test.each([
      ['language', 'de-DE', 'fr-FR'],
      ['first day', 'fr-FR', 'fr-CA'],
      ['hour cycle', 'es-ES', 'es-AR'],
      ['order of dates', 'en-IN', 'en-US'],
      ['kind of digits', 'ar', 'ar-EG'],
    ])('of another %s (%s and %s) is each by itself', async (_, language, other) => {
      expect(await keyIn(language)).not.toBe(await keyIn(other));
    });
  });

  test.each(['month=2030-01', 'dates=01-07-2030', 'page=1', `service=${service}`])(
    'with ?%s is another one than without',
    async (query) => {
      expect(await keyOf(`/with/ana?${query}`)).toBeDefined();
      expect(await keyOf(`/with/ana?${query}`)).not.toBe(await keyOf('/with/ana'));
    },
  );

  const isLookedFor = async (path: string, init?: RequestInit) =>
    (await newIsolate()).addressOf(new Request(`${origin}${path}`, init), stranger, 'v1') !== undefined;

  test.each(['daybook=x', '__Host-daybook=x', 'a=b; daybook-seen=x', 'daybook-device=x'])(
    'is not looked for by who sends the cookie %s',
    async (cookie) => {
      expect(await isLookedFor('/with/ana', { headers: { cookie } })).toBe(false);
    },
  );

  test('is looked for by who sends a cookie that is not ours', async () => {
    expect(await isLookedFor('/with/ana', { headers: { cookie: 'other=x' } })).toBe(true);
  });

  test.each<Record<string, string>>([{ 'X-D1-Bookmark': 'x' }, { Range: 'bytes=0-9' }, { Authorization: 'Bearer x' }])(
    'is not looked for by who sends %j',
    async (headers) => {
      expect(await isLookedFor('/with/ana', { headers })).toBe(false);
    },
  );

  test('is not looked for by a form', async () => {
    expect(await isLookedFor('/with/ana', { method: 'POST' })).toBe(false);
  });

  const ofFramework = ['_data', '_data=', '_routes=x', 'index', 'page=0&_data='];
  const unknown = ['name=Ada', 'toString=x', 'x'.repeat(500)];
  const wrong = ['month=', 'page=-1', 'dates=x', 'dates=01-07-2030+x'];
  const twice = ['page=0&page=1', 'month=2030-01&month=x'];
  test.each([...ofFramework, ...unknown, ...wrong, ...twice])('is not looked for with ?%s', async (query) => {
    expect(await isLookedFor(`/with/ana?${query}`)).toBe(false);
  });

  test.each(['/', '/with', '/with/ana/slot', '/with/a%2Fb', '/view'])('is not looked for at %s', async (path) => {
    expect(await isLookedFor(path)).toBe(false);
  });

  test.each([
    [0, 15],
    [1, 14],
    [14_999, 0],
  ])('that is %i milliseconds old may be cached by others for %i seconds', async (age, seconds) => {
    const { cacheHeaders } = await newIsolate();

    const headers = cacheHeaders(pageOf('Hello', begin), begin + age);

    expect(headers['Cache-Control']).toBe(`public, max-age=${seconds}`);
  });

  test('that is not for everybody may be cached by nobody else', async () => {
    const { cacheHeaders } = await newIsolate();

    expect(cacheHeaders({ ...pageOf('Hello', begin), isPublic: false }, begin)).toEqual({});
  });
});

describe('a page that one of several isolates caches', () => {
  let one: typeof CachedPages;
  let other: typeof CachedPages;
  let address: string;
  let page: CachedPages.CachedPage;
  beforeEach(async () => {
    one = await newIsolate();
    other = await newIsolate();
    address = freshAddress(one);
    page = pageOf('Hello', begin);
  });

  test('is in no cache before', async () => {
    expect(await one.findInCache(address, begin)).toBeUndefined();
  });

  test('is found in its memory for two seconds', async () => {
    await one.cachePage(address, page, begin);

    expect(words(one.findInMemory(address, begin + 1999))).toBe('Hello');
    expect(one.findInMemory(address, begin + 2000)).toBeUndefined();
  });

  test('is found in the cache for fifteen seconds', async () => {
    await one.cachePage(address, page, begin);

    expect(words(await one.findInCache(address, begin + 14_999))).toBe('Hello');
    expect(await one.findInCache(address, begin + 15_000)).toBeUndefined();
  });

  test('is found in memory again once it was found in the cache', async () => {
    await one.cachePage(address, page, begin);
    await one.findInCache(address, begin + 14_999);

    expect(words(one.findInMemory(address, begin + 14_999))).toBe('Hello');
    expect(one.findInMemory(address, begin + 15_000)).toBeUndefined();
  });

  test('is found by another', async () => {
    await one.cachePage(address, page, begin);

    expect(words(await other.findInCache(address, begin + 100))).toBe('Hello');
  });

  test('is dropped by another for itself', async () => {
    await one.cachePage(address, page, begin);
    await other.findInCache(address, begin + 100);

    await other.dropPages(new Set([...page.providerIds]), origin, begin + 200);

    expect(other.findInMemory(address, begin + 200)).toBeUndefined();
    expect(await other.findInCache(address, begin + 200)).toBeUndefined();
  });

  test('is dropped by another for the first', async () => {
    await one.cachePage(address, page, begin);

    await other.dropPages(new Set([...page.providerIds]), origin, begin + 200);

    expect(await one.findInCache(address, begin + 2100)).toBeUndefined();
  });

  test('is found by another when it was made after the last was dropped', async () => {
    await one.cachePage(address, page, begin);
    await other.dropPages(new Set([...page.providerIds]), origin, begin + 200);

    await one.cachePage(address, pageOf('New', begin + 2100), begin + 2110);

    expect(words(await other.findInCache(address, begin + 2200))).toBe('New');
  });

  test('is not shown when something changed while it was made', async () => {
    await one.dropPages(new Set([...page.providerIds]), origin, begin + 50);

    await one.cachePage(address, page, begin + 60);

    expect(one.findInMemory(address, begin + 70)).toBeUndefined();
    expect(await one.findInCache(address, begin + 70)).toBeUndefined();
    expect(await other.findInCache(address, begin + 70)).toBeUndefined();
  });
});

describe('a page that the only isolate caches', () => {
  let only: typeof CachedPages;
  let address: string;
  let page: CachedPages.CachedPage;
  beforeEach(async () => {
    only = await newIsolate();
    address = freshAddress(only);
    page = pageOf('Alone', begin);
    await only.cachePage(address, page, begin, true);
  });

  test('stays in memory for fifteen seconds', () => {
    expect(words(only.findInMemory(address, begin + 14_999, true))).toBe('Alone');
    expect(only.findInMemory(address, begin + 15_000, true)).toBeUndefined();
  });

  test('is in no cache', async () => {
    const other = await newIsolate();

    expect(await other.findInCache(address, begin)).toBeUndefined();
  });

  test('stays when somebody else’s changes', async () => {
    await only.dropPages(new Set(['somebody-else']), origin, begin + 100, true);

    expect(words(only.findInMemory(address, begin + 100, true))).toBe('Alone');
  });

  test('is dropped at once', async () => {
    await only.dropPages(new Set([...page.providerIds]), origin, begin + 200, true);

    expect(only.findInMemory(address, begin + 200, true)).toBeUndefined();
  });

  test('is not shown when it was made before a change and cached after it', async () => {
    await only.dropPages(new Set([...page.providerIds]), origin, begin + 200, true);

    await only.cachePage(address, page, begin + 210, true);

    expect(only.findInMemory(address, begin + 220, true)).toBeUndefined();
  });

  test('is dropped however many others change', async () => {
    const many = Array.from({ length: 2000 }, (_, place) => `other-${names}-${place}`);

    await only.dropPages(new Set([...page.providerIds, ...many]), origin, begin + 400, true);

    expect(only.findInMemory(address, begin + 400, true)).toBeUndefined();
  });
});
