import { shellOnShow } from '../../components/frame/shell';
import type { Shell } from '../../domain/profile/accounts';

/** How long we show a prefetched page, in milliseconds. After that its slots may be gone. */
const freshFor = 30_000;
export const pagesAhead = 3;

type Fetched = { shell: Shell; hasMore?: boolean };
const fetched = new Map<string, { at: number; data: Fetched }>();
/** Forgets the pages, because the reader may log out in another tab before they come back. */
const dropFetched = () => fetched.clear();

/** True if the reader has asked the browser to save data. Some browsers don't say. */
const isSaving = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Prefetches a screen's data for the addresses that the reader is likely to open next, one after the other, while the
 * browser is idle. If the reader saves data, it does nothing.
 */
export function prefetch(route: string, addresses: string[]): () => void {
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
  // If a prefetch fails, the page is fetched when the reader opens it.
  const idle = () => void begin().catch(() => stop.abort());
  const handle = 'requestIdleCallback' in window ? requestIdleCallback(idle) : Number(setTimeout(idle, 500));
  return () => {
    stop.abort();
    if ('cancelIdleCallback' in window) cancelIdleCallback(handle);
    else clearTimeout(handle);
  };
}

const readerOf = ({ reader, readerZone }: Shell) => JSON.stringify([reader, readerZone]);

/** Returns the prefetched data of an address and forgets it. The data must be fresh and the reader the same. */
export function takePrefetched(address: string): unknown {
  const entry = fetched.get(address);
  fetched.delete(address);
  const shell = shellOnShow();
  if (!entry || !shell || Date.now() - entry.at >= freshFor) return undefined;
  return readerOf(entry.data.shell) === readerOf(shell) ? entry.data : undefined;
}
