import type { AppLoadContext } from '@remix-run/cloudflare';
import { Authenticator } from 'remix-auth';
import { FormStrategy } from 'remix-auth-form';
import type { Actor } from '../domain/accounts/accounts';
import { credentials, isGuest } from '../domain/accounts/accounts';
import type { LoggedIn } from '../domain/accounts/accounts.server';
import { logInHere } from '../domain/accounts/joining.server';
import { parse } from '../domain/input/fields';
import type { Typed } from './form.server';

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

/**
 * Logs in by the login form. Each request makes its own Authenticator, because the strategy closes over the database.
 * A tick in `join` takes along what a guest has on this device.
 * @param typed the fields of the form; the strategy reads them from a request of its own
 * @throws DomainError as logIn does
 */
export async function authenticate(
  typed: Typed,
  context: Pick<AppLoadContext, 'db' | 'actor' | 'passwords' | 'now' | 'isRateLimited' | 'edge' | 'session'>,
): Promise<LoggedIn> {
  const authenticator = new Authenticator<LoggedIn>().use(
    new FormStrategy(async ({ form }) =>
      logInHere(context.db, context.passwords, parse(credentials, Object.fromEntries(form)), {
        now: context.now,
        origin: await originOf(context),
        guest: context.actor?.isGuest ? context.actor : null,
        join: form.has('join'),
      }),
    ),
    'form',
  );
  const body = new URLSearchParams(Object.entries(typed).map(([name, [value = '']]) => [name, value]));
  return authenticator.authenticate('form', new Request('http://login.invalid', { method: 'POST', body }));
}
