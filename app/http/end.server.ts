import type { Context } from '../context';
import { addSafety } from './headers.server';
import { logRequest, type SecurityEvent } from './log.server';

/** What a page that was kept says of itself, and the pattern of its address. */
export type Kept = { route: string; headers: Record<string, string> };

type Ending = {
  request: Request;
  /** Names the request, in the log and to whoever made it. */
  id: string;
  /** How long it took, in milliseconds. */
  milliseconds: number;
  /** Undefined where the request failed before there was one. */
  context: Context | undefined;
  /** Of a page that was not made for this request; it has no context then. */
  kept?: Kept;
  isLogged: boolean;
};

/** Events that the response itself tells of. */
const eventsOf = ({ status }: Response, context: Context | undefined): SecurityEvent[] => [
  ...(context?.events ?? []),
  ...(status === 429 ? (['throttled'] as const) : []),
  ...(context?.isCrossSite ? (['cross-site refused'] as const) : []),
];

/** The one place where a request ends: its response gets what each response has, and the log its line. */
export function end(response: Response, { request, id, milliseconds, context, kept, isLogged }: Ending): Response {
  addSafety(response, request, context?.nonce);
  // What a page says of itself counts more: some may be stored for a while, some send no address along.
  const own = response.status === 200 ? Object.entries(kept?.headers ?? context?.pageHeaders ?? {}) : [];
  for (const [name, value] of own) response.headers.set(name, value);
  response.headers.set('X-Request-Id', id);
  if (!isLogged) return response;
  logRequest(
    {
      id,
      route: (kept ?? context)?.route ?? 'none',
      method: request.method,
      status: response.status,
      milliseconds,
      d1: context?.db.tally ?? null,
    },
    eventsOf(response, context),
  );
  return response;
}
