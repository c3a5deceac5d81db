import autocannon from 'autocannon';

/** One request; headers beside those that every one has. */
export type Ask = { method?: 'GET' | 'POST' | 'PUT'; path: string; headers?: Record<string, string>; body?: string };

/** What came of a load: times in milliseconds, `kilobytes` of one answer with its headers. */
export type Load = {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** Answers that were no success, and requests that got none. */
  refused: number;
  kilobytes: number;
};

type Bounds = { connections: number; seconds: number /** At most so many requests. */; most?: number };

/** How often the generator looks whether it is time to stop, in milliseconds. */
const look = 50;

/**
 * Asks over so many connections that are kept open, one request after the other on each, until the time or the requests
 * are used up. Only what is answered in time counts.
 * @param next gives each request; called for every one
 */
export async function load(url: string, next: () => Ask, bounds: Bounds): Promise<Load> {
  const { seconds, most = Number.MAX_SAFE_INTEGER } = bounds;
  const connections = Math.min(bounds.connections, most);
  const times: number[] = [];
  let bytes = 0;
  let refused = 0;
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const { method = 'GET', path, headers = {}, body = '' } = next();
    return { ...request, method, path, headers, body };
  };
  const began = performance.now();
  const end = began + seconds * 1000;
  let last = began;
  await new Promise<void>((resolve, reject) => {
    const running = autocannon(
      { url, connections, amount: most, timeout: 30, sampleInt: look, requests: [{ setupRequest }] },
      (error) => (error ? reject(error) : resolve()),
    );
    const timer = setTimeout(() => running.stop(), seconds * 1000);
    running.on('response', (_client, status, size, milliseconds) => {
      const now = performance.now();
      if (now > end) return;
      last = now;
      times.push(milliseconds);
      bytes += size;
      if (status < 200 || status > 299) refused += 1;
    });
    running.on('reqError', () => {
      refused += 1;
    });
    running.on('done', () => clearTimeout(timer));
  });
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  // What stops by itself ends with its last answer, what is stopped with its time.
  const took = times.length >= most ? last - began : seconds * 1000;
  return {
    requests: times.length,
    perSecond: (times.length * 1000) / took,
    p50: at(0.5),
    p99: at(0.99),
    refused,
    kilobytes: bytes / 1024 / Math.max(1, times.length),
  };
}
