import * as paths from '../paths';

/**
 * The path within this site that `to` names, or `otherwise`. It refuses `//host`, `/\host`, other origins, and
 * screens that would lead the visitor in a circle.
 */
export function localPath(to: string | null, otherwise: string): string {
  if (!to?.startsWith('/') || !URL.canParse(to, 'http://here.invalid')) return otherwise;
  const url = new URL(to, 'http://here.invalid');
  if (url.origin !== 'http://here.invalid' || url.pathname.startsWith('//')) return otherwise;
  if (/^\/(login|register|logout|not-logged-in|api)(\/|$)/i.test(asRouted(url.pathname))) return otherwise;
  return url.pathname + withoutData(url);
}

/** Decodes each segment once, as the router does. */
function asRouted(pathname: string): string {
  try {
    return pathname.split('/').map(decodeURIComponent).join('/');
  } catch {
    return pathname;
  }
}

/** The query without `_data`, by which a script asks for the data of a page alone. */
function withoutData({ search, searchParams }: URL): string {
  if (!searchParams.has('_data')) return search;
  const kept = new URLSearchParams(searchParams);
  kept.delete('_data');
  return kept.size > 0 ? `?${kept}` : '';
}

/** In characters: no page of ours has a longer address, and a header has to hold it, encoded. */
const longestReturn = 4_000;

/** The page that asks a visitor to log in, and knows the way back. */
export function notLoggedInPath(request: Request): string {
  const url = new URL(request.url);
  const back = url.pathname + withoutData(url);
  return back.length > longestReturn ? paths.notLoggedIn() : paths.notLoggedIn({ to: back });
}
