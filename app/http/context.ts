import type { Db } from '../../db/client';
import type { Links } from '../domain/links.server';
import type { Passwords } from '../domain/login/passwords.server';
import type { Viewer } from '../domain/login/sessions.server';
import type { Actor } from '../domain/profile/accounts';
import type { Seals } from '../domain/seals.server';
import type { Signatures } from '../domain/signatures.server';
import type { Instant } from '../domain/time/clock';
import type { SecurityEvent } from './log.server';
import type { SessionCookies } from './session.server';

export type SharedPage = {
  providerId: string;
  /** Browsers and proxies may keep it too, because it is the same in every time zone. */
  isPublic: boolean;
};

/** Made by `contextOf` in serve.server.ts for each request. */
export type Context = {
  id: string; // stands in the log, in X-Request-Id, and on error pages
  /** The address's pattern, or the call's name: the log holds no address. */
  route: string;
  events: SecurityEvent[];
  db: Db;
  now: Instant;
  nonce: string; // for script tags
  once: string; // the one-time key of this page's forms
  passwords: Passwords;
  calendars: {
    /** Ends when the provider's other calendars have been read. */
    read: (providerId: string) => Promise<void>;
    allowsLoopback: boolean; // true for a local server that may read from its own machine
  };
  seals: Seals;
  hasMail: boolean; // false hides everything about e-mail from the screens
  actor: Actor | null; // from the signed cookie; null without one
  /** Reads the account behind the session in the same round trip; null if the session has ended. */
  viewer: () => Promise<Viewer | null>;
  /** Continues as an account that this request has logged in. */
  switchTo: (actor: Actor) => void;
  standing: Viewer | null; // the result of `viewer`; null before it
  /** A guessed zone; 0 for Sunday; for rate limits, the whole network of an IPv6 address. */
  edge: { readonly timeZone: string | null; readonly weekStart: number; readonly address: string };
  device: string | null; // such as `Firefox on Android`; null if unknown
  isRateLimited: boolean;
  isCrossSite: boolean;
  /** The action returned all data of its screen, so the loader need not read. */
  hasActionData: boolean;
  /** Set if the page looks the same for every reader, so that the edge may keep it for some seconds. */
  keptFor: SharedPage | null;
  isRefused: boolean; // the action refused the form; the page's title says so
  pageHeaders: Record<string, string>;
  /** Apart from the others, because the framework drops them from a page. */
  refusalHeaders: Record<string, string>;
  /** The error that refused a file or a form without a page: an error page takes the response's place. */
  refusal: unknown;
  session: SessionCookies;
  signatures: Signatures;
  links: Links;
  cookies: string[];
  /** @throws DomainError too_many for a network that reads faster than all its people would */
  limitReads: () => Promise<void>;
  /** After a refusal by `limitReads`, the page shows nothing that has to be read. */
  isLimited: boolean;
  /** @throws DomainError too_many for a caller who writes faster than a person would */
  limitWrites: () => Promise<void>;
};

declare module '@remix-run/cloudflare' {
  interface AppLoadContext extends Context {}
}
