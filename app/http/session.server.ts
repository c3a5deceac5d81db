import { type Cookie, createCookie } from '@remix-run/cloudflare';
import * as z from 'zod/mini';
import { newId } from '../../db/columns';
import { type Actor, type Device, roles } from '../domain/accounts/accounts';
import type { FirstStep } from '../domain/accounts/logging-in.server';
import { sessionLength } from '../domain/accounts/sessions.server';
import { day, type Instant, minute } from '../domain/time/clock';
import { bookmarkShape } from './bookmark.server';

/*
 * Four cookies. `daybook` is signed and says who is asking; the database says whether that session still stands.
 * `daybook-seen` is the bookmark of the last write, so that the next pages read at least that far. `daybook-device` is
 * signed, survives the logout, and says for the rate limit of logins that someone has logged in here. `daybook-step` is
 * signed, and says for some minutes that somebody has given the right password and owes a code.
 */

const claims = z.object({ a: z.string(), s: z.string(), r: z.enum(roles), z: z.string(), g: z.optional(z.literal(1)) });
const deviceClaims = z.object({ a: z.string(), d: z.string() });
const stepClaims = z.object({ a: z.string(), p: z.string(), t: z.number() });
/** How long somebody may look for their code, in milliseconds. */
const stepLength = 10 * minute;
const actorOf = ({ a, s, r, z, g }: z.output<typeof claims>): Actor => ({
  accountId: a,
  sessionId: s,
  role: r,
  timeZone: z,
  ...(g && { isGuest: true }),
});

/** The name of the cookie that says who is asking, at an address without TLS. */
export const sessionName = 'daybook';

/** The cookies by scheme and secrets, each made once. */
const made = new Map<string, { session: Cookie; bookmark: Cookie; device: Cookie; step: Cookie }>();

function cookiesOf(secrets: string, isSecure: boolean) {
  const key = `${isSecure} ${secrets}`;
  const common = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure } as const;
  const signed = { ...common, secrets: secrets.split(',').map((one) => one.trim()) };
  // Browsers take a cookie of that name only over TLS and from this very host, so that no other can plant one.
  const own = (name: string) => (isSecure ? `__Host-${name}` : name);
  const cookies = made.get(key) ?? {
    session: createCookie(own(sessionName), signed),
    bookmark: createCookie(own('daybook-seen'), { ...common, maxAge: 300 }),
    device: createCookie(own('daybook-device'), { ...signed, maxAge: 365 * (day / 1000) }),
    step: createCookie(own('daybook-step'), { ...signed, maxAge: stepLength / 1000 }),
  };
  made.set(key, cookies);
  return cookies;
}

/** Reads a cookie; null where someone tampered with it: the framework throws if the signature is no base64. */
async function parsed(cookie: Cookie, header: string | null): Promise<unknown> {
  try {
    return await cookie.parse(header);
  } catch {
    return null;
  }
}

export type SessionCookies = ReturnType<typeof sessionCookies>;

/** What the cookies of a request say. */
type CookieContents = { actor: Actor | null; bookmark: string | null };

/** Remembers the content of cookies by their header: checking a signature takes longer than all the rest. */
const known = new Map<string, CookieContents>();
const mostKnown = 1000;
/** In characters. Our cookies take 500. A thousand headers of full length would take all memory of the Worker. */
const longestKnown = 2000;

/** Reads and writes the cookies of one request. Secrets are comma-separated: the first signs, all are accepted. */
export function sessionCookies(request: Request, secrets: string) {
  const isSecure = request.url.startsWith('https:');
  const { session, bookmark, device, step } = cookiesOf(secrets, isSecure);
  return {
    async read(): Promise<CookieContents> {
      const header = request.headers.get('Cookie');
      if (!header) return { actor: null, bookmark: null };
      // By scheme too: the same header names other cookies over TLS.
      const key = `${isSecure} ${secrets} ${header}`;
      const before = known.get(key);
      if (before) return before;
      const [standing, seen] = await Promise.all([parsed(session, header), parsed(bookmark, header)]);
      const { success, data } = z.safeParse(claims, standing);
      const contents: CookieContents = {
        actor: success ? actorOf(data) : null,
        bookmark: typeof seen === 'string' && bookmarkShape.test(seen) ? seen : null,
      };
      if (contents.actor && key.length <= longestKnown) {
        if (known.size >= mostKnown) known.clear();
        known.set(key, contents);
      }
      return contents;
    },
    keep: ({ accountId: a, sessionId: s, role: r, timeZone: z, isGuest }: Actor) =>
      session.serialize({ a, s, r, z, ...(isGuest && { g: 1 }) }, { maxAge: sessionLength / 1000 }),
    /** The device, by the account that logged in on it last. */
    async device(): Promise<Device | null> {
      const { data } = z.safeParse(deviceClaims, await parsed(device, request.headers.get('Cookie')));
      return data ? { id: data.d, accountId: data.a } : null;
    },
    async keepDevice(accountId: string) {
      const before = await this.device();
      return device.serialize({ a: accountId, d: before?.accountId === accountId ? before.id : newId() });
    },
    /** The first step of a login that was done in this browser some minutes ago at most; undefined where there is none. */
    async step(now: Instant): Promise<FirstStep | undefined> {
      const { data } = z.safeParse(stepClaims, await parsed(step, request.headers.get('Cookie')));
      return data && now - data.t < stepLength ? { accountId: data.a, stamp: data.p } : undefined;
    },
    keepStep: ({ accountId: a, stamp: p }: FirstStep, now: Instant) => step.serialize({ a, p, t: now }),
    dropStep: () => step.serialize('', { maxAge: 0 }),
    drop: () => session.serialize('', { maxAge: 0 }),
    dropDevice: () => device.serialize('', { maxAge: 0 }),
    keepBookmark: (seen: string) => bookmark.serialize(seen),
  };
}
