import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import worker, { type Env } from '../../app/worker';

/* The whole Worker, asked in the process of the tests, so that each request may have settings and a database of its own. */

const origin = 'https://daybook.test';
export const realD1 = () => env.DB as unknown as D1Database;

type Given = Partial<Record<keyof Env, unknown>>;

/** Asks by a path, or an address of another origin, and waits until all is done that the response did not wait for. */
export async function ask(path: string, init: RequestInit = {}, given: Given = {}): Promise<Response> {
  const after = createExecutionContext();
  const request = new Request(path.startsWith('http') ? path : origin + path, { redirect: 'manual', ...init });
  const settings = { ...env, RATE_LIMIT: 'off', ...given } as unknown as Env;
  const response = await worker.fetch(request, settings, after as never);
  await waitOnExecutionContext(after);
  return response;
}

/** Asks by an address that no Request takes, as the platform may make one of a broken Host. */
export async function askAt(url: string, init: RequestInit, given: Given): Promise<Response> {
  const after = createExecutionContext();
  const request = Object.defineProperty(new Request(origin, init), 'url', { value: url });
  return worker.fetch(request, { ...env, ...given } as unknown as Env, after as never);
}

/** The job of each hour. */
export const runHourly = (given: Given = {}) => worker.scheduled(undefined, { ...env, ...given } as unknown as Env);

export const as = (Cookie: string): RequestInit => ({ headers: { Cookie } });
export const asJson = (body: unknown, Cookie = ''): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', Cookie },
});
export const asForm = (typed: Record<string, string>, Cookie = ''): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(typed),
  headers: { Cookie, Origin: origin },
});

export const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

export const password = 'Correct horse 1';
/** Registers somebody, in Lisbon but on UTC, and gives their cookies. */
export async function register(role: 'Provider' | 'Consumer', username: string): Promise<string> {
  const person = { username, displayName: username, password, role, location: 'Lisbon', timeZone: 'UTC' };
  const response = await ask('/api/Account/Register', asJson(person));
  if (response.status !== 201) throw new Error(`Nobody was registered: ${await response.text()}`);
  return cookieOf(response);
}

/** Tomorrow, as the API writes it. */
export const tomorrow = () => {
  const date = new Date(Date.now() + 86_400_000).toISOString();
  return `${date.slice(5, 10)}-${date.slice(0, 4)}`;
};
