import { type Instant, minute } from '../domain/time/clock';
import type { Locale } from '../domain/words/languages';
import { sharedLocale } from '../domain/words/region';
import * as paths from '../paths';
import { bookmarkHeader } from './bookmark.server';
import type { SharedPage } from './context';
import { pageType } from './headers.server';
import { weekStartOf } from './week-start.server';

// A provider's page looks the same to every stranger, and many open a shared link at once. So the edge caches the page
// for some seconds: in the memory of this isolate, and in the Cache API for all isolates in this place. A write that
// changes the page drops it from memory, and leaves a mark in the Cache API that is younger than the page. Other places
// show the page until it is too old.

// The greatest age of a cached page, in milliseconds. Its times may be gone, but the database decides each booking.
export const maxAge = 15_000;
// After this time, ask the Cache API whether another isolate has dropped the page.
const trustMemoryFor = 2_000;
// A page takes some ten kilobytes, a change only an id.
const limits = { pages: 100, changes: 1000 };
const pages = paths.provider('');
export const cachedRoute = `${pages}:username`;
// None of our links is longer.
const longestAddress = 500;
// Remembered, because parsing a URL takes as long as all the rest.
const addresses = new Map<string, string>();
export type CachedPage = SharedPage & {
  body: ArrayBuffer;
  madeAt: Instant; // when we asked the database: later changes are not in the page
  framedBy: string[]; // the sites that may show it in a frame
};

type Store = { match(key: string): Promise<Response | undefined>; put(key: string, response: Response): Promise<void> };
const store = () => (globalThis as { caches?: { default?: Store } }).caches?.default;

/** True for a reader who is logged in or has just written something. */
const isKnownReader = ({ headers }: Request) =>
  /\bdaybook/.test(headers.get('Cookie') ?? '') || headers.has(bookmarkHeader);

const isPlainRead = ({ method, headers, body }: Request) =>
  method === 'GET' && !body && !headers.has('Range') && !headers.has('Authorization');

const linkParameters = new Map([
  ['month', /^\d{4}-\d{2}$/],
  ['dates', /^\d{2}-\d{2}-\d{4}$/],
  ['page', /^\d{1,4}$/],
  ['service', /^[\w-]{22}$/],
  ['framed', /^(preview)?$/],
]);
// In a frame no cookie keeps the language.
const frameParameters = new Map([...linkParameters, ['lang', /^[\w-]{2,20}$/]]);

// True if the address has only parameters of our links, because any other could be one of the framework's. Only dates
// may repeat.
const hasOnlyLinkParameters = (query: URLSearchParams) =>
  [...query].every(([name, value]) => {
    const pattern = (query.has('framed') ? frameParameters : linkParameters).get(name);
    return pattern?.test(value) && (name === 'dates' || query.getAll(name).length === 1);
  });

type Reader = { locale: Locale; zone: string | undefined };

/** The key for caching a provider's page; undefined for other requests, and for readers whom we know. */
export function addressOf(request: Request, { locale, zone }: Reader, version: string): string | undefined {
  const { url } = request;
  if (!url.includes(pages) || url.length > longestAddress || !isPlainRead(request) || isKnownReader(request))
    return undefined;
  const weekStart = weekStartOf(request, locale);
  const { tag } = sharedLocale(locale);
  const requestKey = `${version} ${zone ?? ''} ${tag} ${weekStart} ${url}`;
  const remembered = addresses.get(requestKey);
  if (remembered) return remembered;
  const { origin, pathname, searchParams } = new URL(url);
  const username = pathname.startsWith(pages) ? pathname.slice(pages.length).replace(/\/$/, '') : '';
  if (!/^[\w.-]+$/.test(username) || !hasOnlyLinkParameters(searchParams)) return undefined;
  // An empty one is not a missing one.
  const values = [...frameParameters.keys()].map((name) =>
    searchParams
      .getAll(name)
      .map((value) => `=${value}`)
      .join(' '),
  );
  const keyParameters = new URLSearchParams(
    [...values, zone ?? '', tag, String(weekStart), version].map((value, place) => [String(place), value]),
  );
  const address = `${origin}/cached/${username.toLowerCase()}?${keyParameters}`;
  remember(addresses, limits.pages, requestKey, address);
  return address;
}

type RouteResponse = { response: Response; cachedFor: SharedPage | null; cookies: string[] };

