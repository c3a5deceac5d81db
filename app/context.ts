import type { Db } from '../db/client';
import type { Actor } from './domain/accounts/accounts';
import type { Passwords } from './domain/accounts/passwords.server';
import type { Viewer } from './domain/accounts/sessions.server';
import type { Links } from './domain/links.server';
import type { Signatures } from './domain/signatures.server';
import type { Instant } from './domain/time/clock';
import type { KeptPage } from './http/kept-pages.server';
import type { SecurityEvent } from './http/log.server';
import type { SessionCookies } from './http/session.server';

/** The context of a request: `contextOf` in serve.server.ts makes it, each loader and action gets it. */
export type Context = {
  /** Names this request in the log, in X-Request-Id, and on the page of an error that is ours. */
  id: string;
  /** The pattern of its address, or the name of the call: for the log, which holds no address. */
  route: string;
  /** What has happened that concerns safety, for the log. */
  events: SecurityEvent[];
  db: Db;
  now: Instant;
  /** The nonce of the content-security policy; each script tag carries it. */
  nonce: string;
  /** The one-time key of the forms on this response's page. */
  once: string;
  passwords: Passwords;
  /** True where e-mail is set up. Without it no screen offers or promises any. */
  hasMail: boolean;
  /** Who is asking, by the signed cookie; null without one. */
  actor: Actor | null;
  /** Reads the account behind the session, in the round trip of this tick; null where the session does not stand. */
  viewer: () => Promise<Viewer | null>;
  /** Continues as the account that this very request has logged in. */
  switchTo: (actor: Actor) => void;
  /** The result of `viewer`, so far. */
  standing: Viewer | null;
  /**
   * What the edge knows of the reader. The zone is a guess, to show and let change; null where the edge names none that
   * we know. The address is for rate limits; for IPv6 it is a whole network.
   */
  edge: { readonly timeZone: string | null; readonly address: string };
  /** What the reader's browser calls itself, in a few words; null where it says nothing that we know. */
  device: string | null;
  /** False where a local server has rate limits off. */
  isRateLimited: boolean;
  /** True where a page of another site sent this write. */
  isCrossSite: boolean;
  /** True where the action gave its screen all data: the loader need not read. */
  hasActionData: boolean;
  /** Whose page this is, where it is made for nobody in particular and the edge may keep it for some seconds. */
  keptFor: Pick<KeptPage, 'providerId' | 'isPublic'> | null;
  /** True where the action has refused a form. The title of its page says so. */
  isRefused: boolean;
  /** The headers of a page that differ from those of all others. */
  pageHeaders: Record<string, string>;
  /** The headers of a refusal: the framework drops them from a page. */
  refusalHeaders: Record<string, string>;
  /**
   * The error that refused a file, or a form on a page without one. A page with that error takes the response's place.
   */
  refusal: unknown;
  session: SessionCookies;
  /** Signs links and forms, to prove that we made them. */
  signatures: Signatures;
  /** Makes the keys of personal links. */
  links: Links;
  /** Cookies for the response. */
  cookies: string[];
  /** @throws DomainError too_many where this network reads faster than all its people would */
  limitReads: () => Promise<void>;
  /** True where it did: its page shows nothing that has to be read. */
  isLimited: boolean;
  /** @throws DomainError too_many where this caller writes faster than a person would */
  limitWrites: () => Promise<void>;
};

declare module '@remix-run/cloudflare' {
  interface AppLoadContext extends Context {}
}
