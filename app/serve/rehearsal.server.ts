import type { ServerBuild } from '@remix-run/cloudflare';
import { NoDb } from '../../db/rehearsal';
import { linksBy } from '../domain/links.server';
import type { Actor, Role } from '../domain/profile/accounts';
import { sealsBy } from '../domain/seals.server';
import { signatures } from '../domain/signatures.server';
import { english } from '../domain/words/english';
import { listCalls } from '../http/api.server';
import { type Context, joined, newResponseParts } from '../http/context';
import type { handlersOf } from '../http/framework/handlers.server';
import { respond } from '../http/framework/respond.server';
import { logFault } from '../http/log.server';
import { sessionCookies } from '../http/session.server';
import { visitorOf } from '../http/visitor.server';
import { StandInRequest, StandInResponse } from './stand-ins';

// The first request in a new Worker takes several times the work of a later one: it compiles code, and builds
// statements and schemas. The free plan gives a request 10 ms of processor time, but does not count the start of the
// Worker. So at its start, a Worker renders each screen and answers each reading call once, for nobody and without a
// database.

// Any day, because before the first request there is no clock.
const someDay = Date.UTC(2026, 0, 1);
const nobody = 'rehearsal';
// As long as real ids and keys.
const id = 'A'.repeat(22);

type Reader = Role | null;

function contextFor(request: Request, role: Reader): Context {
  const actor: Actor | null = role && { accountId: nobody, sessionId: nobody, role, timeZone: 'Europe/Lisbon' };
  const profile = {
    username: nobody,
    displayName: nobody,
    location: null,
    description: null,
    address: null,
    phone: null,
    payBy: null,
    email: null,
  };
  const reader = actor && {
    ...actor,
    ...profile,
    lang: null,
    readIn: null,
    loggedInAt: someDay,
    lastUsedAt: someDay,
    unread: 0,
    isAtDesk: false,
  };
  const means = {
    db: new NoDb(),
    now: someDay,
    passwords: { hash: async () => nobody, verify: async () => ({ right: false, outdated: false }) },
    calendars: { read: async () => undefined },
    webhooks: { send: async () => undefined },
    allowsLoopback: false,
    signatures: signatures(nobody),
    links: linksBy(nobody),
    seals: sealsBy(nobody),
    wordsIn: async () => english,
    hasMail: false,
    isRateLimited: false,
    isLocal: false,
  };
  const visitor = visitorOf(request, {
    actor,
    // A new browser's id would be random, which nothing may be yet.
    session: { ...sessionCookies(request, nobody), browser: async () => id },
    readAccount: async () => reader,
    i18n: english,
    limits: { read: async () => true, write: async () => true },
  });
  return joined(means, visitor, newResponseParts({ id: nobody, nonce: nobody, once: nobody }));
}

// One address of each screen and file.
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

const calls = (): string[] =>
  listCalls().flatMap(({ calls }) =>
    calls
      // Health asks whether there is a database.
      .filter(({ method, path }) => method === 'GET' && path !== '/api/health')
      .map(({ path }) => `${path.replace('{id}', id)}?id=${id}&key=${id}&provider=${nobody}&username=${nobody}`),
  );

type Rendered = { path: string; reader: Reader; status: number };

// A redirect or an error shows nothing of the screen.
const showsNoScreen = ({ status }: Rendered) => status === 302 || status === 400 || status === 401 || status === 403;

// While this runs, nobody can make real requests and responses, so nothing else may run. Each screen and call is
// answered for the first kind of reader who may have it, the home page for all kinds.
export async function rehearse(build: ServerBuild, handlerFor: ReturnType<typeof handlersOf>): Promise<Rendered[]> {
  const { Request, Response } = globalThis;
  const rendered: Rendered[] = [];
  Object.assign(globalThis, { Request: StandInRequest, Response: StandInResponse });
  try {
    for (const path of [...screens(build), ...calls()]) {
      for (const reader of [null, 'Provider', 'Consumer'] as const) {
        const request = new StandInRequest(`https://rehearsal.invalid${path}`) as unknown as Request;
        const { status } = await respond(request, handlerFor, contextFor(request, reader));
        const screen = { path, reader, status };
        rendered.push(screen);
        if (path !== '/' && !showsNoScreen(screen)) break;
      }
    }
  } catch (error) {
    // Without the rehearsal, just the first request is slower.
    logFault({ message: 'rehearsal failed', cause: error instanceof Error ? error.stack : error }, 'warn');
  } finally {
    Object.assign(globalThis, { Request, Response });
  }
  return rendered;
}
