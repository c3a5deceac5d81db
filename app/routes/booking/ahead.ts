import { shellOnShow } from '../../components/shell';
import type { Shell } from '../../domain/accounts/accounts';

/** How long a page that was fetched ahead may be shown, in milliseconds; after that slots may well be gone. */
const fresh = 30_000;
/** How many following pages are fetched ahead. */
export const pagesAhead = 3;

type Fetched = { shell: Shell; hasMore?: boolean };
const kept = new Map<string, { at: number; data: Fetched }>();
/** Whoever comes back to the page may have logged out elsewhere meanwhile. */
const forget = () => kept.clear();

/** Whether the reader has asked to be spared what they have not asked for. Not every browser knows. */
const isSaving = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/**
 * Fetches a screen's data for addresses the reader is likely to open next, one by one, when the browser is idle; nothing
 * where they save data.
 */
export function fetchAhead(route: string, addresses: string[]): () => void {
  if (isSaving()) return () => {};
  const stop = new AbortController();
  document.addEventListener('visibilitychange', forget, { signal: stop.signal });
  const begin = async () => {
    for (const address of addresses) {
      const url = new URL(address, location.href);
      url.searchParams.set('_data', route);
      const response = await fetch(url, { signal: stop.signal });
      if (!response.ok || response.headers.has('X-Remix-Redirect')) return;
      const data = (await response.json()) as Fetched;
      kept.set(new URL(address, location.href).href, { at: Date.now(), data });
      if (data.hasMore === false) return;
    }
  };
  // Comfort only: a page that could not be fetched ahead is fetched when it is asked for.
  const idle = () => void begin().catch(() => stop.abort());
  const handle = 'requestIdleCallback' in window ? requestIdleCallback(idle) : Number(setTimeout(idle, 500));
  return () => {
    stop.abort();
    if ('cancelIdleCallback' in window) cancelIdleCallback(handle);
    else clearTimeout(handle);
  };
}

const readerOf = ({ reader, readerZone }: Shell) => JSON.stringify([reader, readerZone]);

/** What was fetched ahead for an address, once, while it is fresh and for whoever is reading now. */
export function takeAhead(address: string): unknown {
  const found = kept.get(address);
  kept.delete(address);
  const shell = shellOnShow();
  if (!found || !shell || Date.now() - found.at >= fresh) return undefined;
  return readerOf(found.data.shell) === readerOf(shell) ? found.data : undefined;
}
