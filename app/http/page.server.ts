import { msg } from '@lingui/core/macro';
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  json,
  type LoaderFunctionArgs,
  redirect,
} from '@remix-run/cloudflare';
import {
  DomainError,
  type Fault,
  loginFields,
  notTaken,
  type Refusal,
  type Trouble,
  type WordedFault,
} from '../domain/errors';
import { parse } from '../domain/input/fields';
import { CodeNeeded } from '../domain/login/log-in.server';
import { credentials, type Shell } from '../domain/profile/accounts';
import { worded as wordedBy } from '../domain/words/worded';
import type { Words } from '../domain/words/words';
import { failureOf } from './errors.server';
import { fields, readForm, readTableForm, type Typed, withoutPasswords } from './form.server';
import { type Access, type Authorized, guarded } from './guards.server';
import { authenticate } from './login.server';
import { notLoggedInPath } from './return-to.server';
import { openedBy, shellOf } from './shell.server';

type Visit = { request: Request; url: URL; params: Record<string, string | undefined> };

const visitOf = ({ request, params }: LoaderFunctionArgs): Visit => ({ request, params, url: new URL(request.url) });

type ErrorReport = Omit<Trouble, 'title' | 'message'> & {
  status: number;
  title?: Words;
  message?: Words;
  headers?: Record<string, string>;
};

/** The faults of a refusal in the reader's language. */
const wordedFaults = ({ i18n }: Pick<AppLoadContext, 'i18n'>, faults: Fault[]): WordedFault[] =>
  faults.map(({ field, message }) => ({ field, message: wordedBy(i18n, message) }));

function reportOf(error: unknown, context: AppLoadContext) {
  const { status, faults, headers } = failureOf(error, context.id);
  const messages = wordedFaults(context, faults).map(({ message }) => message);
  return { status, headers, message: messages.join(' ') };
}

/** An error page with the reader's menu, for a loader to throw. */
async function errorPage(
  context: AppLoadContext,
  { status, headers = {}, title, message, unsaved }: ErrorReport,
): Promise<Response> {
  // A file's route has no screen for the client script to start.
  const isStatic = context.refusal === undefined ? undefined : true;
  context.refusalHeaders = headers;
  const worded = (words?: Words) => (words === undefined ? undefined : wordedBy(context.i18n, words));
  const trouble: Trouble = { title: worded(title), message: worded(message), unsaved };
  return json({ ...trouble, isStatic, shell: await shellOf(context) }, { status });
}

const isNotLoggedIn = (error: unknown) => error instanceof DomainError && error.code === 'unauthenticated';

const fromElsewhere: ErrorReport = {
  status: 403,
  title: msg`Sent from elsewhere`,
  message: msg`A page of another site sent this form, so nothing was done. Please use the form here.`,
};

const fromAnother: ErrorReport = {
  status: 403,
  message: msg`Someone else opened this form, before you logged in. So nothing was done.`,
};

function takeLogin(typed: Typed): Typed | undefined {
  const { [loginFields.username]: username, [loginFields.password]: password, [loginFields.code]: code } = typed;
  for (const name of Object.values(loginFields)) delete typed[name];
  return username && password && { username, password, ...(code && { code }) };
}

/** Logs in with the login that a form sends along. @throws DomainError as authenticate */
async function logInWith(login: Typed, context: AppLoadContext): Promise<void> {
  const { actor } = await authenticate(context, { credentials: parse(credentials, fields(login)), join: false });
  context.switchTo(actor);
}

const unsavedFormOf = (typed: Typed, { url }: Visit) => ({
  action: url.pathname + url.search,
  typed: withoutPasswords(typed),
  passwords: Object.keys(typed).filter((name) => /password/i.test(name)),
});

/** Makes the loader of a screen. It sends strangers to /not-logged-in, which leads them back after the login. */
export function pageLoader<Who extends Access, Data extends object>(
  access: Who,
  show: (authorized: Authorized<Who>, visit: Visit) => Promise<Data>,
) {
  return async (args: LoaderFunctionArgs): Promise<Data & { shell: Shell }> => {
    const { context, request } = args;
    const visit = visitOf(args);
    if (context.isCrossSite) throw await errorPage(context, fromElsewhere);
    try {
      await context.limitReads();
    } catch (error) {
      throw await errorPage(context, reportOf(error, context));
    }
    const [shell, data] = await Promise.allSettled([
      shellOf(context),
      guarded(context, access, (authorized) => show(authorized, visit)),
    ]);
    if (data.status === 'rejected') {
      const error: unknown = data.reason;
      if (error instanceof Response) throw error;
      if (isNotLoggedIn(error)) throw redirect(notLoggedInPath(request));
      throw await errorPage(context, reportOf(error, context));
    }
    if (shell.status === 'rejected') throw shell.reason;
    const { refusalCode, book } = context;
    const isRefused = refusalCode !== null;
    return { ...data.value, shell: { ...shell.value, ...(isRefused && { isRefused }), ...(book && { book }) } };
  };
}

