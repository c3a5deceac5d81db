import { type Instant, minute } from '../domain/time/clock';
import { bookmarkHeader } from './bookmark.server';

/*
 * A provider's page is made for nobody in particular, and a link that is shared is opened by many at once. So the edge keeps
 * it for some seconds: in the memory of this isolate, and in the Cache API for all isolates of a place. Whoever changes what
 * a page shows drops it: here at once, there by a mark that is younger than the page. Other places learn of it when the
 * page has grown old. Without a Cache API nothing is kept.
 */

/** How old a page can be, in milliseconds. The database decides the booking itself. */
export const oldest = 15_000;
/** How long memory is trusted before the Cache API is asked whether another isolate has dropped the page. */
const trusted = 2_000;
/** How many pages memory holds, and how many changes: a page is some ten kilobytes, a change an id. */
const most = { pages: 100, changes: 1000 };
/** Longer addresses are nobody's steps. */
const longestAddress = 500;
/** Remembers under which address a request's page is kept: reading a URL takes as long as all the rest. */
const addresses = new Map<string, string>();

/** A page that was made for nobody in particular. */
export type KeptPage = {
  body: ArrayBuffer;
  /** Whose page it is. */
  providerId: string;
  /** When its request began: what was changed later is not in it. */
  madeAt: Instant;
  /** Whether browsers and others on the way may keep it too: it is the same in each reader's zone. */
  isPublic: boolean;
};

/** The part of the Cache API that is used. */
type Store = { match(key: string): Promise<Response | undefined>; put(key: string, kept: Response): Promise<void> };
const store = () => (globalThis as { caches?: { default?: Store } }).caches?.default;

/** A cookie of ours, or a bookmark, says that the reader is somebody, or has just done something. */
const isSomebody = ({ headers }: Request) =>
  /\bdaybook/.test(headers.get('Cookie') ?? '') || headers.has(bookmarkHeader);

/**
 * The address under which a request's page is kept: of one provider, month, days, page and reader's zone, and one version of
 * the product; undefined where the request is not for such a page, or somebody asks.
 */
export function addressOf(request: Request, zone: string | undefined, version: string): string | undefined {
  const { method, url } = request;
  if (method !== 'GET' || !url.includes('/with/') || url.length > longestAddress || isSomebody(request))
    return undefined;
  const asked = `${version} ${zone ?? ''} ${url}`;
  const known = addresses.get(asked);
  if (known) return known;
  const { origin, pathname, searchParams } = new URL(url);
  const [, username] = /^\/with\/([\w.-]+)\/?$/.exec(pathname) ?? [];
  if (!username) return undefined;
  const steps = ['month', 'dates', 'page'].map((name) => searchParams.getAll(name).join(' '));
  const kept = new URLSearchParams([...steps, zone ?? '', version].map((value, place) => [String(place), value]));
  const address = `${origin}/kept/${username.toLowerCase()}?${kept}`;
  remember(addresses, most.pages, asked, address);
  return address;
}

/** What memory holds, by address, and when the page was last compared with the Cache API. */
const memory = new Map<string, { page: KeptPage; comparedAt: Instant }>();
/** When a provider's page was changed last by this isolate. */
const changes = new Map<string, Instant>();

function remember<Value>(map: Map<string, Value>, limit: number, key: string, value: Value) {
  map.delete(key);
  if (map.size >= limit) map.delete(map.keys().next().value as string);
  map.set(key, value);
}

/** True while a page may be shown: it is not too old, and this isolate has changed nothing of it. */
const isGood = ({ madeAt, providerId }: KeptPage, now: Instant) =>
  madeAt <= now && now - madeAt < oldest && madeAt > (changes.get(providerId) ?? 0);

/** Finds a page in memory; undefined where there is none that can be trusted without a look elsewhere. */
export function findInMemory(address: string, now: Instant): KeptPage | undefined {
  const found = memory.get(address);
  return found && now - found.comparedAt < trusted && isGood(found.page, now) ? found.page : undefined;
}

const changeKey = (address: string, providerId: string) => `${new URL(address).origin}/kept-until/${providerId}`;

/** Finds a page in the Cache API, and remembers it; undefined where there is none, or it was changed since. */
export async function findInCache(address: string, now: Instant): Promise<KeptPage | undefined> {
  const found = await store()?.match(address);
  if (!found) return undefined;
  const said = (name: string) => found.headers.get(`X-Kept-${name}`) ?? '';
  const page = { providerId: said('Of'), madeAt: Number(said('At')), isPublic: said('Public') === 'true' };
  const [body, changed] = await Promise.all([found.arrayBuffer(), store()?.match(changeKey(address, page.providerId))]);
  const changedAt = changed ? Number(await changed.text()) : 0;
  const kept = { ...page, body };
  if (!isGood(kept, now) || page.madeAt <= changedAt) return undefined;
  remember(memory, most.pages, address, { page: kept, comparedAt: now });
  return kept;
}

const seconds = (milliseconds: number) => `public, max-age=${Math.ceil(milliseconds / 1000)}`;

/** Keeps a page, where there is a Cache API. */
export async function keepPage(address: string, { body, ...page }: KeptPage, now: Instant): Promise<void> {
  const cache = store();
  if (!cache) return;
  remember(memory, most.pages, address, { page: { body, ...page }, comparedAt: now });
  const headers = {
    'Cache-Control': seconds(oldest),
    'X-Kept-Of': page.providerId,
    'X-Kept-At': String(page.madeAt),
    'X-Kept-Public': String(page.isPublic),
  };
  await cache.put(address, new Response(body, { headers }));
}

/**
 * Drops what is kept of these providers' pages: at once here, and then in the Cache API, until each page of before has grown
 * old.
 * @param origin of the product, as the request came by
 */
export async function dropPages(providerIds: Iterable<string>, origin: string, now: Instant): Promise<void> {
  const cache = store();
  const marks = [...providerIds].map((id) => {
    remember(changes, most.changes, id, now);
    return cache?.put(
      changeKey(origin, id),
      new Response(String(now), { headers: { 'Cache-Control': seconds(minute) } }),
    );
  });
  await Promise.all(marks);
}

/** The headers that say how long others may keep it. */
export const keptHeaders = (
  { isPublic, madeAt }: Pick<KeptPage, 'isPublic' | 'madeAt'>,
  now: Instant,
): Record<string, string> =>
  isPublic ? { 'Cache-Control': `public, max-age=${Math.floor((oldest - (now - madeAt)) / 1000)}` } : {};
