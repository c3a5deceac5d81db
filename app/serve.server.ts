import type { D1Database, ExecutionContext, RateLimit } from '@cloudflare/workers-types';
import { Db } from '../db/client';
import { newId } from '../db/columns';
import { RuleBroken, StatementFailed } from '../db/errors';
import type { Context } from './context';
import type { Passwords } from './domain/accounts/passwords.server';
import { extendSession, findViewer, isExtensionDue, type Viewer } from './domain/accounts/sessions.server';
import { DomainError } from './domain/errors';
import { carryHours } from './domain/hours/carrying.server';
import { forgetExpired } from './domain/housekeeping.server';
import { linksBy } from './domain/links.server';
import { remind } from './domain/messages/reminders.server';
import { signatures } from './domain/signatures.server';
import { isTimeZone } from './domain/time/clock';
import { readFrom } from './http/bookmark.server';
import { isCrossSiteWrite, isWrite } from './http/cross-site.server';
import { deviceOf } from './http/device.server';
import { end, type Kept } from './http/end.server';
import { failureOf } from './http/errors.server';
import { answer } from './http/framework/answer.server';
import type { handlersOf } from './http/framework/handlers.server';
import { addOutcome, noFigures } from './http/headers.server';
import { addressOf, dropPages, findInCache, findInMemory, keepPage, keptHeaders } from './http/kept-pages.server';
import { plainResponse } from './http/plain.server';
import { sessionCookies } from './http/session.server';

/** The platform's bindings, without those that worker.ts wires. */
export type Env = {
  DB: D1Database;
  WRITES: RateLimit;
  READS: RateLimit;
  SESSION_SECRETS: string;
  PASSWORD_PEPPER: string;
  /** For the local server only: D1 figures in Server-Timing, no rate limits. */
  TIMING?: string;
  RATE_LIMIT?: string;
  /** 'off': no line for each request. */
  LOG?: string;
  /** 'on': this server has no TLS, so requests without it are served. Unset where the product is deployed. */
  PLAIN_HTTP?: string;
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

/** Makes the context of a request. @param asked the database, where this request has asked it before */
async function contextOf(
  request: Request,
  id: string,
  { env, passwords, hasMail }: Serving,
  asked?: Db,
): Promise<Context> {
  const now = Date.now();
  const session = sessionCookies(request, env.SESSION_SECRETS);
  const { actor, bookmark } = await session.read();
  const db = asked ?? new Db(env.DB, readFrom(request, bookmark));
  const edge = new Edge(request);
  const isRateLimited = env.RATE_LIMIT !== 'off';
  let viewer: Promise<Viewer | null> | undefined;
  let reads: Promise<{ success: boolean }> | undefined;
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
    id,
    route: 'none',
    events: [],
    db,
    now,
    nonce: newId(),
    once: newId(),
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
    device: deviceOf(request.headers.get('User-Agent')),
    isRateLimited,
    isCrossSite: isCrossSiteWrite(request),
    hasActionData: false,
    keptFor: null,
    isRefused: false,
    pageHeaders: {},
    refusalHeaders: {},
    refusal: undefined,
    session,
    signatures: signatures(env.SESSION_SECRETS),
    // Of the secrets one that never changes: links are to be shown as long as they are good.
    links: linksBy(env.PASSWORD_PEPPER),
    cookies: [],
    isLimited: false,
    limitReads() {
      // Once, however many parts of a page ask.
      reads ??= isRateLimited ? env.READS.limit({ key: edge.address }) : Promise.resolve({ success: true });
      return reads.then(({ success }) => {
        context.isLimited = !success;
        if (!success) throw new DomainError('too_many', 'Too many pages at once. Please wait a minute.', 60);
      });
    },
    async limitWrites() {
      if (!isRateLimited || (await env.WRITES.limit({ key: actor?.accountId ?? edge.address })).success) return;
      throw new DomainError('too_many', 'Too many tries. Please wait a minute and try again.', 60);
    },
  };
  return context;
}

