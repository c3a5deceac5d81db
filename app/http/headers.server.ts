import type { Tally } from '../../db/client';
import type { Context } from '../context';
import { isWrite } from './cross-site.server';

const timing = ({ milliseconds, trips, statements, rowsRead, rowsWritten }: Tally) =>
  `d1;dur=${milliseconds};desc="trips=${trips} statements=${statements} rows_read=${rowsRead} rows_written=${rowsWritten}"`;

const policy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Adds the headers of each response: cookies, security, no storing, and figures where TIMING is on. */
export async function addHeaders(response: Response, request: Request, context: Context, isTimed: boolean) {
  const { headers } = response;
  headers.set('Cache-Control', 'private, no-store');
  headers.set('X-Content-Type-Options', 'nosniff');
  // `no-referrer` would make forms without script send `Origin: null`.
  headers.set('Referrer-Policy', 'same-origin');
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  if (headers.get('Content-Type')?.startsWith('text/html')) {
    headers.set('Content-Security-Policy', policy(context.nonce));
  }
  if (request.url.startsWith('https:')) headers.set('Strict-Transport-Security', 'max-age=31536000');
  const more = { ...(response.status === 200 && context.pageHeaders), ...context.refusalHeaders };
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  // A page without a form can only be read.
  if (response.status === 405 && !headers.has('Allow')) headers.set('Allow', 'GET, HEAD');
  for (const cookie of context.cookies) headers.append('Set-Cookie', cookie);
  const seen = isWrite(request) ? context.db.bookmark : null;
  if (seen) headers.append('Set-Cookie', await context.session.keepBookmark(seen));
  if (isTimed) headers.set('Server-Timing', timing(context.db.tally));
  return response;
}