/** True for a page that may be cached. Data for the framework, errors, and responses with cookies are not. */
export const isCacheable = ({ response: { status, headers }, cachedFor, cookies }: RouteResponse): boolean =>
  cachedFor !== null &&
  status === 200 &&
  headers.get('Content-Type') === pageType &&
  cookies.length === 0 &&
  !headers.has('Set-Cookie');

const memory = new Map<string, { page: CachedPage; comparedAt: Instant }>();
const changes = new Map<string, Instant>();

function remember<Value>(map: Map<string, Value>, limit: number, key: string, value: Value) {
  map.delete(key);
  if (map.size >= limit) map.delete(map.keys().next().value as string);
  map.set(key, value);
}

const isFresh = ({ madeAt, providerIds }: CachedPage, now: Instant) =>
  madeAt <= now && now - madeAt < maxAge && providerIds.every((id) => madeAt > (changes.get(id) ?? 0));

/** Finds a cached page in memory. @param isAlone true if no other isolate can have dropped the page */
export function findInMemory(address: string, now: Instant, isAlone = false): CachedPage | undefined {
  const entry = memory.get(address);
  if (!entry || !isFresh(entry.page, now)) return undefined;
  return isAlone || now - entry.comparedAt < trustMemoryFor ? entry.page : undefined;
}

const changeKey = (address: string, providerId: string) => `${new URL(address).origin}/cached-until/${providerId}`;

/** Finds a page in the Cache API that nobody has changed since it was made, and caches it in memory. */
export async function findInCache(address: string, now: Instant): Promise<CachedPage | undefined> {
  const response = await store()?.match(address);
  if (!response) return undefined;
  const header = (name: string) => response.headers.get(`X-Cached-${name}`) ?? '';
  const page = {
    providerIds: header('Of').split(' '),
    madeAt: Number(header('At')),
    isPublic: header('Public') === 'true',
  };
  const framedBy = header('Framed-By').split(' ').filter(Boolean);
  const [body, ...changed] = await Promise.all([
    response.arrayBuffer(),
    ...page.providerIds.map(async (id) => (await store()?.match(changeKey(address, id)))?.text()),
  ]);
  const changedAt = Math.max(...changed.map((at) => Number(at ?? 0)));
  const copy = { ...page, framedBy, body };
  if (!isFresh(copy, now) || page.madeAt <= changedAt) return undefined;
  remember(memory, limits.pages, address, { page: copy, comparedAt: now });
  return copy;
}

const seconds = (milliseconds: number) => `public, max-age=${Math.ceil(milliseconds / 1000)}`;

/** Keeps a page in memory if this isolate is alone or there is a Cache API, which then gets the page too. */
export async function cachePage(
  address: string,
  { body, ...page }: CachedPage,
  now: Instant,
  isAlone = false,
): Promise<void> {
  const cache = isAlone ? undefined : store();
  if (!cache && !isAlone) return;
  remember(memory, limits.pages, address, { page: { body, ...page }, comparedAt: now });
  if (!cache) return;
  const headers = {
    'Cache-Control': seconds(maxAge),
    'X-Cached-Of': page.providerIds.join(' '),
    'X-Cached-At': String(page.madeAt),
    'X-Cached-Public': String(page.isPublic),
    'X-Cached-Framed-By': page.framedBy.join(' '),
  };
  await cache.put(address, new Response(body, { headers }));
}

/** Drops pages from memory, and marks them in the Cache API as changed. The mark lives longer than the pages. */
export async function dropPages(
  providerIds: ReadonlySet<string>,
  origin: string,
  now: Instant,
  isAlone = false,
): Promise<void> {
  // The mark would be enough, but we don't remember it forever.
  for (const [address, { page }] of memory)
    if (page.providerIds.some((id) => providerIds.has(id))) memory.delete(address);
  const cache = isAlone ? undefined : store();
  const marks = [...providerIds].map((id) => {
    remember(changes, limits.changes, id, now);
    return cache?.put(
      changeKey(origin, id),
      new Response(String(now), { headers: { 'Cache-Control': seconds(minute) } }),
    );
  });
  await Promise.all(marks);
}

export const cacheHeaders = (
  { isPublic, madeAt }: Pick<CachedPage, 'isPublic' | 'madeAt'>,
  now: Instant,
): Record<string, string> =>
  isPublic
    ? {
        'Cache-Control': `public, max-age=${Math.floor((maxAge - (now - madeAt)) / 1000)}`,
        // The language, and what its region changes.
        Vary: 'Accept-Language, Cookie',
      }
    : {};
