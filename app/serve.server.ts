import type { D1Database, ExecutionContext, RateLimit } from '@cloudflare/workers-types';
import type { RequestHandler } from '@remix-run/cloudflare';
import { Db } from '../db/client';
import { newId } from '../db/columns';
import { RuleBroken, StatementFailed } from '../db/errors';
import type { Context } from './context';
import type { Passwords } from './domain/accounts/passwords.server';
import { extendSession, findViewer, isExtensionDue, type Viewer } from './domain/accounts/sessions.server';
import { DomainError, notTaken } from './domain/errors';
import { carryHours } from './domain/hours/carrying.server';
import { forgetExpired } from './domain/housekeeping.server';
import { linksBy } from './domain/links.server';
import { remind } from './domain/messages/reminders.server';
import { signatures } from './domain/signatures.server';
import { isTimeZone } from './domain/time/clock';
import { drain } from './http/body.server';
import { isCrossSiteWrite, isWrite } from './http/cross-site.server';
import { failureOf } from './http/errors.server';
import { addHeaders } from './http/headers.server';
import { type SessionCookies, sessionCookies } from './http/session.server';

/** The platform's bindings, without those that worker.ts wires. */
export type Env = {
  DB: D1Database;
  WRITES: RateLimit;
  SESSION_SECRETS: string;
  PASSWORD_PEPPER: string;
  /** For the local server only: D1 figures in Server-Timing, no rate limits. */
  TIMING?: string;
  RATE_LIMIT?: string;
};

/** The address by which we count tries. For IPv6 that is the network of 64 bits: one subscriber has all of it. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

/** Lazy, because few responses need it. */
class Edge {
  constructor(private readonly request: Request) {}
  get timeZone() {
    const zone = (this.request as { cf?: { timezone?: string } }).cf?.timezone;
    return zone && isTimeZone(zone) ? zone : null;
  }
  get address() {
    return networkOf(this.request.headers.get('CF-Connecting-IP') ?? 'unknown');
  }
}

/** Makes the context of a request. */
async function contextOf(
  request: Request,
  { env, passwords, hasMail }: Serving,
  session: SessionCookies,
): Promise<Context> {
  const now = Date.now();
  const { actor, bookmark } = await session.read();
  const db = new Db(env.DB, isWrite(request) ? 'first-primary' : (bookmark ?? 'first-unconstrained'));
  const edge = new Edge(request);
  const isRateLimited = env.RATE_LIMIT !== 'off';
  let viewer: Promise<Viewer | null> | undefined;
  const readViewer = async () => {
    const { actor } = context;
    if (!actor) return null;
    try {
      return await findViewer(db, actor, now);
    } catch (error) {
      // The batch also held a statement that was refused, so the batch failed: read again.
      if (error instanceof RuleBroken || error instanceof StatementFailed) return findViewer(db, actor, now);
      throw error;
    }
  };
  const context: Context = {
    db,
    now,
    nonce: newId(),
    passwords,
    hasMail,
    actor,
    viewer() {
      viewer ??= readViewer().then((found) => {
        context.standing = found ?? null;
        return context.standing;
      });
      return viewer;
    },
    switchTo(newcomer) {
      context.actor = newcomer;
      context.standing = null;
      viewer = undefined;
    },
    standing: null,
    edge,
    isRateLimited,
    isCrossSite: isCrossSiteWrite(request),
    hasActionData: false,
    isRefused: false,
    pageHeaders: {},
    refusalHeaders: {},
    refusal: undefined,
    session,
    signatures: signatures(env.SESSION_SECRETS),
    // Of the secrets the one that never changes: links are to be shown as long as they are good.
    links: linksBy(env.PASSWORD_PEPPER),
    cookies: [],
    async limitWrites() {
      if (!isRateLimited || (await env.WRITES.limit({ key: actor?.accountId ?? edge.address })).success) return;
      throw new DomainError('too_many', 'Too many tries. Please wait a minute and try again.', 60);
    },
  };
  return context;
}

/**
 * Makes the request that the framework gets. It drops `Origin` (we check origins ourselves, and refuse in words that
 * people can read), the body of a read (the framework throws on it) and `_data` at an API call (the framework would
 * take it).
 */
function forwarded(request: Request, url: URL, isPageOnly: boolean): Request {
  const isCall = /^\/api\/+[^/]/i.test(url.pathname);
  const isRead = !isWrite(request);
  const isOurs = isCall && url.searchParams.has('_data');
  const isPlain = isRead && !request.body && !isOurs && !request.headers.has('Origin');
  if (isPlain) return request;
  if (isOurs) url.searchParams.delete('_data');
  const headers = new Headers(request.headers);
  headers.delete('Origin');
  // The framework throws on unknown methods. As PATCH they get the response of a method that nothing here takes.
  const method = /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(request.method) ? request.method : 'PATCH';
  if (isPageOnly && !isCall) return new Request(url, { headers });
  if (isRead) return new Request(url, { headers, method });
  const copy = new Request(request, { headers, method });
  return isOurs ? new Request(url, copy) : copy;
}

/** Extends a session in use to 30 days from now, at most once a day. The write happens after the response. */
async function extend(context: Context, after: ExecutionContext): Promise<void> {
  const { actor, standing, cookies, session, now } = context;
  if (!actor || !standing || cookies.length > 0 || !isExtensionDue(standing, now)) return;
  cookies.push(await session.keep(actor));
  after.waitUntil(extendSession(context.db, actor, now));
}

type Serving = {
  handlerFor: (pathname: string) => RequestHandler;
  env: Env;
  passwords: Passwords;
  after: ExecutionContext;
  /** True where e-mail is set up. */
  hasMail: boolean;
};

/** An address without a route: it gives the page for a missing page. */
const nowhere = '/-';

/** Serves one request: makes its context, lets the framework handle it, adds the headers that each response has. */
export async function serve(request: Request, serving: Serving): Promise<Response> {
  const { handlerFor, env, after } = serving;
  try {
    const context = await contextOf(request, serving, sessionCookies(request, env.SESSION_SECRETS));
    const url = new URL(request.url);
    const forwardedRequest = forwarded(request, url, context.isCrossSite);
    let response = await handlerFor(url.pathname)(forwardedRequest, context);
    // The framework refuses a form that a screen does not have, with a page that knows no reader. We show our own.
    const isOurs = response.headers.has('Allow') || 'Allow' in context.refusalHeaders;
    if (response.status === 405 && !isOurs) context.refusal = notTaken();
    if (context.refusal !== undefined) {
      // At '/' the root route alone would match, and it is empty.
      if (/^\/+$/.test(url.pathname)) url.pathname = nowhere;
      response = await handlerFor(nowhere)(forwarded(request, url, true), context);
    }
    await extend(context, after);
    await drain(forwardedRequest.body ?? request.body);
    return await addHeaders(response, request, context, env.TIMING === 'on');
  } catch (error) {
    // The platform would show a stack trace.
    const { status, faults, headers } = failureOf(error);
    return new Response(faults[0]?.message, { status, headers: { ...headers, 'Cache-Control': 'private, no-store' } });
  }
}

/** Runs once an hour: deletes what has expired, reminds people where nothing else does, and carries hours on. */
export async function tidyUp({ DB }: Pick<Env, 'DB'>): Promise<void> {
  const [db, now] = [new Db(DB, 'first-primary'), Date.now()];
  await forgetExpired(db, now);
  await remind(db, now);
  await carryHours(db, now);
}
