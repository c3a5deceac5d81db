import type { Db } from '../db/client';
import type { Actor } from './domain/accounts/accounts';
import type { Passwords } from './domain/accounts/passwords.server';
import type { Viewer } from './domain/accounts/sessions.server';
import type { Signatures } from './domain/signatures.server';
import type { Instant } from './domain/time/clock';
import type { SessionCookies } from './http/session.server';

/** What a request is answered with: made by `contextOf` in serve.server.ts, handed to every loader and action. */
export type Context = {
  db: Db;
  now: Instant;
  /** Of the content-security policy; every script tag carries it. */
  nonce: string;
  passwords: Passwords;
  /** Who the signed cookie says is asking; null without one. */
  actor: Actor | null;
  /** The account behind the session, read in the same round trip as whatever else this tick asks for; null if none stands. */
  viewer: () => Promise<Viewer | null>;
  /** Goes on as whoever has logged in by this very request. */
  switchTo: (actor: Actor) => void;
  /** What `viewer` has found so far. */
  standing: Viewer | null;
  /**
   * What the edge knows of the reader. The zone is a guess, to show and let change; null where it names none that we know.
   * The address is for counting, and of IPv6 a whole network.
   */
  edge: { readonly timeZone: string | null; readonly address: string };
  /** False where rate limits are off, on a local server that says so. */
  isRateLimited: boolean;
  /** A write that another site's page has sent. */
  isCrossSite: boolean;
  /** True where the action gave its screen all data: the loader need not read. */
  hasActionData: boolean;
  /** What a refusal says in its headers: the framework leaves them out of a page. */
  refusalHeaders: Record<string, string>;
  /** The error that refused a file, or a form where there is none; a page that says so is answered in its place. */
  refusal: unknown;
  session: SessionCookies;
  /** Signs links and forms, so that they prove where they come from. */
  signatures: Signatures;
  /** Cookies that go out with the answer. */
  cookies: string[];
  /** @throws DomainError too_many, where this caller writes faster than anyone would */
  limitWrites: () => Promise<void>;
};

declare module '@remix-run/cloudflare' {
  interface AppLoadContext extends Context {}
}
