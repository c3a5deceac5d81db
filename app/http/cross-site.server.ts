export const isWrite = (request: Request) => request.method !== 'GET' && request.method !== 'HEAD';

// `/api` itself is a page.
export const isCall = (url: URL) => /^\/api\/+[^/]/i.test(url.pathname);

// By Sec-Fetch-Site, or Origin in older browsers. A request with neither is no browser's, and has no cookies to abuse.
export function isCrossSiteWrite(request: Request): boolean {
  if (!isWrite(request)) return false;
  const site = request.headers.get('Sec-Fetch-Site');
  if (site) return site !== 'same-origin' && site !== 'none';
  const origin = request.headers.get('Origin');
  if (origin === null) return false;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(request.url).host;
}
