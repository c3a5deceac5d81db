import type { Failure, FeedRequest, Fetched } from '../domain/busy/feeds';
import { beginsCalendar, decodeCalendar } from '../domain/busy/text';
import { type OutsideOptions, outsideAddress } from '../domain/input/outside-address';
import type { Outcome } from '../domain/webhooks/deliver.server';

// Addresses that somebody typed are asked only here. Each host must be public, after each redirect too. Size and time
// are limited. An error is a single word, because the address may be a secret.

export type Outside = OutsideOptions & {
  /** On a local server: refuses names of this machine and its network. */
  fetch: typeof fetch;
  timeout?: number; // in milliseconds, for all redirects together
};

export type OutsideEnv = {
  ASK_LOOPBACK?: string;
  /** On a local server: fetches from anywhere but this machine and its network. */
  OUTSIDE?: { fetch: typeof fetch };
};

export const outsideOf = ({ ASK_LOOPBACK, OUTSIDE }: OutsideEnv): Outside => ({
  fetch: ((input: string, init?: RequestInit) => (OUTSIDE ?? globalThis).fetch(input, init)) as typeof fetch,
  allowsLoopback: ASK_LOOPBACK === 'on',
});

const mostBytes = 2_000_000;
const mostRedirects = 3;
const usualTimeout = 10_000;
const userAgent = 'Daybook';

const redirects = [301, 302, 303, 307, 308];
const isText = (type: string) =>
  /^(text\/(calendar|plain|x-vcalendar)|application\/(ics|octet-stream|calendar|x-ical))?$/i.test(
    type.split(';')[0]?.trim() ?? '',
  );

const failed = (failure: Failure): Fetched => ({ kind: 'failed', why: failure });

function failureOf(status: number): Failure {
  if (status === 401 || status === 403) return 'not_allowed';
  if (status === 404 || status === 410) return 'not_found';
  return status >= 500 ? 'server_error' : 'refused';
}

/** Undefined if the body is too large when unpacked. */
async function bytesOf(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || !value) break;
    length += value.byteLength;
    if (length > mostBytes) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

type Post = { address: string; headers: Record<string, string>; body: string };

/**
 * Sends something to an address. It never throws, follows no redirect, reads nothing of the response but its status, and
 * gives up after ten seconds.
 */
export async function sendOutside({ address, headers, body }: Post, outside: Outside): Promise<Outcome> {
  const { fetch, timeout = usualTimeout, ...options } = outside;
  const url = outsideAddress(address, options);
  if (!url) return { failure: 'not_public' };
  const signal = AbortSignal.timeout(timeout);
  try {
    const response = await fetch(url.href, {
      method: 'POST',
      headers: { ...headers, 'User-Agent': userAgent },
      body,
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch {
    return { failure: signal.aborted ? 'too_slow' : 'unreachable' };
  }
}

/** Fetches an address. It never throws, and gives up after ten seconds, two megabytes or three redirects. */
export async function fetchOutside({ address, etag, lastModified }: FeedRequest, outside: Outside): Promise<Fetched> {
  const { fetch, timeout = usualTimeout, ...options } = outside;
  const signal = AbortSignal.timeout(timeout);
  let url = outsideAddress(address, options);
  const isConditional = Boolean(etag || lastModified);
  const headers = {
    Accept: 'text/calendar, text/plain;q=0.5',
    'User-Agent': userAgent,
    ...(etag && { 'If-None-Match': etag }),
    ...(lastModified && { 'If-Modified-Since': lastModified }),
  };
  try {
    for (let redirect = 0; ; redirect++) {
      if (!url) return failed('not_public');
      const response = await fetch(url.href, { headers, redirect: 'manual', signal });
      const { status } = response;
      const end = async (failure: Failure) => {
        await response.body?.cancel();
        return failed(failure);
      };
      const location = response.headers.get('Location');
      if (redirects.includes(status) && location) {
        await response.body?.cancel();
        if (redirect === mostRedirects) return failed('too_many_redirects');
        url = URL.canParse(location, url) ? outsideAddress(new URL(location, url).href, options) : undefined;
        continue;
      }
      if (status === 304 && isConditional) return { kind: 'unchanged' };
      if (status !== 200) return await end(failureOf(status));
      if (Number(response.headers.get('Content-Length') ?? 0) > mostBytes) return await end('too_large');
      const bytes = await bytesOf(response);
      if (!bytes) return failed('too_large');
      const text = decodeCalendar(bytes);
      // Some servers give a calendar the type of a page, or of a download.
      if (!isText(response.headers.get('Content-Type') ?? '') && !beginsCalendar(text)) return failed('wrong_type');
      return {
        kind: 'read',
        text,
        etag: response.headers.get('ETag'),
        lastModified: response.headers.get('Last-Modified'),
      };
    }
  } catch {
    // The error itself is not logged, because it contains the address.
    return failed(signal.aborted ? 'too_slow' : 'unreachable');
  }
}