/** Extends a session in use to 30 days from now, at most once a day. The write happens after the response. */
async function extend(context: Context, after: ExecutionContext): Promise<void> {
  const { actor, standing, cookies, session, now } = context;
  if (!actor || !standing || cookies.length > 0 || !isExtensionDue(standing, now)) return;
  cookies.push(await session.keep(actor));
  after.waitUntil(extendSession(context.db, actor, now));
}

type Serving = {
  handlerFor: ReturnType<typeof handlersOf>;
  env: Env;
  passwords: Passwords;
  after: ExecutionContext;
  /** True where e-mail is set up. */
  hasMail: boolean;
  /** Of the build: pages of another one have other stylesheets. */
  version: string;
};

/** True where a copy of the database knew nothing of what was asked, or of the session: it may be as old as that. */
const isMissed = (request: Request, { status }: Response, { db, actor, standing, isLimited }: Context) =>
  !isLimited && db.isFromReplica && !isWrite(request) && (status === 404 || (actor !== null && standing === null));

/**
 * Keeps a page that was made for nobody in particular, and drops what is kept of the pages that a write has changed. Both
 * end after the response; what this isolate has changed it shows nobody from then on.
 */
async function keepOrDrop(
  response: Response,
  {
    request,
    address,
    context,
    after,
  }: { request: Request; address?: string; context: Context; after: ExecutionContext },
): Promise<Response> {
  const { db, keptFor, cookies, now } = context;
  if (db.changedPages.size > 0) after.waitUntil(dropPages(db.changedPages, new URL(request.url).origin, Date.now()));
  if (!address || !keptFor || response.status !== 200 || cookies.length > 0) return response;
  const body = await response.arrayBuffer();
  after.waitUntil(keepPage(address, { ...keptFor, body, madeAt: now }, Date.now()));
  return new Response(body, response);
}

/** How long the id of a request is: short enough to be read out, long enough to be the only one of its day. */
const idLength = 12;

/** Serves one request: makes its context, lets the framework answer it, and ends it. */
export async function serve(request: Request, serving: Serving): Promise<Response> {
  const { handlerFor, env, after } = serving;
  const began = Date.now();
  const id = newId().slice(0, idLength);
  let context: Context | undefined;
  const ended = (response: Response, kept?: Kept) =>
    end(response, { request, id, milliseconds: Date.now() - began, context, kept, isLogged: env.LOG !== 'off' });
  try {
    const plain = plainResponse(request, env);
    const zone = (request as { cf?: { timezone?: string } }).cf?.timezone;
    const address = plain ? undefined : addressOf(request, zone, serving.version);
    const page = address && (findInMemory(address, began) ?? (await findInCache(address, began)));
    if (page) {
      const headers = { 'Content-Type': 'text/html; charset=utf-8', ...(env.TIMING === 'on' && noFigures()) };
      return ended(new Response(page.body, { headers }), {
        route: '/with/:username',
        headers: keptHeaders(page, began),
      });
    }
    context = await contextOf(request, id, serving);
    // What many will see is not read from a copy of the database, which may be behind.
    if (address) context.db.beginAtPrimary();
    let response = plain ?? (await answer(request, handlerFor, context));
    if (isMissed(request, response, context)) {
      context.db.beginAtPrimary();
      context = await contextOf(request, id, serving, context.db);
      response = await answer(request, handlerFor, context);
    }
    await extend(context, after);
    response = await keepOrDrop(response, { request, address, context, after });
    await addOutcome(response, request, context, env.TIMING === 'on');
    return ended(response);
  } catch (error) {
    // The platform would show a stack trace.
    const { status, faults, headers } = failureOf(error, id);
    return ended(new Response(faults[0]?.message, { status, headers }));
  }
}

/** Runs once an hour: deletes what has expired, reminds people where nothing else does, and carries hours on. */
export async function tidyUp({ DB }: Pick<Env, 'DB'>): Promise<void> {
  const [db, now] = [new Db(DB, 'first-primary'), Date.now()];
  await forgetExpired(db, now);
  await remind(db, now);
  await carryHours(db, now);
}
