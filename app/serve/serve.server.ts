import type { D1Database, ExecutionContext, RateLimit } from '@cloudflare/workers-types';
import { msg } from '@lingui/core/macro';
import { ChangedPages } from '../../db/changed-pages';
import { Db } from '../../db/client';
import { newId } from '../../db/columns';
import { RuleBroken, StatementFailed } from '../../db/errors';
import { findFraming } from '../domain/calendar/framing.server';
import { carryHours } from '../domain/hours/carrying.server';
import { forgetExpired, setLimitsAgain } from '../domain/housekeeping.server';
import { linksBy } from '../domain/links.server';
import { findHolder, noteUse } from '../domain/login/keys.server';
import type { Passwords } from '../domain/login/passwords.server';
import { extendSession, findViewer, isExtensionDue } from '../domain/login/sessions.server';
import { askAgain } from '../domain/messages/mail-settings.server';
import { remind } from '../domain/messages/reminders.server';
import { type Actor, isGuest } from '../domain/profile/accounts';
import { noteReading, ownLanguage, storedLanguage } from '../domain/profile/accounts.server';
import { sealsBy } from '../domain/seals.server';
import { signatures } from '../domain/signatures.server';
import { inEnglish } from '../domain/words/english';
import type { Locale } from '../domain/words/languages';
import { sharedLocale } from '../domain/words/region';
import { readFrom } from '../http/bookmark.server';
import {
  addressOf,
  cachedRoute,
  cacheHeaders,
  cachePage,
  dropPages,
  findInCache,
  findInMemory,
  isCacheable,
} from '../http/cached-pages.server';
import { type Context, joined, newResponseParts } from '../http/context';
import { isWrite } from '../http/cross-site.server';
import { type Cached, end } from '../http/end.server';
import { failureOf } from '../http/errors.server';
import { type Frame, frameOf, redirectInFrame, withoutCookies } from '../http/framed.server';
import type { handlersOf } from '../http/framework/handlers.server';
import { respond } from '../http/framework/respond.server';
import { addOutcome, idleTiming, pageType } from '../http/headers.server';
import { keyOf } from '../http/key.server';
import { addressWithoutLanguage, languageCookie, localeOfRequest } from '../http/locale.server';
import { logFault } from '../http/log.server';
import { languageOfReader } from '../http/login.server';
import { plainResponse } from '../http/plain.server';
import { sessionCookies } from '../http/session.server';
import { type Limits, networkOfClient, visitorOf } from '../http/visitor.server';
import { type Files, i18nFor, wordsBy } from '../words/catalogs.server';

/** The platform's bindings, except those that worker.ts wires up. */
export type Env = {
  DB: D1Database;
  ASSETS: Files;
  WRITES: RateLimit;
  READS: RateLimit;
  SESSION_SECRETS: string;
  PASSWORD_PEPPER: string;
  /** 'on' adds D1's figures to Server-Timing. This and all that follow are set only by the local server. */
  TIMING?: string;
  RATE_LIMIT?: string;
  /** 'one': no other isolate uses this database, so pages need only be cached in memory. */
  ISOLATES?: string;
  ASK_LOOPBACK?: string; // 'on' allows other calendars and webhooks at addresses of this machine
  LOG?: string;
  PLAIN_HTTP?: string; // 'on': this server has no TLS
  DISK?: string; // 'full': the server refuses writes
};

const limitsBy = ({ READS, WRITES, RATE_LIMIT }: Env): Limits => ({
  read: async (key) => RATE_LIMIT === 'off' || (await READS.limit({ key })).success,
  write: async (key) => RATE_LIMIT === 'off' || (await WRITES.limit({ key })).success,
});

