import type { AppLoadContext } from '@remix-run/cloudflare';
import { Strategy } from 'remix-auth/strategy';
import { DomainError } from '../domain/errors';
import { CodeNeeded } from '../domain/login/log-in.server';
import { type Login, logInHere } from '../domain/people/join.server';
import { type Actor, isGuest } from '../domain/profile/accounts';
import type { LoggedIn } from '../domain/profile/accounts.server';
import type { Language } from '../domain/words/languages';

/** The network and device of a request, for rate limits; null without limits. */
export const originOf = async ({
  isRateLimited,
  edge,
  session,
}: Pick<AppLoadContext, 'isRateLimited' | 'edge' | 'session'>) =>
  isRateLimited ? { address: edge.address, device: await session.device() } : null;

/** The language in which this request is answered. */
export const languageOfReader = ({ i18n }: Pick<AppLoadContext, 'i18n'>) => i18n.locale as Language;

/** Where a stranger comes from, and what they read, also where nothing is limited. */
export const arrivalOf = ({ edge, i18n }: Pick<AppLoadContext, 'edge' | 'i18n'>) => ({
  edgeZone: edge.timeZone,
  lang: languageOfReader({ i18n }),
});

/** The same of a stranger who joins a waitlist, with their network. */
export const arrivalInLine = (context: Pick<AppLoadContext, 'edge' | 'i18n' | 'links'>) => ({
  ...arrivalOf(context),
  network: context.links.markOfNetwork(context.edge.address),
});

export async function guestOf({ actor, viewer }: Pick<AppLoadContext, 'actor' | 'viewer'>): Promise<Actor | null> {
  const reader = actor?.isGuest && (await viewer());
  return reader && isGuest(reader) ? actor : null;
}

export async function setSession(context: Pick<AppLoadContext, 'cookies' | 'session'>, actor: Actor): Promise<void> {
  const { session, cookies } = context;
  cookies.push(await session.set(actor), await session.setDevice(actor.accountId));
}

export async function setGuestSession({ session, cookies }: Pick<AppLoadContext, 'cookies' | 'session'>, actor: Actor) {
  cookies.push(await session.set(actor));
}

type LoginContext = Pick<
  AppLoadContext,
  | 'db'
  | 'actor'
  | 'passwords'
  | 'links'
  | 'now'
  | 'isRateLimited'
  | 'edge'
  | 'session'
  | 'cookies'
  | 'events'
  | 'device'
>;

// The interface of remix-auth. Screens, forms and calls read and check the login before.
class PasswordStrategy extends Strategy<LoggedIn, Login> {
  name = 'password';

  constructor(
    { db, passwords, links, actor, now, device, ...context }: LoginContext,
    private readonly login: Login,
  ) {
    super(async (credentials) =>
      logInHere(db, passwords, links, credentials, { now, device, origin: await originOf(context), replaced: actor }),
    );
  }

  override authenticate(): Promise<LoggedIn> {
    return this.verify(this.login);
  }
}

/** Logs somebody in. @throws DomainError as logInHere */
export async function authenticate(context: LoginContext, login: Login): Promise<LoggedIn> {
  try {
    const loggedIn = await new PasswordStrategy(context, login).authenticate();
    await setSession(context, loggedIn.actor);
    return loggedIn;
  } catch (error) {
    const isRefused = error instanceof DomainError && error.code === 'unauthenticated';
    if (isRefused && !(error instanceof CodeNeeded)) context.events.push('login failed');
    throw error;
  }
}
