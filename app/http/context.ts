import type { I18n } from '@lingui/core';
import type { Db } from '../../db/client';
import type { Framing } from '../domain/calendar/framing.server';
import type { ErrorCode } from '../domain/errors';
import type { Links } from '../domain/links.server';
import type { Book } from '../domain/login/acting.server';
import type { Scope } from '../domain/login/keys';
import type { Passwords } from '../domain/login/passwords.server';
import type { Viewer } from '../domain/login/sessions.server';
import type { Actor } from '../domain/profile/accounts';
import type { Seals } from '../domain/seals.server';
import type { Signatures } from '../domain/signatures.server';
import type { Instant } from '../domain/time/clock';
import type { WordsIn } from '../domain/words/i18n';
import type { Frame } from './framed.server';
import type { SecurityEvent } from './log.server';
import type { SessionCookies } from './session.server';

export type SharedPage = {
  /** Whose books it was read from: a change in one of them drops the page. */
  providerIds: string[];
  /** Browsers and proxies may cache the page too, because it is the same in each time zone. */
  isPublic: boolean;
};

/** What a request may read and use. */
type Means = {
  db: Db;
  now: Instant;
  passwords: Passwords;
  calendars: {
    /** Reads the provider's other calendars, and ends when all are read. */
    read: (providerId: string) => Promise<void>;
  };
  webhooks: {
    /** Sends a delivery, and ends when its server has answered or ten seconds are over. */
    send: (providerId: string, id: string) => Promise<void>;
  };
  allowsLoopback: boolean; // true on a local server that may ask its own machine for what is elsewhere
  signatures: Signatures;
  links: Links;
  seals: Seals;
  /** Words things in a language that is not the reader's. */
  wordsIn: WordsIn;
  hasMail: boolean; // if false, no screen mentions e-mail
  isRateLimited: boolean;
  isLocal: boolean; // true on a local server, without TLS
};

/** Who asks, and from where. Made by `visitorOf`. */
export type Visitor = {
  actor: Actor | null; // from the signed cookie; null if there is none
  session: SessionCookies;
  /** What the key may do that a program sent; null without one, `wrong` if it opens nothing. */
  key: Scope | 'wrong' | null;
  /** Words what the reader sees in their language. */
  i18n: I18n;
  /** Reads the account behind the session in the same round trip; null if the session has ended. */
  viewer: () => Promise<Viewer | null>;
  reader: Viewer | null; // the result of `viewer`; null until it is there
  /** Lets the request go on as an account that has just logged in. */
  switchTo: (actor: Actor) => void;
  /**
   * A guess of the reader's zone, their first day of the week (0 for Sunday), and the address for rate limits: for IPv6
   * the whole network.
   */
  edge: { readonly timeZone: string | null; readonly weekStart: number; readonly address: string };
  /** The frame in which another site shows the page; null for a page of its own. */
  frame: Frame | null;
  /** Reads whom a page in a frame is about and who may show it, in the same round trip; null for all others. */
  framing: () => Promise<Framing | null>;
  /** The sites that may show this page in a frame, as the header names them; none until `framing` is there. */
  framedBy: string[];
  device: string | null; // such as `Firefox on Android`; null if unknown
  isCrossSite: boolean;
  /** @throws DomainError too_many if the network reads faster than all its people would */
  limitReads: () => Promise<void>;
  /** True after `limitReads` has refused. Then the page shows nothing that must be read. */
  isLimited: boolean;
  /** @throws DomainError too_many if the caller writes faster than a person would */
  limitWrites: () => Promise<void>;
};

/** What goes into the response, or is said of it in the log, beside what the route returns. */
type ResponseParts = {
  id: string; // is in the log, in X-Request-Id, and on error pages
  /** The pattern of the address, or the name of the call. Addresses themselves are not logged. */
  route: string;
  events: SecurityEvent[];
  nonce: string; // for script tags
  once: string; // the one-time key of this page's forms
  cookies: string[];
  /** True if the action has read all data of its screen, so that the loader need not. */
  hasActionData: boolean;
  /** Set if the page looks the same to every reader, so that the edge may cache it for some seconds. */
  cachedFor: SharedPage | null;
  book?: Book; // the colleague or the shop in whose book the request works; left out for the reader's own
  refusalCode: ErrorCode | null; // why the action refused the form; the page's title then says that it did
  showsFrame: boolean; // true if the page shows one of ours in a frame
  pageHeaders: Record<string, string>;
  /** Headers of a refusal. They are kept here, because the framework drops them from a page. */
  refusalHeaders: Record<string, string>;
  /** The error that refused a file, or a form without a page. An error page replaces the response. */
  refusal: unknown;
};

export const newResponseParts = ({ id, nonce, once }: Pick<ResponseParts, 'id' | 'nonce' | 'once'>): ResponseParts => ({
  id,
  route: 'none',
  events: [],
  nonce,
  once,
  cookies: [],
  hasActionData: false,
  cachedFor: null,
  refusalCode: null,
  showsFrame: false,
  pageHeaders: {},
  refusalHeaders: {},
  refusal: undefined,
});

export type Context = Means & Visitor & ResponseParts;

/** Joins the three for one request. What is learned of its visitor and its response stands in the context. */
export const joined = (means: Means, visitor: Visitor, response: ResponseParts): Context =>
  Object.assign(visitor, means, response);

declare module '@remix-run/cloudflare' {
  interface AppLoadContext extends Context {}
}
