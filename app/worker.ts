import { DurableObject } from 'cloudflare:workers';
import type { D1Database, DurableObjectNamespace, ExecutionContext, RateLimit } from '@cloudflare/workers-types';
// @ts-expect-error the server build has no types
import * as build from '../build/server/index.js';
import { Db } from '../db/client';
import { newId } from '../db/columns';
import type { Context } from './context';
import { DomainError } from './domain/errors';
import { forgetExpired } from './domain/housekeeping.server';
import { hashPassword, type Passwords, verifyPassword } from './domain/passwords.server';
import { extendSession, findViewer, isExtensionDue, type Viewer } from './domain/sessions.server';
import { isCrossSiteWrite, isWrite } from './http/cross-site.server';
import { dress } from './http/headers.server';
import { type SessionCookies, sessionCookies } from './http/session.server';

export type Env = {
  DB: D1Database;
  HASHERS: DurableObjectNamespace<Hasher>;
  WRITES: RateLimit;
  SESSION_SECRETS: string;
  PASSWORD_PEPPER: string;
  /** Of the local server only: D1 figures in Server-Timing, no brakes. */
  TIMING?: string;
  RATE_LIMIT?: string;
};

/** How many objects share the hashing: one hash blocks its object for about 100 ms. */
const hashers = 8;

/** Hashes passwords away from the Worker, whose processor time per request is short. */
export class Hasher extends DurableObject<Env> {
  hash(password: string) {
    return hashPassword(password, this.env.PASSWORD_PEPPER);
  }
  verify(password: string, stored: string | null) {
    return verifyPassword(password, stored, this.env.PASSWORD_PEPPER);
  }
}

function passwordPool({ HASHERS }: Env): Passwords {
  const any = () => HASHERS.get(HASHERS.idFromName(String(Math.floor(Math.random() * hashers))));
  return {
    hash: async (password) => any().hash(password),
    verify: async (password, stored) => any().verify(password, stored),
  };
}

/** What the handler needs to know of a request before it runs. */
async function contextOf(request: Request, env: Env, session: SessionCookies): Promise<Context> {
  const now = Date.now();
  const [actor, bookmark] = await Promise.all([session.actor(), session.bookmark()]);
  const db = new Db(env.DB, isWrite(request) ? 'first-primary' : (bookmark ?? 'first-unconstrained'));
  const address = request.headers.get('CF-Connecting-IP') ?? 'unknown';
  const isBraked = env.RATE_LIMIT !== 'off';
  let viewer: Promise<Viewer | null> | undefined;
  const context: Context = {
    db,
    now,
    nonce: newId(),
    passwords: passwordPool(env),
    actor,
    viewer() {
      viewer ??= (async () => {
        context.standing = (actor && (await findViewer(db, actor, now))) ?? null;
        return context.standing;
      })();
      return viewer;
    },
    standing: null,
    edge: { timeZone: (request as { cf?: { timezone?: string } }).cf?.timezone ?? null, address },
    isBraked,
    isCrossSite: isCrossSiteWrite(request),
    isAnswered: false,
    session,
    cookies: [],
    async brake() {
      if (!isBraked || (await env.WRITES.limit({ key: actor?.accountId ?? address })).success) return;
      throw new DomainError('too_many', 'Too many tries. Please wait a minute and try again.', 60);
    },
  };
  return context;
}

/** The request as the framework may see it: its own checks of origin are done here, and readable. */
function forwarded(request: Request, isCrossSite: boolean): Request {
  const headers = new Headers(request.headers);
  headers.delete('Origin');
  headers.delete('X-Forwarded-Host');
  const isScreen = !new URL(request.url).pathname.startsWith('/api/');
  return isCrossSite && isScreen ? new Request(request.url, { headers }) : new Request(request, { headers });
}

/** A session in use lasts 30 days from its last use; the row is written after the answer, once a day at most. */
async function extend(context: Context, after: ExecutionContext): Promise<void> {
  const { actor, standing, cookies, session, now } = context;
  if (!actor || !standing || cookies.length > 0 || !isExtensionDue(standing, now)) return;
  cookies.push(await session.keep(actor));
  after.waitUntil(extendSession(context.db, actor, now));
}

export default {
  async fetch(request: Request, env: Env, after: ExecutionContext): Promise<Response> {
    const context = await contextOf(request, env, sessionCookies(request, env.SESSION_SECRETS));
    const handle = build.entry.module.createRequestHandler(build, 'production');
    const response: Response = await handle(forwarded(request, context.isCrossSite), context);
    await extend(context, after);
    return dress(response, request, context, env.TIMING === 'on');
  },

  /** Once an hour: forgets what has expired. */
  async scheduled(_: unknown, env: Env): Promise<void> {
    await forgetExpired(new Db(env.DB, 'first-primary'), Date.now());
  },
};
