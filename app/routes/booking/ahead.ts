import { shellOnShow } from '../../components/shell';
import type { Shell } from '../../domain/profile/accounts';

/** How long a prefetched page may be shown, in milliseconds; after that its slots may be gone. */
const freshFor = 30_000;
/** How many following pages we prefetch. */
export const pagesAhead = 3;

type Fetched = { shell: Shell; hasMore?: boolean };
const fetched = new Map<string, { at: number; data: Fetched }>();
/** The reader may have logged out elsewhere before they come back to the page. */
const dropFetched = () => fetched.clear();

/** True if the reader saves data. Not every browser tells. */
const isSaving = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Prefetches a screen's data for the addresses that the reader is likely to open next, one by one, when the browser is
 * idle. Does nothing if the reader saves data.
 */
export function fetchAhead(route: string, addresses: string[]): () => void {
  if (isSaving()) return () => {};
  const stop = new AbortController();
  document.addEventListener('visibilitychange', dropFetched, { signal: stop.signal });
  const begin = async () => {
    for (const address of addresses) {
      const url = new URL(address, location.href);
      url.searchParams.set('_data', route);
      const response = await fetch(url, { signal: stop.signal });
      if (!response.ok || response.headers.has('X-Remix-Redirect')) return;
      const data = (await response.json()) as Fetched;
      fetched.set(new URL(address, location.href).href, { at: Date.now(), data });
      if (data.hasMore === false) return;
    }
  };
  // A prefetch is comfort only: without it the page is fetched when the reader opens it.
  const idle = () => void begin().catch(() => stop.abort());
  const handle = 'requestIdleCallback' in window ? requestIdleCallback(idle) : Number(setTimeout(idle, 500));
  return () => {
    stop.abort();
    if ('cancelIdleCallback' in window) cancelIdleCallback(handle);
    else clearTimeout(handle);
  };
}

const readerOf = ({ reader, readerZone }: Shell) => JSON.stringify([reader, readerZone]);

/** Takes the prefetched data of an address, once, while it is fresh and the reader is the same. */
export function takeAhead(address: string): unknown {
  const entry = fetched.get(address);
  fetched.delete(address);
  const shell = shellOnShow();
  if (!entry || !shell || Date.now() - entry.at >= freshFor) return undefined;
  return readerOf(entry.data.shell) === readerOf(shell) ? entry.data : undefined;
}
