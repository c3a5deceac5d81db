import { Agent } from 'node:http';
import { exchange, type Received } from '../support/exchange';

/** One request; `body` is sent as JSON, or as the form that it is. */
type Asking = { method?: string; path: string; headers?: Record<string, string>; body?: unknown };

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Asks once, over a connection that is kept, and times the answer. */
export function timed(url: string, { method = 'GET', path, headers, body }: Asking): Promise<Received> {
  const isForm = body instanceof URLSearchParams;
  const sent = body === undefined ? undefined : isForm ? body.toString() : JSON.stringify(body);
  const kind = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const all = { ...(sent !== undefined && { 'content-type': kind }), ...headers };
  return exchange(new URL(path, url), { method, headers: all, body: sent, agent, patience: 60_000 });
}
