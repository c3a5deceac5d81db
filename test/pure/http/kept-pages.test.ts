import { describe, expect, test, vi } from 'vitest';
import type * as KeptPages from '../../../app/http/kept-pages.server';

/* What is kept of pages, in isolates that share a Cache API: each import of the module is an isolate of its own. */

async function newIsolate(): Promise<typeof KeptPages> {
  vi.resetModules();
  return import('../../../app/http/kept-pages.server');
}

const origin = 'https://daybook.test';
let names = 0;
const freshAddress = ({ addressOf }: typeof KeptPages) => {
  names += 1;
  return addressOf(new Request(`${origin}/with/name-${names}`), undefined, 'v1') ?? '';
};
const words = (page: KeptPages.KeptPage | undefined) => page && new TextDecoder().decode(page.body);
const pageOf = (text: string, madeAt: number, providerId = `provider-${names}`): KeptPages.KeptPage => ({
  body: new TextEncoder().encode(text).buffer as ArrayBuffer,
  providerId,
  madeAt,
  isPublic: true,
});
const begin = Date.parse('2030-01-07T09:00:00Z');

describe('a page', () => {
  const service = 'AAAAAAAAAAAAAAAAAAAAAA';
  type Asked = [path: string, zone?: string, version?: string];
  const keyOf = async (...[path, zone, version = 'v1']: Asked) =>
    (await newIsolate()).addressOf(new Request(`${origin}${path}`), zone, version);

  test.each(['/with/ANA', '/with/ana/', '/with/ana#times'])('at %s is kept as the one at /with/ana', async (path) => {
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
  ])('for another %s is kept by itself', async (_, asked, other) => {
    const key = await keyOf(...asked);

    expect(key).toBeDefined();
    expect(await keyOf(...other)).toBeDefined();
    expect(await keyOf(...other)).not.toBe(key);
  });

  test.each(['month=2030-01', 'dates=01-07-2030', 'page=1', `service=${service}`])(
    'with ?%s is another one than without',
    async (query) => {
      expect(await keyOf(`/with/ana?${query}`)).toBeDefined();
      expect(await keyOf(`/with/ana?${query}`)).not.toBe(await keyOf('/with/ana'));
    },
  );

  test('is not looked for where somebody asks, where something is sent, or elsewhere', async () => {
    const { addressOf } = await newIsolate();
    const of = (path: string, init?: RequestInit) => addressOf(new Request(`${origin}${path}`, init), undefined, 'v1');
    const cookies = ['daybook=x', '__Host-daybook=x', 'a=b; daybook-seen=x', 'daybook-device=x'];
    const headers: Record<string, string>[] = [
      ...cookies.map((cookie) => ({ cookie })),
      ...[{ 'X-D1-Bookmark': 'x' }, { Range: 'bytes=0-9' }, { Authorization: 'Bearer x' }],
    ];
    const sent: RequestInit[] = [...headers.map((headers) => ({ headers })), { method: 'POST' }];
    expect(sent.map((init) => [init, of('/with/ana', init)])).toEqual(sent.map((init) => [init, undefined]));
    expect(of('/with/ana', { headers: { cookie: 'other=x' } })).toBeDefined();
    const unknown = [
      '_data',
      '_data=',
      '_routes=x',
      'index',
      'name=Ada',
      'toString=x',
      'page=0&_data=',
      'page=0&page=1',
    ];
    const odd = ['month=2030-01&month=x', 'month=', 'page=-1', 'dates=x', 'dates=01-07-2030+x', 'x'.repeat(500)];
    const queries = [...unknown, ...odd].map((query) => `/with/ana?${query}`);
    const paths = ['/', '/with', '/with/ana/slot', '/with/a%2Fb', '/view', ...queries];
    expect(paths.map((path) => [path, of(path)])).toEqual(paths.map((path) => [path, undefined]));
  });

  test('is found in memory for two seconds, in the cache for fifteen, and says how old it is', async () => {
    const one = await newIsolate();
    const address = freshAddress(one);
    expect(await one.findInCache(address, begin)).toBeUndefined();
    await one.keepPage(address, pageOf('Hello', begin), begin);
    expect(words(one.findInMemory(address, begin + 1999))).toBe('Hello');
    expect(one.findInMemory(address, begin + 2000)).toBeUndefined();
    expect(words(await one.findInCache(address, begin + 14_999))).toBe('Hello');
    expect(words(one.findInMemory(address, begin + 14_999))).toBe('Hello');
    expect(one.findInMemory(address, begin + 15_000)).toBeUndefined();
    expect(await one.findInCache(address, begin + 15_000)).toBeUndefined();
    const ages = [0, 1, 14_999].map((age) => one.keptHeaders(pageOf('Hello', begin), begin + age)['Cache-Control']);
    expect(ages).toEqual(['public, max-age=15', 'public, max-age=14', 'public, max-age=0']);
    expect(one.keptHeaders({ ...pageOf('Hello', begin), isPublic: false }, begin)).toEqual({});
  });

  test('is found by another isolate, which drops it for both', async () => {
    const [one, other] = [await newIsolate(), await newIsolate()];
    const address = freshAddress(one);
    const { providerId } = pageOf('Old', begin);
    await one.keepPage(address, pageOf('Old', begin), begin);
    expect(words(await other.findInCache(address, begin + 100))).toBe('Old');
    await other.dropPages(new Set([providerId]), origin, begin + 200);
    expect(other.findInMemory(address, begin + 200)).toBeUndefined();
    expect(await other.findInCache(address, begin + 200)).toBeUndefined();
    expect(await one.findInCache(address, begin + 2100)).toBeUndefined();
    await one.keepPage(address, pageOf('New', begin + 2100), begin + 2110);
    expect(words(await other.findInCache(address, begin + 2200))).toBe('New');
  });

  test('that was being made while something changed is not shown', async () => {
    const one = await newIsolate();
    const address = freshAddress(one);
    const page = pageOf('Half old', begin);
    await one.dropPages(new Set([page.providerId]), origin, begin + 50);
    await one.keepPage(address, page, begin + 60);
    expect(one.findInMemory(address, begin + 70)).toBeUndefined();
    for (const isolate of [one, await newIsolate()])
      expect(await isolate.findInCache(address, begin + 70)).toBeUndefined();
  });

  test('stays in memory for fifteen seconds where there is one isolate, which drops it at once', async () => {
    const [one, other] = [await newIsolate(), await newIsolate()];
    const address = freshAddress(one);
    const page = pageOf('Alone', begin);
    await one.keepPage(address, page, begin, true);
    expect(words(one.findInMemory(address, begin + 14_999, true))).toBe('Alone');
    expect(one.findInMemory(address, begin + 15_000, true)).toBeUndefined();
    expect(await other.findInCache(address, begin)).toBeUndefined();
    await one.dropPages(new Set(['somebody-else']), origin, begin + 100, true);
    expect(words(one.findInMemory(address, begin + 100, true))).toBe('Alone');
    await one.dropPages(new Set([page.providerId]), origin, begin + 200, true);
    expect(one.findInMemory(address, begin + 200, true)).toBeUndefined();
    // Made before the change, and kept after it.
    await one.keepPage(address, page, begin + 210, true);
    expect(one.findInMemory(address, begin + 220, true)).toBeUndefined();
    // However many others have changed since.
    const many = Array.from({ length: 2000 }, (_, place) => `other-${names}-${place}`);
    const next = pageOf('Next', begin + 300);
    await one.keepPage(address, next, begin + 300, true);
    await one.dropPages(new Set([next.providerId, ...many]), origin, begin + 400, true);
    expect(one.findInMemory(address, begin + 400, true)).toBeUndefined();
  });
});