/** Makes the loader of a file. If it refuses, it shows a page, because a person reads that. */
export function fileLoader<Who extends Access>(
  access: Who,
  make: (authorized: Authorized<Who>, visit: Visit) => Promise<Response>,
) {
  return async (args: LoaderFunctionArgs): Promise<Response> => {
    const { context, request } = args;
    try {
      await context.limitReads();
    } catch (error) {
      context.refusal = error;
      return new Response(null);
    }
    // If there is an error page, it shows the menu, so we read the viewer in the same round trip.
    const [, file] = await Promise.allSettled([
      context.viewer(),
      guarded(context, access, (authorized) => make(authorized, visitOf(args))),
    ]);
    if (file.status === 'fulfilled') return file.value;
    if (isNotLoggedIn(file.reason)) throw redirect(notLoggedInPath(request));
    context.refusal = file.reason;
    return new Response(null);
  };
}

/**
 * Makes the action of a screen. A refused form comes back with everything that was typed. If the database is down or
 * the login has ended, an error page offers to send the form again. A form that somebody else opened in this browser
 * does nothing.
 * @param alsoShown reads data that the screen needs to show the form again
 * @param hasTable whoever may see the screen sends a file with a table, see readTableForm
 */
export function formAction<Who extends Access, Done, Also extends object = object>(
  access: Who,
  act: (authorized: Authorized<Who>, typed: Typed, visit: Visit) => Promise<Done>,
  alsoShown: (typed: Typed, refusal: DomainError) => Also = () => ({}) as Also,
  hasTable = false,
) {
  return async (args: ActionFunctionArgs) => {
    const { request, context } = args;
    const visit = visitOf(args);
    if (request.method !== 'POST') {
      throw await errorPage(context, { ...reportOf(notTaken(), context), headers: { Allow: 'GET, POST' } });
    }
    const isKnown = context.actor !== null || (await context.session.device()) !== null;
    const typed = await (hasTable && context.actor?.role === access
      ? readTableForm(request)
      : readForm(request, isKnown));
    if (typed === 400 || typed === 413) throw await errorPage(context, { status: typed });
    const opener = openedBy(typed.once?.[0]);
    let login = access === 'anyone' ? undefined : takeLogin(typed);
    try {
      await context.limitWrites();
      if (login) await logInWith(login, context);
      login = undefined;
      if (access !== 'anyone' && opener && context.actor && !context.actor.accountId.startsWith(opener)) {
        throw await errorPage(context, fromAnother);
      }
      return await guarded(context, access, (authorized) => act(authorized, typed, visit));
    } catch (error) {
      if (error instanceof Response) throw error;
      const isLoggedOut = access !== 'anyone' && isNotLoggedIn(error);
      if (isLoggedOut && !login && !opener && !context.actor) throw redirect(notLoggedInPath(request), 303);
      const report = reportOf(error, context);
      if (error instanceof DomainError && !login && !isLoggedOut) {
        if (!isForForm(error, access)) throw await errorPage(context, report);
        context.refusalHeaders = report.headers;
        context.refusalCode = error.code;
        const refusal: Refusal = { faults: wordedFaults(context, error.faults), typed: withoutPasswords(typed) };
        return json({ ...refusal, ...alsoShown(typed, error) }, { status: report.status });
      }
      const username = login?.username?.[0] ?? '';
      const needsCode = login?.code !== undefined || error instanceof CodeNeeded;
      const neededLogin = isLoggedOut || login ? { username, wrong: login && report.message, needsCode } : undefined;
      throw await errorPage(context, { ...report, unsaved: { ...unsavedFormOf(typed, visit), login: neededLogin } });
    }
  };
}

/** True if the form comes back with the fault; else a page of its own says what is wrong. */
function isForForm({ code, faults }: DomainError, access: Access): boolean {
  if (code === 'unauthenticated') return access === 'anyone';
  if (faults.some(({ field }) => field !== null)) return true;
  return code !== 'not_found' && code !== 'forbidden';
}
