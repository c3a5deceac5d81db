import type { AppLoadContext } from '@remix-run/cloudflare';
import { Strategy } from 'remix-auth/strategy';
import { type Actor, isGuest } from '../domain/accounts/accounts';
import type { LoggedIn } from '../domain/accounts/accounts.server';
import { type Login, logInHere } from '../domain/accounts/joining.server';
import { CodeNeeded } from '../domain/accounts/logging-in.server';
import { DomainError } from '../domain/errors';

/** What the domain asks of where a login or registration comes from. */
export const originOf = async ({
  isRateLimited,
  edge,
  session,
}: Pick<AppLoadContext, 'isRateLimited' | 'edge' | 'session'>) =>
  isRateLimited ? { address: edge.address, device: await session.device() } : null;

/** The actor, where they are a guest whose session stands. */
export async function guestOf({ actor, viewer }: Pick<AppLoadContext, 'actor' | 'viewer'>): Promise<Actor | null> {
  const standing = actor?.isGuest && (await viewer());
  return standing && isGuest(standing) ? actor : null;
}

/** Adds the cookies of a session, and of a device on which someone has logged in, to the response. */
export async function keepSession(context: Pick<AppLoadContext, 'cookies' | 'session'>, actor: Actor): Promise<void> {
  const { session, cookies } = context;
  cookies.push(await session.keep(actor), await session.keepDevice(actor.accountId));
}

/** Gives the answer the cookie of a guest's session. */
export async function keepGuest({ session, cookies }: Pick<AppLoadContext, 'cookies' | 'session'>, actor: Actor) {
  cookies.push(await session.keep(actor));
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

/**
 * A way to log in, as remix-auth has them. This one gets what was sent already read and checked, because it comes from the
 * login screen, along with another form, or as the body of a call; so it reads no request.
 */
class PasswordStrategy extends Strategy<LoggedIn, Login> {
  name = 'password';

  constructor(
    { db, passwords, links, actor, now, device, ...context }: LoginContext,
    private readonly sent: Login,
  ) {
    super(async (login) =>
      logInHere(db, passwords, links, login, { now, device, origin: await originOf(context), replaced: actor }),
    );
  }

  override authenticate(): Promise<LoggedIn> {
    return this.verify(this.sent);
  }
}

/**
 * Logs in, and adds the cookies to the response: the one way in, for screens and calls.
 * @throws DomainError as logInHere does
 */
export async function authenticate(context: LoginContext, login: Login): Promise<LoggedIn> {
  try {
    const entered = await new PasswordStrategy(context, login).authenticate();
    await keepSession(context, entered.actor);
    return entered;
  } catch (error) {
    const isRefused = error instanceof DomainError && error.code === 'unauthenticated';
    if (isRefused && !(error instanceof CodeNeeded)) context.events.push('login failed');
    throw error;
  }
}
