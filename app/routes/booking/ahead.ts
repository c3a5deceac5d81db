/** How long a page that was fetched ahead may be shown, in milliseconds; after that slots may well be gone. */
const fresh = 30_000;
/** How many following pages are fetched ahead. */
export const pagesAhead = 3;

const kept = new Map<string, { at: number; data: unknown }>();

/** Fetches a screen's data for addresses the reader is likely to open next, one by one, when the browser is idle. */
export function fetchAhead(route: string, addresses: string[]): () => void {
  const stop = new AbortController();
  const begin = async () => {
    for (const address of addresses) {
      const url = new URL(address, location.href);
      url.searchParams.set('_data', route);
      const response = await fetch(url, { signal: stop.signal });
      if (!response.ok || response.headers.has('X-Remix-Redirect')) return;
      const data = await response.json();
      kept.set(new URL(address, location.href).href, { at: Date.now(), data });
      if ((data as { hasMore?: boolean }).hasMore === false) return;
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

/** What was fetched ahead for an address, once, while it is fresh. */
export function takeAhead(address: string): unknown {
  const found = kept.get(address);
  kept.delete(address);
  return found && Date.now() - found.at < fresh ? found.data : undefined;
}
