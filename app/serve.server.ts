import type { D1Database, ExecutionContext, RateLimit } from '@cloudflare/workers-types';
import type { RequestHandler } from '@remix-run/cloudflare';
import { Db } from '../db/client';
import { newId } from '../db/columns';
import { RuleBroken } from '../db/errors';
import type { Context } from './context';
import type { Passwords } from './domain/accounts/passwords.server';
import { extendSession, findViewer, isExtensionDue, type Viewer } from './domain/accounts/sessions.server';
import { DomainError, notTaken } from './domain/errors';
import { forgetExpired } from './domain/housekeeping.server';
import { signatures } from './domain/signatures.server';
import { isTimeZone } from './domain/time/clock';
import { drain } from './http/body.server';
import { isCrossSiteWrite, isWrite } from './http/cross-site.server';
import { failureOf } from './http/errors.server';
import { addHeaders } from './http/headers.server';
import { type SessionCookies, sessionCookies } from './http/session.server';

/** What the platform gives the Worker, but for the hashing, which worker.ts wires. */
export type Env = {
  DB: D1Database;
  WRITES: RateLimit;
  SESSION_SECRETS: string;
  /** Of the local server only: D1 figures in Server-Timing, no rate limits. */
  TIMING?: string;
  RATE_LIMIT?: string;
};

/** An address as tries are counted by it: of IPv6 its network of 64 bits, all of which is one subscriber's. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}

/** Read when it is asked for: few answers need it. */
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

/** What the handler needs to know of a request before it runs. */
async function contextOf(request: Request, env: Env, passwords: Passwords, session: SessionCookies): Promise<Context> {
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
      // The write that it shared its batch with was refused, and the batch with it.
      if (error instanceof RuleBroken) return findViewer(db, actor, now);
      throw error;
    }
  };
  const context: Context = {
    db,
    now,
    nonce: newId(),
    passwords,
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
    refusalHeaders: {},
    refusal: undefined,
    session,
    signatures: signatures(env.SESSION_SECRETS),
    cookies: [],
    async limitWrites() {
      if (!isRateLimited || (await env.WRITES.limit({ key: actor?.accountId ?? edge.address })).success) return;
      throw new DomainError('too_many', 'Too many tries. Please wait a minute and try again.', 60);
    },
  };
  return context;
}

/**
 * The request as the framework gets it: without the header by which it would check origins itself (that is done here, by
 * isCrossSite, and refused in words that people can read), without the body of a read, on which it throws, and without
 * `_data` at a call, which it takes for its own.
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
  // Methods that HTTP does not know make the framework throw; as one that nothing here takes they are answered.
  const method = /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(request.method) ? request.method : 'PATCH';
  if (isPageOnly && !isCall) return new Request(url, { headers });
  if (isRead) return new Request(url, { headers, method });
  const copy = new Request(request, { headers, method });
  return isOurs ? new Request(url, copy) : copy;
}

/** A session in use lasts 30 days from its last use; the row is written after the answer, once a day at most. */
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
};

/** An address that no route has, so that the page for what is missing answers. */
const nowhere = '/-';

/** Answers one request: what the platform gave goes in as the context, what every answer carries is put on last. */
export async function serve(request: Request, { handlerFor, env, passwords, after }: Serving): Promise<Response> {
  try {
    const context = await contextOf(request, env, passwords, sessionCookies(request, env.SESSION_SECRETS));
    const url = new URL(request.url);
    const forwardedRequest = forwarded(request, url, context.isCrossSite);
    let response = await handlerFor(url.pathname)(forwardedRequest, context);
    // A screen without a form is refused by the framework, in a page that knows no reader.
    const isOurs = response.headers.has('Allow') || 'Allow' in context.refusalHeaders;
    if (response.status === 405 && !isOurs) context.refusal = notTaken();
    if (context.refusal !== undefined) {
      // The root alone would be the page of '/', and it is empty.
      if (/^\/+$/.test(url.pathname)) url.pathname = nowhere;
      response = await handlerFor(nowhere)(forwarded(request, url, true), context);
    }
    await extend(context, after);
    await drain(forwardedRequest.body ?? request.body);
    return await addHeaders(response, request, context, env.TIMING === 'on');
  } catch (error) {
    // Left to the platform it would be answered with a stack trace.
    const { status, faults, headers } = failureOf(error);
    return new Response(faults[0]?.message, { status, headers: { ...headers, 'Cache-Control': 'private, no-store' } });
  }
}

/** Once an hour: forgets what has expired. */
export async function tidyUp({ DB }: Pick<Env, 'DB'>): Promise<void> {
  await forgetExpired(new Db(DB, 'first-primary'), Date.now());
}
