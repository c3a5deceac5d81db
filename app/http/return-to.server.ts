import * as paths from '../paths';

/** The path to go back to. It refuses `//host`, `/\host`, other origins, and screens that would lead in a circle. */
export function localPath(to: string | null, otherwise: string): string {
  if (!to?.startsWith('/') || !URL.canParse(to, 'http://here.invalid')) return otherwise;
  const url = new URL(to, 'http://here.invalid');
  if (url.origin !== 'http://here.invalid' || url.pathname.startsWith('//')) return otherwise;
  if (/^\/(login|register|logout|not-logged-in|api)(\/|$)/i.test(asRouted(url.pathname))) return otherwise;
  return url.pathname + withoutData(url);
}

/** Decodes each segment once, as the router will. */
function asRouted(pathname: string): string {
  try {
    return pathname.split('/').map(decodeURIComponent).join('/');
  } catch {
    return pathname;
  }
}

// With `_data`, the address would return a page's data without the page.
function withoutData({ search, searchParams }: URL): string {
  if (!searchParams.has('_data')) return search;
  const query = new URLSearchParams(searchParams);
  query.delete('_data');
  return query.size > 0 ? `?${query}` : '';
}

// None of our addresses is longer, and it must fit into a header, encoded.
const longestReturn = 4_000;

export function notLoggedInPath(request: Request): string {
  const url = new URL(request.url);
  const back = url.pathname + withoutData(url);
  return back.length > longestReturn ? paths.notLoggedIn() : paths.notLoggedIn({ to: back });
}
