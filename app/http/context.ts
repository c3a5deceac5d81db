import type { Db } from '../../db/client';
import type { Links } from '../domain/links.server';
import type { Passwords } from '../domain/login/passwords.server';
import type { Viewer } from '../domain/login/sessions.server';
import type { Actor } from '../domain/profile/accounts';
import type { Seals } from '../domain/seals.server';
import type { Signatures } from '../domain/signatures.server';
import type { Instant } from '../domain/time/clock';
import type { KeptPage } from './kept-pages.server';
import type { SecurityEvent } from './log.server';
import type { SessionCookies } from './session.server';

/** Made by `contextOf` in serve.server.ts for each request, and passed to each loader and action. */
export type Context = {
  /** Names the request in the log, in X-Request-Id, and on error pages. */
  id: string;
  /** The pattern of the address, or the name of the call. The log holds no address. */
  route: string;
  /** Security events, for the log. */
  events: SecurityEvent[];
  db: Db;
  now: Instant;
  /** For script tags, by the content-security policy. */
  nonce: string;
  /** The one-time key for the forms of this page. */
  once: string;
  passwords: Passwords;
  /** Calendars elsewhere that block a provider's time. */
  calendars: {
    /** Reads a provider's calendars, and waits until it is done. */
    read: (providerId: string) => Promise<void>;
    /** True for a local server that may read from its own machine. */
    allowsLoopback: boolean;
  };
  seals: Seals;
  /** False hides everything about e-mail from the screens. */
  hasMail: boolean;
  /** From the signed cookie; null without one. */
  actor: Actor | null;
  /** Reads the account behind the session, in the same round trip; null for a session that has ended. */
  viewer: () => Promise<Viewer | null>;
  /** Continues as the account that this request has just logged in. */
  switchTo: (actor: Actor) => void;
  /** The result of `viewer`; null until it is there. */
  standing: Viewer | null;
  /**
   * The time zone is the edge's guess, to show and let change; null for none or an unknown one. The first day of the week
   * follows the reader's region, 0 is Sunday. The address is for rate limits; for IPv6 it is the whole network.
   */
  edge: { readonly timeZone: string | null; readonly weekStart: number; readonly address: string };
  /** The browser in a few words, such as `Firefox on Android`; null for an unknown one. */
  device: string | null;
  isRateLimited: boolean;
  /** True for a write that a page of another site sent. */
  isCrossSite: boolean;
  /** True when the action returned all data of its screen, so that the loader need not read. */
  hasActionData: boolean;
  /** Set on a page that looks the same for every reader, so that the edge may keep it for some seconds. */
  keptFor: Pick<KeptPage, 'providerId' | 'isPublic'> | null;
  /** True after the action refused a form; the page's title says so. */
  isRefused: boolean;
  pageHeaders: Record<string, string>;
  /** Headers of a refusal, apart because the framework drops them from a page. */
  refusalHeaders: Record<string, string>;
  /** The error that refused a file, or a form without a page. An error page takes the place of the response. */
  refusal: unknown;
  session: SessionCookies;
  /** Signs links and forms, so that only ours count. */
  signatures: Signatures;
  links: Links;
  cookies: string[];
  /** @throws DomainError too_many for a network that reads faster than all its people would */
  limitReads: () => Promise<void>;
  /** True after `limitReads` refused: the page shows nothing that has to be read. */
  isLimited: boolean;
  /** @throws DomainError too_many for a caller who writes faster than a person would */
  limitWrites: () => Promise<void>;
};

declare module '@remix-run/cloudflare' {
  interface AppLoadContext extends Context {}
}
