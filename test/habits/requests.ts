import { exchange } from '../support/exchange';
import type { Chance } from './chance';
import type { Actor } from './crew';
import { headerText, hostileText } from './hostile';

/** A random request; its path is encoded. */
export type Drawn = { actor: Actor; method: string; path: string; headers: Record<string, string>; body?: Buffer };

/** Status 0 stands for no response. */
export type PlainResponse = { status: number; headers: Headers; text: string };

const patience = 30_000;
/** In bytes: a server may refuse a larger body unread, and close. */
const largeBody = 60_000;

const agents = ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', '', '<fzmark>', 'curl/8'];

/** Headers, some of them wrong, with a cookie that is right, damaged or missing. */
export function headersFor(chance: Chance, { browser }: Actor, path: string): Record<string, string> {
  const headers: Record<string, string> = {};
  const cookie = browser.cookies.header(new URL(path, browser.url).pathname);
  if (cookie) headers.cookie = chance.is(0.04) ? damaged(chance, cookie) : cookie;
  if (!cookie && chance.is(0.1)) headers.cookie = `daybook=${headerText(hostileText(chance))}`;
  if (chance.is(0.1)) headers['user-agent'] = chance.of(agents);
  if (!chance.is(0.08)) return headers;
  const text = headerText(hostileText(chance));
  const [name, value] = chance.of<[string, string]>([
    ['accept', chance.of(['application/json', 'text/html', text])],
    ['accept-language', text],
    ['if-none-match', chance.of(['*', '"x"', text])],
    ['if-modified-since', text],
    ['range', 'bytes=0-10'],
    ['origin', chance.of(['null', 'https://evil.example', text])],
    ['sec-fetch-site', chance.of(['cross-site', 'same-site', text])],
    ['referer', text],
    ['cf-connecting-ip', text],
    ['x-forwarded-for', text],
    ['x-http-method-override', 'DELETE'],
    ['idempotency-key', chance.of(['same', 'k'.repeat(201), text])],
    ['content-encoding', 'gzip'],
    ['x-remix-request', 'yes'],
  ]);
  return { ...headers, [name]: value };
}

function damaged(chance: Chance, cookie: string): string {
  const at = chance.below(cookie.length);
  return chance.of([
    cookie.slice(0, at),
    `${cookie.slice(0, at)}x${cookie.slice(at + 1)}`,
    `${cookie}; ${cookie}`,
    cookie.replace('=', '=%00'),
    `${cookie}; daybook=${headerText(hostileText(chance))}`,
    `${cookie}; ${'c=1; '.repeat(300)}`,
  ]);
}

/** Sends a request as it is, and keeps the cookies that come back. */
export async function send({ actor, method, path, headers, body }: Drawn): Promise<PlainResponse> {
  const { browser } = actor;
  const { hostname, port } = new URL(browser.url);
  const all = { ...headers, ...(body && { 'content-length': String(body.length) }) };
  try {
    // An URL would mend the path.
    const received = await exchange({ hostname, port, path }, { method, headers: all, body, patience });
    const pathname = path.replace(/\?.*/, '');
    // Cookies in the answer to a damaged one are not kept.
    if (headers.cookie === browser.cookies.header(pathname)) browser.cookies.receive(received.setCookies, pathname);
    return received;
  } catch (error) {
    const isRefused = (body?.length ?? 0) > largeBody;
    const reason = isRefused ? '' : (error as Error).message;
    return { status: isRefused ? 413 : 0, headers: new Headers(), text: reason };
  }
}
