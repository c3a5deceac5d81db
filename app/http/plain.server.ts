import { isCall, isWrite } from './cross-site.server';
import { jsonResponse } from './json.server';

/** True for a host name that leads to this machine alone, whoever asks. */
export const isThisMachine = (hostname: string) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

// A call without TLS is refused, not redirected. With a redirect the program would never notice, and show its cookie to
// the network each time (OWASP ASVS 5.0, 4.1.2).
export function plainResponse(request: Request, { PLAIN_HTTP }: { PLAIN_HTTP?: string }): Response | undefined {
  if (PLAIN_HTTP === 'on' || !request.url.startsWith('http:')) return undefined;
  const url = new URL(request.url);
  // `wrangler dev` serves without TLS.
  if (isThisMachine(url.hostname)) return undefined;
  if (isCall(url)) return jsonResponse('Calls need https.', { status: 403 });
  url.protocol = 'https:';
  // Status 308 keeps the method and the form.
  return new Response(null, { status: isWrite(request) ? 308 : 301, headers: { Location: url.href } });
}
