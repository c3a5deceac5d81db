import { tagOf } from '../domain/words/i18n';
import type { Context } from './context';
import { addSafety, pageType } from './headers.server';
import { logRequest, type SecurityEvent } from './log.server';

export type Cached = { route: string; headers: Record<string, string>; language: string; framedBy: string[] };

type Ending = {
  request: Request;
  id: string;
  milliseconds: number;
  context: Context | undefined; // undefined if the request failed before it had a context
  cached?: Cached; // a cached page, which has no context
  isLogged: boolean;
};

const eventsOf = ({ status }: Response, context: Context | undefined): SecurityEvent[] => [
  ...(context?.events ?? []),
  ...(status === 429 ? (['throttled'] as const) : []),
  ...(context?.isCrossSite ? (['cross-site refused'] as const) : []),
];

/** Adds the headers that all responses have, and logs the request. */
export function end(response: Response, { request, id, milliseconds, context, cached, isLogged }: Ending): Response {
  addSafety(response, request, cached ? { framedBy: cached.framedBy } : context);
  const language = cached?.language ?? (context && tagOf(context.i18n));
  if (language && response.headers.get('Content-Type') === pageType) response.headers.set('Content-Language', language);
  // The page's own headers come last: some let the page be stored for a while, some keep the address from other sites.
  const own = response.status === 200 ? Object.entries(cached?.headers ?? context?.pageHeaders ?? {}) : [];
  for (const [name, value] of own) response.headers.set(name, value);
  response.headers.set('X-Request-Id', id);
  if (!isLogged) return response;
  logRequest(
    {
      id,
      route: (cached ?? context)?.route ?? 'none',
      method: request.method,
      status: response.status,
      milliseconds,
      d1: context?.db.tally ?? null,
    },
    eventsOf(response, context),
  );
  return response;
}
