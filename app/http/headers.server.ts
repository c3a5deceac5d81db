import type { Tally } from '../../db/client';
import type { Context } from '../context';
import { bookmarkHeader, bookmarkOf } from './bookmark.server';
import { isWrite } from './cross-site.server';

const timing = ({ milliseconds, trips, statements, rowsRead, rowsWritten }: Tally) =>
  `d1;dur=${milliseconds};desc="trips=${trips} statements=${statements} rows_read=${rowsRead} rows_written=${rowsWritten}"`;

/** Of a response that asked the database nothing, where TIMING is on. */
export const noFigures = () => ({
  'Server-Timing': timing({ milliseconds: 0, trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }),
});

/** What a page may load: its own files, and scripts that carry its nonce; without a nonce none. */
const pagePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src ${nonce ? `'nonce-${nonce}' 'strict-dynamic'` : "'none'"}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** What anything else may load, opened by itself: nothing. Static files have the same in public/_headers. */
const filePolicy = "default-src 'none'; frame-ancestors 'none'";

/** Adds what browsers must not do with a response; each response has it, whatever has become of the request. */
export function addSafety({ headers }: Response, request: Request, nonce = ''): void {
  headers.set('Cache-Control', 'private, no-store');
  headers.set('X-Content-Type-Options', 'nosniff');
  // `no-referrer` would make forms without script send `Origin: null`.
  headers.set('Referrer-Policy', 'same-origin');
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  const isPage = headers.get('Content-Type')?.startsWith('text/html');
  headers.set('Content-Security-Policy', isPage ? pagePolicy(nonce) : filePolicy);
  if (request.url.startsWith('https:')) {
    headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  }
}

/** Adds what a response says of its request: refusals, cookies, and figures where TIMING is on. */
export async function addOutcome(response: Response, request: Request, context: Context, isTimed: boolean) {
  const { headers } = response;
  for (const [name, value] of Object.entries(context.refusalHeaders)) headers.set(name, value);
  // A page without a form can only be read.
  if (response.status === 405 && !headers.has('Allow')) headers.set('Allow', 'GET, HEAD');
  for (const cookie of context.cookies) headers.append('Set-Cookie', cookie);
  const seen = isWrite(request) ? context.db.bookmark : null;
  if (seen) headers.append('Set-Cookie', await context.session.keepBookmark(seen));
  const reached = bookmarkOf(request, context.db);
  if (reached) headers.set(bookmarkHeader, reached);
  if (isTimed) headers.set('Server-Timing', timing(context.db.tally));
}
