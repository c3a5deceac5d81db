/**
 * The path within this site that `to` names, or `otherwise`. Nothing else is ever followed: not `//host`, not `/\host`,
 * not another origin; nor a screen that would lead the visitor in a circle.
 */
export function localPath(to: string | null, otherwise: string): string {
  if (!to?.startsWith('/') || !URL.canParse(to, 'http://here.invalid')) return otherwise;
  const url = new URL(to, 'http://here.invalid');
  if (url.origin !== 'http://here.invalid' || url.pathname.startsWith('//')) return otherwise;
  if (/^\/(login|register|logout|not-logged-in|api)(\/|$)/i.test(url.pathname)) return otherwise;
  return url.pathname + url.search;
}

/** Where a visitor is sent who has to log in first, with the way back. */
export function notLoggedInPath(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  const kept = new URLSearchParams(searchParams);
  kept.delete('_data');
  const here = kept.size > 0 ? `${pathname}?${kept}` : pathname;
  return here === '/' ? '/not-logged-in' : `/not-logged-in?to=${encodeURIComponent(here)}`;
}
