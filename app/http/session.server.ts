import { type Cookie, createCookie } from '@remix-run/cloudflare';
import * as z from 'zod/mini';
import { newId } from '../../db/columns';
import type { FirstStep } from '../domain/login/log-in.server';
import { sessionLength } from '../domain/login/sessions.server';
import { type Actor, type Device, roles } from '../domain/profile/accounts';
import { day, type Instant, minute } from '../domain/time/clock';
import { languageCodes } from '../domain/words/languages';
import { bookmarkShape } from './bookmark.server';

// `daybook` is the session's cookie; whether the session is open, the database says. `daybook-seen` has the bookmark of
// the last write, so that the next pages read at least that far. `daybook-device` stays after a logout, and shows the
// login's rate limit that somebody has logged in with this browser. `daybook-step` says that the password was right and
// the code is still missing. `browser` comes with a stranger's form, and shows that a repeat of it is this browser's own;
// its name doesn't begin as ours do, because pages are cached for readers who have nothing else.

const sessionPayload = z.object({
  a: z.string(),
  s: z.string(),
  r: z.enum(roles),
  z: z.string(),
  g: z.optional(z.literal(1)),
  l: z.optional(z.enum(languageCodes)),
});
const devicePayload = z.object({ a: z.string(), d: z.string() });
const stepPayload = z.object({ a: z.string(), p: z.string(), t: z.number() });
const browserId = z.string().check(z.regex(/^[\w-]{22}$/));
// Time enough to look up a code.
const stepLength = 10 * minute;
// As long as a form may stay open.
const browserLength = day;
const actorOf = ({ a, s, r, z, g, l }: z.output<typeof sessionPayload>): Actor => ({
  accountId: a,
  sessionId: s,
  role: r,
  timeZone: z,
  ...(g && { isGuest: true }),
  ...(l && { lang: l }),
});

/** The cookie's name at an address without TLS. */
export const sessionName = 'daybook';

const cookieSets = new Map<
  string,
  { session: Cookie; bookmark: Cookie; device: Cookie; step: Cookie; browser: Cookie }
>();

function cookiesOf(secrets: string, isSecure: boolean) {
  const key = `${isSecure} ${secrets}`;
  const common = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure } as const;
  const signed = { ...common, secrets: secrets.split(',').map((secret) => secret.trim()) };
  // Browsers accept a `__Host-` cookie only over TLS and from this host, so no other host can set one.
  const nameOf = (name: string) => (isSecure ? `__Host-${name}` : name);
  const cookies = cookieSets.get(key) ?? {
    session: createCookie(nameOf(sessionName), signed),
    bookmark: createCookie(nameOf('daybook-seen'), { ...common, maxAge: 300 }),
    device: createCookie(nameOf('daybook-device'), { ...signed, maxAge: 365 * (day / 1000) }),
    step: createCookie(nameOf('daybook-step'), { ...signed, maxAge: stepLength / 1000 }),
    browser: createCookie(nameOf('browser'), { ...common, maxAge: browserLength / 1000 }),
  };
  cookieSets.set(key, cookies);
  return cookies;
}

// The framework throws if a forged signature is not base64.
async function parse(cookie: Cookie, header: string | null): Promise<unknown> {
  try {
    return await cookie.parse(header);
  } catch {
    return null;
  }
}

export type SessionCookies = ReturnType<typeof sessionCookies>;

type CookieContents = { actor: Actor | null; bookmark: string | null };

// Remembered, because checking a signature takes longer than all the rest.
const contentsByHeader = new Map<string, CookieContents>();
const mostRemembered = 1000;
// Our cookies take 500 characters. A thousand headers of the greatest length would fill the Worker's memory.
const longestRemembered = 2000;

/** Reads and writes the cookies of a request. @param secrets comma-separated: the first signs, all are accepted */
export function sessionCookies(request: Request, secrets: string) {
  const isSecure = request.url.startsWith('https:');
  const { session, bookmark, device, step, browser } = cookiesOf(secrets, isSecure);
  return {
    async read(): Promise<CookieContents> {
      const header = request.headers.get('Cookie');
      if (!header) return { actor: null, bookmark: null };
      // Over TLS the same header has cookies of other names.
      const key = `${isSecure} ${secrets} ${header}`;
      const remembered = contentsByHeader.get(key);
      if (remembered) return remembered;
      const [sessionValue, lastBookmark] = await Promise.all([parse(session, header), parse(bookmark, header)]);
      const { success, data } = z.safeParse(sessionPayload, sessionValue);
      const contents: CookieContents = {
        actor: success ? actorOf(data) : null,
        bookmark: typeof lastBookmark === 'string' && bookmarkShape.test(lastBookmark) ? lastBookmark : null,
      };
      if (contents.actor && key.length <= longestRemembered) {
        if (contentsByHeader.size >= mostRemembered) contentsByHeader.clear();
        contentsByHeader.set(key, contents);
      }
      return contents;
    },
    set: ({ accountId: a, sessionId: s, role: r, timeZone: z, isGuest, lang: l }: Actor) =>
      session.serialize({ a, s, r, z, ...(isGuest && { g: 1 }), ...(l && { l }) }, { maxAge: sessionLength / 1000 }),
    async device(): Promise<Device | null> {
      const { data } = z.safeParse(devicePayload, await parse(device, request.headers.get('Cookie')));
      return data ? { id: data.d, accountId: data.a } : null;
    },
    async setDevice(accountId: string) {
      const before = await this.device();
      return device.serialize({ a: accountId, d: before?.accountId === accountId ? before.id : newId() });
    },
    async step(now: Instant): Promise<FirstStep | undefined> {
      const { data } = z.safeParse(stepPayload, await parse(step, request.headers.get('Cookie')));
      return data && now - data.t < stepLength ? { accountId: data.a, stamp: data.p } : undefined;
    },
    setStep: ({ accountId: a, stamp: p }: FirstStep, now: Instant) => step.serialize({ a, p, t: now }),
    dropStep: () => step.serialize('', { maxAge: 0 }),
    /** The id of a browser that has opened a stranger's form lately. */
    async browser(): Promise<string | null> {
      const { data } = browserId.safeParse(await parse(browser, request.headers.get('Cookie')));
      return data ?? null;
    },
    async setBrowser() {
      return browser.serialize((await this.browser()) ?? newId());
    },
    drop: () => session.serialize('', { maxAge: 0 }),
    dropDevice: () => device.serialize('', { maxAge: 0 }),
    setBookmark: (seen: string) => bookmark.serialize(seen),
  };
}
