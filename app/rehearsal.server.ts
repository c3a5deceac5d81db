import type { ServerBuild } from '@remix-run/cloudflare';
import { NoDb } from '../db/rehearsal';
import type { Context } from './context';
import type { Actor, Role } from './domain/accounts/accounts';
import { linksBy } from './domain/links.server';
import { signatures } from './domain/signatures.server';
import { listCalls } from './http/api.server';
import { answer } from './http/framework/answer.server';
import type { handlersOf } from './http/framework/handlers.server';
import { sessionCookies } from './http/session.server';
import { StandInRequest, StandInResponse } from './stand-ins';

/*
 * The first request of a fresh Worker compiles code, and builds statements and schemas: several times the work of a later one,
 * and on the free plan a request has 10 ms. What a Worker does before its first request is counted apart. So it rehearses
 * then: it answers each screen and each reading call once, to nobody, from a database that is not there.
 */

/** Some day. There is no clock before the first request. */
const someDay = Date.UTC(2026, 0, 1);
const nobody = 'rehearsal';
/** As long as an id or a key. */
const id = 'A'.repeat(22);

type Reader = Role | null;

function contextFor(request: Request, role: Reader): Context {
  const actor: Actor | null = role && { accountId: nobody, sessionId: nobody, role, timeZone: 'Europe/Lisbon' };
  const profile = { username: nobody, displayName: nobody, location: null, description: null, email: null };
  const standing = actor && { ...actor, ...profile, lastUsedAt: someDay, unread: 0 };
  return {
    id: nobody,
    route: 'none',
    events: [],
    db: new NoDb(),
    now: someDay,
    nonce: nobody,
    once: nobody,
    passwords: { hash: async () => nobody, verify: async () => ({ right: false, outdated: false }) },
    hasMail: false,
    actor,
    viewer: async () => standing,
    switchTo: () => {},
    standing,
    edge: { timeZone: null, address: nobody },
    device: null,
    isRateLimited: false,
    isCrossSite: false,
    hasActionData: false,
    keptFor: null,
    isRefused: false,
    pageHeaders: {},
    refusalHeaders: {},
    refusal: undefined,
    session: sessionCookies(request, nobody),
    signatures: signatures(nobody),
    links: linksBy(nobody),
    cookies: [],
    isLimited: false,
    limitReads: async () => {},
    limitWrites: async () => {},
  };
}

/** An address of each screen and file. */
const screens = ({ routes }: ServerBuild): string[] =>
  Object.values(routes).flatMap((route) => {
    if (!route || route.id === 'root') return [];
    const path = `/${route.path ?? ''}`;
    if (/^\/api\/|\*/.test(path)) return [];
    return [
      path
        .replace(/\/:\w+\?/, '')
        .replace(':feed', `${id}.ics`)
        .replace(/:\w+/g, id),
    ];
  });

/** An address of each call that reads. */
const calls = (): string[] =>
  listCalls().flatMap(({ calls }) =>
    calls
      // Health looks whether there is a database.
      .filter(({ method, path }) => method === 'GET' && path !== '/api/health')
      .map(({ path }) => `${path.replace('{id}', id)}?id=${id}&key=${id}&provider=${nobody}&username=${nobody}`),
  );

/** What was answered to whom. */
type Rehearsed = { path: string; reader: Reader; status: number };

/** Whoever is sent away has seen nothing of a screen. */
const isSentAway = ({ status }: Rehearsed) => status === 302 || status === 400 || status === 401 || status === 403;

/**
 * Answers each screen and call to the first reader who may have it, and home to each. Nothing may be under way meanwhile:
 * there is no real request and no real response until it has ended.
 */
export async function rehearse(build: ServerBuild, handlerFor: ReturnType<typeof handlersOf>): Promise<Rehearsed[]> {
  const { Request, Response } = globalThis;
  const done: Rehearsed[] = [];
  Object.assign(globalThis, { Request: StandInRequest, Response: StandInResponse });
  try {
    for (const path of [...screens(build), ...calls()]) {
      for (const reader of [null, 'Provider', 'Consumer'] as const) {
        const request = new StandInRequest(`https://rehearsal.invalid${path}`) as unknown as Request;
        const { status } = await answer(request, handlerFor, contextFor(request, reader));
        const one = { path, reader, status };
        done.push(one);
        if (path !== '/' && !isSentAway(one)) break;
      }
    }
  } catch (error) {
    // The first request will be slower, and no worse.
    console.warn({ message: 'rehearsal failed', cause: error instanceof Error ? error.stack : error });
  } finally {
    Object.assign(globalThis, { Request, Response });
  }
  return done;
}
