import type { Db } from '../../db/client';
import { isCall, isWrite } from './cross-site.server';

/*
 * A bookmark says how far the database had been written when a response was made. Whoever sends it along reads at least
 * that far, also where a copy of the database answers. Browsers have it in a cookie for some minutes; programs may read it
 * from a header of each call, and send it with the next.
 */

/** The header of calls that carries a bookmark, both ways. */
export const bookmarkHeader = 'X-D1-Bookmark';

/** What a bookmark may look like. D1 knows whether it is one. */
export const bookmarkShape = /^(?!first-)[0-9A-Za-z-]{10,200}$/;

/** Where a request begins to read: writes at the primary, reads at the later of the bookmarks that came with it. */
export function readFrom(request: Request, ofCookie: string | null): string {
  if (isWrite(request)) return 'first-primary';
  const sent = request.headers.get(bookmarkHeader) ?? '';
  const ofHeader = bookmarkShape.test(sent) ? sent : '';
  // Bookmarks are texts that sort by time.
  const [latest = ''] = [ofHeader, ofCookie ?? ''].sort().reverse();
  return latest || 'first-unconstrained';
}

/** Tells a program how far it has read or written; null where the call asked nothing of the database. */
export const bookmarkOf = (request: Request, { bookmark }: Db): string | null =>
  isCall(new URL(request.url)) ? bookmark : null;
