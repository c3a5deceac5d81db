import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { StorageUnavailable } from '../../db/errors';
import type { Framing } from '../domain/calendar/framing.server';
import { DomainError } from '../domain/errors';
import type { Viewer } from '../domain/login/sessions.server';
import type { Actor } from '../domain/profile/accounts';
import { isTimeZone } from '../domain/time/clock';
import { localeIn } from '../domain/words/i18n';
import { clientOf } from './client.server';
import type { Visitor } from './context';
import { isCrossSiteWrite } from './cross-site.server';
import { deviceOf } from './device.server';
import type { Frame } from './framed.server';
import type { SessionCookies } from './session.server';
import { weekStartOf } from './week-start.server';

// In IPv6, a subscriber has a whole network of 64 bits.
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

/** The client's address for rate limits: for IPv6 the whole network. */
export const networkOfClient = (request: Request): string => networkOf(clientOf(request));

// Computed on use, because few responses need it.
class Edge {
  constructor(
    private readonly request: Request,
    private readonly i18n: I18n,
  ) {}
  get timeZone() {
    const zone = (this.request as { cf?: { timezone?: string } }).cf?.timezone;
    return zone && isTimeZone(zone) ? zone : null;
  }
  get weekStart() {
    return weekStartOf(this.request, localeIn(this.i18n));
  }
  get address() {
    return networkOfClient(this.request);
  }
}

/** Counts a read or write of a network or an account. Each is true if it is not too many. */
export type Limits = { read: (key: string) => Promise<boolean>; write: (key: string) => Promise<boolean> };

type RequestFacts = {
  actor: Actor | null;
  key?: Visitor['key'];
  session: SessionCookies;
  /** Reads the account behind the session; nothing if that has ended. */
  readAccount: (actor: Actor) => Promise<Viewer | null | undefined>;
  i18n: I18n;
  frame?: Frame | null;
  /** Reads who may show the page in its frame. */
  readFraming?: (frame: Frame) => Promise<Framing | null>;
  limits: Limits;
  /** Whether the network may read, where that was counted before. */
  mayRead?: boolean;
  isDiskFull?: boolean;
};

/** Makes who asks from their request and their session. */
export function visitorOf(
  request: Request,
  {
    actor,
    key = null,
    session,
    readAccount,
    i18n,
    frame = null,
    readFraming,
    limits,
    mayRead,
    isDiskFull,
  }: RequestFacts,
): Visitor {
  const edge = new Edge(request, i18n);
  let account: Promise<Viewer | null> | undefined;
  let allowance = mayRead === undefined ? undefined : Promise.resolve(mayRead);
  let framing: Promise<Framing | null> | undefined;
  // Its methods are also called by themselves, so they name it.
  const visitor: Visitor = {
    actor,
    key,
    session,
    i18n,
    reader: null,
    viewer() {
      account ??= Promise.resolve(visitor.actor && readAccount(visitor.actor)).then((viewer) => {
        visitor.reader = viewer ?? null;
        return visitor.reader;
      });
      return account;
    },
    switchTo(newGuest) {
      visitor.actor = newGuest;
      visitor.reader = null;
      account = undefined;
    },
    edge,
    frame,
    framing() {
      framing ??= Promise.resolve(frame && readFraming ? readFraming(frame) : null).then((found) => {
        visitor.framedBy = found && frame?.isPreview ? ["'self'"] : (found?.sites ?? []);
        return found;
      });
      return framing;
    },
    framedBy: [],
    device: deviceOf(request.headers.get('User-Agent')),
    // Only a program has a key, and no page can make a browser send one.
    isCrossSite: key === null && isCrossSiteWrite(request),
    isLimited: false,
    async limitReads() {
      // Counted once for each request, however many loaders ask.
      allowance ??= limits.read(edge.address);
      visitor.isLimited = !(await allowance);
      if (visitor.isLimited) throw new DomainError('too_many', msg`Too many pages at once. Please wait a minute.`, 60);
    },
    async limitWrites() {
      if (isDiskFull) throw new StorageUnavailable('nothing is written for want of room');
      if (key !== null) await visitor.limitReads();
      if (await limits.write(actor?.accountId ?? edge.address)) return;
      throw new DomainError('too_many', msg`Too many tries. Please wait a minute and try again.`, 60);
    },
  };
  return visitor;
}
