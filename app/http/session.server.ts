import { createCookie } from '@remix-run/cloudflare';
import type { Actor } from '../domain/accounts';
import { sessionLength } from '../domain/sessions.server';

/*
 * Two cookies. `daybook` is signed and says who is asking; that the session still stands is asked of the database.
 * `daybook-seen` is the bookmark of the last write, so that the next pages read at least that far.
 */

const bookmarkShape = /^[0-9A-Za-z-]{10,200}$/;

const sessionCookie = (secrets: string[], isSecure: boolean) =>
  createCookie('daybook', { secrets, httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure });

const bookmarkCookie = (isSecure: boolean) =>
  createCookie('daybook-seen', { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure, maxAge: 300 });

export type SessionCookies = ReturnType<typeof sessionCookies>;

/** Reads and writes the cookies of one request. Secrets are comma-separated: the first signs, all are accepted. */
export function sessionCookies(request: Request, secrets: string) {
  const isSecure = new URL(request.url).protocol === 'https:';
  const session = sessionCookie(secrets.split(','), isSecure);
  const bookmark = bookmarkCookie(isSecure);
  const header = request.headers.get('Cookie');
  return {
    async actor(): Promise<Actor | null> {
      const claims = await session.parse(header);
      if (!claims) return null;
      const { a: accountId, s: sessionId, r: role, z: timeZone } = claims;
      return { accountId, sessionId, role, timeZone };
    },
    async bookmark(): Promise<string | null> {
      const seen: unknown = await bookmark.parse(header);
      return typeof seen === 'string' && bookmarkShape.test(seen) ? seen : null;
    },
    keep: ({ accountId: a, sessionId: s, role: r, timeZone: z }: Actor) =>
      session.serialize({ a, s, r, z }, { maxAge: sessionLength / 1000 }),
    drop: () => session.serialize('', { maxAge: 0 }),
    keepBookmark: (seen: string) => bookmark.serialize(seen),
  };
}
