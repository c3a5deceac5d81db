import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare';
import { DomainError, type Refusal, type Trouble } from '../domain/errors';
import { failureOf } from './errors.server';
import { readForm, type Typed, withoutPasswords } from './form.server';
import { type Access, type Asked, guarded } from './guards.server';
import { notLoggedInPath } from './return-to.server';

/** What a screen is asked with, beside the request's context. */
type Visit = { request: Request; url: URL; params: Record<string, string | undefined> };

const visitOf = ({ request, params }: LoaderFunctionArgs): Visit => ({ request, params, url: new URL(request.url) });

/** The error page's answer. Thrown, so that the one ErrorBoundary shows it inside the shell. */
function trouble(error: unknown, kept?: Trouble['kept']): Response {
  const { status, faults, headers } = failureOf(error);
  const message = faults.map((fault) => fault.message).join(' ');
  return json({ message, kept } satisfies Trouble, { status, headers });
}

const isNotLoggedIn = (error: unknown) => error instanceof DomainError && error.code === 'unauthenticated';

/** A screen's loader: who may see it, and what it shows. A stranger is sent to /not-logged-in, which knows the way back. */
export function answerPage<Who extends Access, Shown>(
  who: Who,
  show: (asked: Asked<Who>, visit: Visit) => Promise<Shown>,
) {
  return async (args: LoaderFunctionArgs): Promise<Shown> => {
    const visit = visitOf(args);
    if (args.context.trouble) throw args.context.trouble;
    try {
      return await guarded(args.context, who, (asked) => show(asked, visit));
    } catch (error) {
      if (error instanceof Response) throw error;
      if (isNotLoggedIn(error)) throw redirect(notLoggedInPath(args.request));
      throw trouble(error);
    }
  };
}

/**
 * A screen's action: who may send the form, and what it does. What the business refuses comes back to the form with
 * everything typed; what storage or a lost login refuses comes back as a page that can send it all again.
 */
export function answerForm<Who extends Access, Done>(
  who: Who,
  act: (asked: Asked<Who>, typed: Typed, visit: Visit) => Promise<Done>,
) {
  return async (args: ActionFunctionArgs) => {
    const { request, context } = args;
    const visit = visitOf(args);
    if (request.method !== 'POST') {
      throw json({ message: 'This page takes no such request.' }, { status: 405, headers: { Allow: 'GET, POST' } });
    }
    const typed = await readForm(request);
    try {
      await context.brake();
      return await guarded(context, who, (asked) => act(asked, typed, visit));
    } catch (error) {
      if (error instanceof Response) throw error;
      if (who !== 'anyone' && isNotLoggedIn(error) && !context.actor) throw redirect(notLoggedInPath(request), 303);
      if (error instanceof DomainError && isForForm(error, who)) {
        const { status, headers } = failureOf(error);
        return json({ faults: error.faults, typed: withoutPasswords(typed) } satisfies Refusal, { status, headers });
      }
      const passwords = Object.keys(typed).filter((name) => /password/i.test(name));
      const kept = { action: visit.url.pathname + visit.url.search, typed: withoutPasswords(typed), passwords };
      const isForGood = error instanceof DomainError && error.code !== 'unauthenticated';
      const answer = trouble(error, isForGood ? undefined : kept);
      // A document whose action throws is rendered without the shell's data; thrown by the screen's loader it has it.
      if (visit.url.searchParams.has('_data')) throw answer;
      context.trouble = answer.clone();
      return answer as never;
    }
  };
}

/** Refusals that the person can mend in the form itself: all that is said of a field, and most of the rest. */
function isForForm({ code, faults }: DomainError, who: Access): boolean {
  if (code === 'unauthenticated') return who === 'anyone';
  if (faults.some(({ field }) => field !== null)) return true;
  return code !== 'not_found' && code !== 'forbidden';
}
