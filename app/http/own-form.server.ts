import type { AppLoadContext } from '@remix-run/cloudflare';
import { newId } from '../../db/columns';
import { onceOf, type Typed } from './form.server';

// A stranger may send a form again before the first response has brought them a session: they tap twice, or the network
// fails. The cookie that came with the form shows that the repeat is theirs, and nobody else's who has the form.

type FormContext = Pick<AppLoadContext, 'session' | 'links'>;

/** Gives a stranger's browser the cookie by which it gets its own session and links if it sends a form again. */
export async function knowBrowser({ session, cookies }: Pick<AppLoadContext, 'session' | 'cookies'>): Promise<void> {
  cookies.push(await session.setBrowser());
}

/**
 * The id of the session that this form opens in this browser, derived from both, whether or not there is such a session. Null for a
 * browser without cookies.
 */
export async function sessionOfForm({ session, links }: FormContext, form: string): Promise<string | null> {
  const browser = await session.browser();
  return browser && links.sessionIdOf(form, browser);
}

/**
 * A hash of all that was typed, with this browser's cookie. Without cookies it is the same for all browsers without cookies.
 */
export async function ownOnceOf({ session }: Pick<FormContext, 'session'>, typed: Typed): Promise<string> {
  const browser = await session.browser();
  return browser ? `${onceOf(typed)} ${browser}` : onceOf(typed);
}

/**
 * The id of the guest whom a stranger's form makes, another one if anything typed is changed; and that of their session, one for each
 * form and browser. Without cookies the session's is random: then a repeat leads to the guest's link, and opens no session.
 */
export async function guestOfForm(context: FormContext, typed: Typed, form: string) {
  const [once, sessionId] = await Promise.all([ownOnceOf(context, typed), sessionOfForm(context, form)]);
  return { id: context.links.repeatableIdOf(form, once), sessionId: sessionId ?? newId() };
}
