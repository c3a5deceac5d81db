export const isWrite = (request: Request) => request.method !== 'GET' && request.method !== 'HEAD';

// `/api` itself is a page, not a call.
export const isCall = (url: URL) => /^\/api\/+[^/]/i.test(url.pathname);

// Reads Sec-Fetch-Site, or Origin from older browsers. A request without either does not come from a browser, so it has
// no cookies to abuse.
export function isCrossSiteWrite(request: Request): boolean {
  if (!isWrite(request)) return false;
  const site = request.headers.get('Sec-Fetch-Site');
  if (site) return site !== 'same-origin' && site !== 'none';
  const origin = request.headers.get('Origin');
  if (origin === null) return false;
  return !URL.canParse(origin) || new URL(origin).host !== new URL(request.url).host;
}
