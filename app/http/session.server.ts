import { type Cookie, createCookie } from '@remix-run/cloudflare';
import * as z from 'zod/mini';
import type { Actor } from '../domain/accounts';
import { sessionLength } from '../domain/sessions.server';

/*
 * Two cookies. `daybook` is signed and says who is asking; that the session still stands is asked of the database.
 * `daybook-seen` is the bookmark of the last write, so that the next pages read at least that far.
 */

const claims = z.object({ a: z.string(), s: z.string(), r: z.enum(['Consumer', 'Provider']), z: z.string() });
const bookmarkShape = /^[0-9A-Za-z-]{10,200}$/;

/** The two of a deployment, made once. */
const made = new Map<string, { session: Cookie; bookmark: Cookie }>();

function cookiesOf(secrets: string, isSecure: boolean) {
  const key = `${isSecure} ${secrets}`;
  const common = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure } as const;
  const cookies = made.get(key) ?? {
    session: createCookie('daybook', { ...common, secrets: secrets.split(',') }),
    bookmark: createCookie('daybook-seen', { ...common, maxAge: 300 }),
  };
  made.set(key, cookies);
  return cookies;
}

/** What a cookie holds; null where it was tampered with, on which the framework throws if the signature is no base64. */
async function parsed(cookie: Cookie, header: string | null): Promise<unknown> {
  try {
    return await cookie.parse(header);
  } catch {
    return null;
  }
}

export type SessionCookies = ReturnType<typeof sessionCookies>;

/** Sessions whose signature was checked, by the header that had them: checking takes longer than all else of a cookie. */
const checked = new Map<string, Actor>();
const mostChecked = 1000;

/** Reads and writes the cookies of one request. Secrets are comma-separated: the first signs, all are accepted. */
export function sessionCookies(request: Request, secrets: string) {
  const { session, bookmark } = cookiesOf(secrets, request.url.startsWith('https:'));
  const header = request.headers.get('Cookie');
  return {
    async actor(): Promise<Actor | null> {
      if (!header) return null;
      const known = checked.get(secrets + header);
      if (known) return known;
      const read = z.safeParse(claims, await parsed(session, header));
      if (!read.success) return null;
      const { a: accountId, s: sessionId, r: role, z: timeZone } = read.data;
      const actor = { accountId, sessionId, role, timeZone };
      if (checked.size >= mostChecked) checked.clear();
      checked.set(secrets + header, actor);
      return actor;
    },
    async bookmark(): Promise<string | null> {
      if (!header?.includes(`${bookmark.name}=`)) return null;
      const seen = await parsed(bookmark, header);
      return typeof seen === 'string' && bookmarkShape.test(seen) ? seen : null;
    },
    keep: ({ accountId: a, sessionId: s, role: r, timeZone: z }: Actor) =>
      session.serialize({ a, s, r, z }, { maxAge: sessionLength / 1000 }),
    drop: () => session.serialize('', { maxAge: 0 }),
    keepBookmark: (seen: string) => bookmark.serialize(seen),
  };
}
