import { isCall, isWrite } from './cross-site.server';

/** Names of the machine itself. `wrangler dev` serves them without TLS. */
const isThisMachine = (hostname: string) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * The response to a request that came without TLS to a deployed Worker; undefined where it may be served. A screen sends
 * the browser on. A call is refused: a program that is sent on would show its cookie to the network at each call, and
 * nobody would notice (OWASP ASVS 5.0, 4.1.2).
 */
export function plainResponse(request: Request, { PLAIN_HTTP }: { PLAIN_HTTP?: string }): Response | undefined {
  if (PLAIN_HTTP === 'on' || !request.url.startsWith('http:')) return undefined;
  const url = new URL(request.url);
  if (isThisMachine(url.hostname)) return undefined;
  if (isCall(url)) return Response.json('Calls need https.', { status: 403 });
  url.protocol = 'https:';
  // 308 keeps the method and the form.
  return new Response(null, { status: isWrite(request) ? 308 : 301, headers: { Location: url.href } });
}