/** @param usedDb the database that this request has already used */
async function contextOf(
  request: Request,
  { id, locale, frame }: { id: string; locale: Locale; frame: Frame | null },
  { env, passwords, readCalendars, sendWebhookNow, hasMail }: Serving,
  usedDb?: Db,
): Promise<Context> {
  const now = Date.now();
  const session = sessionCookies(request, env.SESSION_SECRETS);
  const sentKey = keyOf(request);
  const cookies = sentKey ? { actor: null, bookmark: null } : await session.read();
  const db = usedDb ?? new Db(env.DB, readFrom(request, cookies.bookmark), new ChangedPages());
  const limits = limitsBy(env);
  // Counted before a key is looked for, so that guesses don't reach the database without end.
  const mayRead = sentKey ? await limits.read(networkOfClient(request)) : undefined;
  const holder = sentKey && mayRead ? await findHolder(db, sentKey, now) : undefined;
  const actor = holder?.actor ?? cookies.actor;
  const readAccount = async (reader: Actor) => {
    if (holder) return holder.viewer;
    try {
      return await findViewer(db, reader, now);
    } catch (error) {
      // If another statement of the same batch is refused, this one fails too.
      if (error instanceof RuleBroken || error instanceof StatementFailed) return findViewer(db, reader, now);
      throw error;
    }
  };
  const means = {
    db,
    now,
    passwords,
    calendars: { read: readCalendars },
    webhooks: { send: sendWebhookNow },
    allowsLoopback: env.ASK_LOOPBACK === 'on',
    signatures: signatures(env.SESSION_SECRETS),
    // Signed with the secret that never changes, so that links survive a rotation.
    links: linksBy(env.PASSWORD_PEPPER),
    seals: sealsBy(env.PASSWORD_PEPPER),
    wordsIn: wordsBy(env.ASSETS),
    hasMail,
    isRateLimited: env.RATE_LIMIT !== 'off',
    isLocal: env.PLAIN_HTTP === 'on',
  };
  const readFraming = ({ of }: Frame) => findFraming(db, means.links, of, now);
  const i18n = await i18nFor(actor?.lang ? localeOfRequest(request, actor.lang) : locale, env.ASSETS);
  const visitor = visitorOf(request, {
    actor,
    key: sentKey ? (holder?.scope ?? 'wrong') : null,
    session,
    readAccount,
    i18n,
    frame,
    readFraming,
    limits,
    mayRead,
    isDiskFull: env.DISK === 'full',
  });
  return joined(means, visitor, newResponseParts({ id, nonce: frame ? '' : newId(), once: newId() }));
}

/**
 * Extends an active session to 30 days from now, after the response and at most once a day. The cookie also learns the
 * account's language, if another device has changed it. Of a key, the day of its use is noted.
 */
async function renewSession(context: Context, after: ExecutionContext): Promise<void> {
  const { actor, reader, cookies, session, key, now } = context;
  if (!actor || !reader || cookies.length > 0) return;
  const isDue = isExtensionDue(reader, now);
  if (key) {
    if (isDue) after.waitUntil(noteUse(context.db, actor, now));
    return;
  }
  const { lang: _, ...rest } = actor;
  const own = actor.isGuest ? {} : ownLanguage(reader);
  if (!isDue && own.lang === actor.lang) return;
  cookies.push(await session.set({ ...rest, ...own }));
  if (isDue) after.waitUntil(extendSession(context.db, actor, now));
}

/**
 * Notes after the response in which language a page was read, if its reader has chosen none and read another one before. So their
 * mails have it, and no write waits for it.
 */
function noteLanguage(
  response: Response,
  { actor, reader, key, i18n, db, now }: Context,
  after: ExecutionContext,
): void {
  if (!actor || !reader || key || isGuest(reader) || actor.lang || reader.lang) return;
  if (response.headers.get('Content-Type') !== pageType) return;
  const language = languageOfReader({ i18n });
  if (storedLanguage(language) !== reader.readIn) after.waitUntil(noteReading(db, actor, language, now));
}

type Serving = {
  handlerFor: ReturnType<typeof handlersOf>;
  env: Env;
  passwords: Passwords;
  readCalendars: (providerId: string) => Promise<void>;
  sendWebhookNow: (providerId: string, id: string) => Promise<void>;
  after: ExecutionContext;
  hasMail: boolean;
  version: string; // another version has other stylesheets
};

/** True if a replica did not find the page or the session, so it may be behind. */
const mayBeStale = (request: Request, { status }: Response, { db, actor, reader, isLimited }: Context) =>
  !isLimited && db.isFromReplica && !isWrite(request) && (status === 404 || (actor !== null && reader === null));

