import type { Db } from '../../db/client';
import { isCall, isWrite } from './cross-site.server';

// A bookmark says how far the database was written when a response was made. A request that brings it reads at least
// that far, even from a replica. Browsers keep it in a cookie for some minutes, programs send it in a header.

export const bookmarkHeader = 'X-D1-Bookmark';

// Only D1 knows whether the text is a bookmark.
export const bookmarkShape = /^(?!first-)[0-9A-Za-z-]{10,200}$/;

/** Starts writes at the primary, and reads at the later bookmark of cookie and header. */
export function readFrom(request: Request, fromCookie: string | null): string {
  if (isWrite(request)) return 'first-primary';
  const header = request.headers.get(bookmarkHeader) ?? '';
  const fromHeader = bookmarkShape.test(header) ? header : '';
  // Bookmarks are texts that sort by time.
  const [latest = ''] = [fromHeader, fromCookie ?? ''].sort().reverse();
  return latest || 'first-unconstrained';
}

/** For the header of a call's answer; null for screens, and for calls that read nothing. */
export const bookmarkOf = (request: Request, { bookmark }: Db): string | null =>
  isCall(new URL(request.url)) ? bookmark : null;
