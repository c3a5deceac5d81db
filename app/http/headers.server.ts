import type { Tally } from '../../db/client';
import { bookmarkHeader, bookmarkOf } from './bookmark.server';
import type { Context } from './context';
import { isWrite } from './cross-site.server';
import { inlinedStylesSources } from './inlined-styles.server';

const timing = ({ milliseconds, trips, statements, rowsRead, rowsWritten }: Tally) =>
  `d1;dur=${milliseconds};desc="trips=${trips} statements=${statements} rows_read=${rowsRead} rows_written=${rowsWritten}"`;

/** The Server-Timing of a response that did not ask the database. */
export const idleTiming = () => ({
  'Server-Timing': timing({ milliseconds: 0, trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }),
});

type Policy = {
  nonce?: string; // of its script tags; without it, the page runs no script
  framedBy?: string[]; // the sites that may show the page in a frame
  showsFrame?: boolean; // the page shows one of ours in a frame
};

const pagePolicy = ({ nonce, framedBy = [], showsFrame }: Policy) =>
  [
    "default-src 'none'",
    `script-src ${nonce ? `'nonce-${nonce}' 'strict-dynamic'` : "'none'"}`,
    `style-src 'self' ${inlinedStylesSources}`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    ...(showsFrame ? ["frame-src 'self'"] : []),
    `frame-ancestors ${framedBy.join(' ') || "'none'"}`,
  ].join('; ');

// Static files have the same policy in public/_headers.
const filePolicy = "default-src 'none'; frame-ancestors 'none'";

export const pageType = 'text/html; charset=utf-8';

export function addSafety({ headers }: Response, request: Request, policy: Policy = {}): void {
  headers.set('Cache-Control', 'private, no-store');
  headers.set('X-Content-Type-Options', 'nosniff');
  // With `no-referrer`, forms without script would send `Origin: null`.
  headers.set('Referrer-Policy', 'same-origin');
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  const isPage = headers.get('Content-Type')?.startsWith('text/html');
  headers.set('Content-Security-Policy', isPage ? pagePolicy(policy) : filePolicy);
  if (request.url.startsWith('https:')) {
    headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  }
}

export async function addOutcome(response: Response, request: Request, context: Context, isTimed: boolean) {
  const { headers } = response;
  for (const [name, value] of Object.entries(context.refusalHeaders)) headers.set(name, value);
  // A page without a form can only be read.
  if (response.status === 405 && !headers.has('Allow')) headers.set('Allow', 'GET, HEAD');
  for (const cookie of context.cookies) headers.append('Set-Cookie', cookie);
  const written = isWrite(request) && !context.key && !context.frame ? context.db.bookmark : null;
  if (written) headers.append('Set-Cookie', await context.session.setBookmark(written));
  const reached = bookmarkOf(request, context.db);
  if (reached) headers.set(bookmarkHeader, reached);
  if (isTimed) headers.set('Server-Timing', timing(context.db.tally));
}