/** After the response: caches a page that looks the same to everybody, or drops pages that a write has changed. */
async function cacheOrDrop(
  response: Response,
  {
    request,
    address,
    context,
    after,
    isAlone,
  }: { request: Request; address?: string; context: Context; after: ExecutionContext; isAlone: boolean },
): Promise<Response> {
  const { db, cachedFor, framedBy, cookies, now } = context;
  const changed = db.changedPages?.providerIds;
  for (const statement of db.changedPages?.nameless ?? [])
    logFault({ message: 'a statement changed a public page and did not name its provider', id: context.id, statement });
  if (changed && changed.size > 0)
    after.waitUntil(dropPages(changed, new URL(request.url).origin, Date.now(), isAlone));
  if (!address || !cachedFor || !isCacheable({ response, cachedFor, cookies })) return response;
  const body = await response.arrayBuffer();
  after.waitUntil(cachePage(address, { ...cachedFor, framedBy, body, madeAt: now }, Date.now(), isAlone));
  return new Response(body, response);
}

const brokenAddress = msg`The address of this request can’t be read.`;

// Short enough to read out, and long enough to be unique for a day.
const idLength = 12;

export async function serve(received: Request, serving: Serving): Promise<Response> {
  const { handlerFor, env, after } = serving;
  const began = Date.now();
  const id = newId().slice(0, idLength);
  const frame = frameOf(received);
  const request = frame ? withoutCookies(received) : received;
  let context: Context | undefined;
  const endWith = (response: Response, cachedPage?: Cached) =>
    end(response, {
      request,
      id,
      milliseconds: Date.now() - began,
      context,
      cached: cachedPage,
      isLogged: env.LOG !== 'off',
    });
  try {
    const plain = plainResponse(request, env);
    const zone = (request as { cf?: { timezone?: string } }).cf?.timezone;
    const ownLocale = localeOfRequest(request);
    // In a frame nothing but the address remembers a language.
    const withoutLanguage = frame ? undefined : addressWithoutLanguage(request);
    const address =
      plain || withoutLanguage ? undefined : addressOf(request, { locale: ownLocale, zone }, serving.version);
    const locale = address ? sharedLocale(ownLocale) : ownLocale;
    const isAlone = env.ISOLATES === 'one';
    const page =
      address && (findInMemory(address, began, isAlone) ?? (isAlone ? undefined : await findInCache(address, began)));
    if (page) {
      const headers = { 'Content-Type': pageType, ...(env.TIMING === 'on' && idleTiming()) };
      return endWith(new Response(page.body, { headers }), {
        route: cachedRoute,
        headers: cacheHeaders(page, began),
        language: locale.tag,
        framedBy: page.framedBy,
      });
    }
    context = await contextOf(request, { id, locale, frame }, serving);
    // A page to be cached is read at the primary, because a replica may be behind; in a frame no cookie says how far.
    if (address || frame) context.db.beginAtPrimary();
    // An account's own language would count again there.
    const elsewhere =
      withoutLanguage && !context.actor?.lang
        ? new Response(null, { status: 303, headers: { Location: withoutLanguage } })
        : undefined;
    let response = plain ?? elsewhere ?? (await respond(request, handlerFor, context));
    if (mayBeStale(request, response, context)) {
      context.db.beginAtPrimary();
      context = await contextOf(request, { id, locale, frame }, serving, context.db);
      response = await respond(request, handlerFor, context);
    }
    await renewSession(context, after);
    noteLanguage(response, context, after);
    if (frame) redirectInFrame(response, frame);
    const language = languageCookie(request);
    if (language) context.cookies.push(language);
    // A program keeps no cookies, and a frame gets none.
    if (context.key || frame) context.cookies.length = 0;
    response = await cacheOrDrop(response, { request, address, context, after, isAlone });
    await addOutcome(response, request, context, env.TIMING === 'on');
    return endWith(response);
  } catch (error) {
    // A broken Host makes an address that nobody can read. Nothing of it is shown or logged.
    if (!URL.canParse(request.url)) return endWith(new Response(inEnglish(brokenAddress), { status: 400 }));
    // Otherwise the platform would show a stack trace.
    const { status, faults, headers } = failureOf(error, id);
    return endWith(new Response(inEnglish(faults[0]?.message ?? ''), { status, headers }));
  }
}

/** The hourly job. */
export async function tidyUp({ DB, PLAIN_HTTP }: Pick<Env, 'DB' | 'PLAIN_HTTP'>): Promise<void> {
  const [db, now] = [new Db(DB, 'first-primary'), Date.now()];
  await forgetExpired(db, now);
  // A local server sets its limits when it starts. On the edge, a restored backup of a local server may have lifted
  // them.
  if (PLAIN_HTTP !== 'on') await setLimitsAgain(db);
  await remind(db, now);
  await askAgain(db, now);
  await carryHours(db, now);
}
