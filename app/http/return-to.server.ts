/**
 * The path within this site that `to` names, or `otherwise`. It refuses `//host`, `/\host` and other origins, and
 * screens that would lead the visitor in a circle.
 */
export function localPath(to: string | null, otherwise: string): string {
  if (!to?.startsWith('/') || !URL.canParse(to, 'http://here.invalid')) return otherwise;
  const url = new URL(to, 'http://here.invalid');
  if (url.origin !== 'http://here.invalid' || url.pathname.startsWith('//')) return otherwise;
  if (/^\/(login|register|logout|not-logged-in|api)(\/|$)/i.test(asRouted(url.pathname))) return otherwise;
  return url.pathname + withoutData(url);
}

/** A path as the router compares it: it decodes each segment once, and leaves alone what it can't decode. */
function asRouted(pathname: string): string {
  try {
    return pathname.split('/').map(decodeURIComponent).join('/');
  } catch {
    return pathname;
  }
}

/** The query of a page's address, without `_data`, by which a script asks for the data alone. */
function withoutData({ search, searchParams }: URL): string {
  if (!searchParams.has('_data')) return search;
  const kept = new URLSearchParams(searchParams);
  kept.delete('_data');
  return kept.size > 0 ? `?${kept}` : '';
}

/** Longer ways back are not kept: no page of ours has one, and a header has to hold it, encoded. */
const longestWay = 4_000;

/** The page for a visitor who has to log in first; it knows the way back. */
export function notLoggedInPath(request: Request): string {
  const url = new URL(request.url);
  const back = url.pathname + withoutData(url);
  return back.length > longestWay ? '/not-logged-in' : `/not-logged-in?to=${encodeURIComponent(back)}`;
}
