import { isCall, isWrite } from './cross-site.server';
import { answerValue } from './json.server';

/** Names of the machine itself, which `wrangler dev` serves without TLS. */
const isThisMachine = (hostname: string) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * Answers a request without TLS to a deployed Worker; undefined if it may be served. Screens redirect. Calls are refused:
 * a redirected program would show its cookie to the network at each call, unnoticed (OWASP ASVS 5.0, 4.1.2).
 */
export function plainResponse(request: Request, { PLAIN_HTTP }: { PLAIN_HTTP?: string }): Response | undefined {
  if (PLAIN_HTTP === 'on' || !request.url.startsWith('http:')) return undefined;
  const url = new URL(request.url);
  if (isThisMachine(url.hostname)) return undefined;
  if (isCall(url)) return answerValue('Calls need https.', { status: 403 });
  url.protocol = 'https:';
  // 308 keeps the method and the form.
  return new Response(null, { status: isWrite(request) ? 308 : 301, headers: { Location: url.href } });
}
