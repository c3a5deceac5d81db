import type { Context } from './context';
import { addSafety } from './headers.server';
import { logRequest, type SecurityEvent } from './log.server';

/** The route of a kept page, and its own headers. */
export type Kept = { route: string; headers: Record<string, string> };

type Ending = {
  request: Request;
  id: string;
  milliseconds: number;
  /** Undefined for a request that failed before it had one. */
  context: Context | undefined;
  /** Set instead of the context for a page that was kept. */
  kept?: Kept;
  isLogged: boolean;
};

const eventsOf = ({ status }: Response, context: Context | undefined): SecurityEvent[] => [
  ...(context?.events ?? []),
  ...(status === 429 ? (['throttled'] as const) : []),
  ...(context?.isCrossSite ? (['cross-site refused'] as const) : []),
];

/** Ends every request: its response gets the headers of all responses, and the log its line. */
export function end(response: Response, { request, id, milliseconds, context, kept, isLogged }: Ending): Response {
  addSafety(response, request, context?.nonce);
  // The page's own headers come last: some may be stored for a while, some send no address along.
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
