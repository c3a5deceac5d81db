import type { Db } from '../../db/client';
import { isCall, isWrite } from './cross-site.server';

// A bookmark says how far the database was written when a response was made. A request that brings it reads at least
// that far, even from a replica. Browsers keep it in a cookie for some minutes, programs send it in a header.

export const bookmarkHeader = 'X-D1-Bookmark';

// Checks only the form: whether it is a bookmark, D1 decides.
export const bookmarkShape = /^(?!first-)[0-9A-Za-z-]{10,200}$/;

/** Makes the database read at the later bookmark of cookie and header. A write starts at the primary. */
export function readFrom(request: Request, fromCookie: string | null): string {
  if (isWrite(request)) return 'first-primary';
  const header = request.headers.get(bookmarkHeader) ?? '';
  const fromHeader = bookmarkShape.test(header) ? header : '';
  // The texts of bookmarks sort by time.
  const [latest = ''] = [fromHeader, fromCookie ?? ''].sort().reverse();
  return latest || 'first-unconstrained';
}

/** The bookmark for the header of a call's response; null for screens and for calls that read nothing. */
export const bookmarkOf = (request: Request, { bookmark }: Db): string | null =>
  isCall(new URL(request.url)) ? bookmark : null;
