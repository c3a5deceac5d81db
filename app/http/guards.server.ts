import { msg } from '@lingui/core/macro';
import type { AppLoadContext } from '@remix-run/cloudflare';
import { DomainError, notLoggedIn } from '../domain/errors';
import type { Actor, Role } from '../domain/profile/accounts';
import type { Context } from './context';

/** A member is anyone who is logged in. */
export type Access = 'anyone' | 'member' | Role;

export type Authorized<Who extends Access> = Omit<Context, 'actor'> & {
  actor: Who extends 'anyone' ? Actor | null : Actor;
};

const wrongRole = (role: Role) =>
  new DomainError(
    'forbidden',
    role === 'Provider' ? msg`This page is for providers.` : msg`This page is for consumers.`,
  );

/**
 * Runs `work` and checks the session in the same round trip. If the session has ended, it throws the result away.
 * @throws DomainError unauthenticated, forbidden; any error of `work`, if the session is open
 */
export async function guarded<Who extends Access, Result>(
  context: AppLoadContext,
  access: Who,
  work: (authorized: Authorized<Who>) => Promise<Result>,
): Promise<Result> {
  const { actor } = context;
  if (access === 'anyone') return work(context as Authorized<Who>);
  if (!actor) throw notLoggedIn();
  // Read the session first, because `work` may end it (log out everywhere).
  const session = context.viewer();
  const isWrongRole = access !== 'member' && access !== actor.role;
  const outcome = isWrongRole ? Promise.reject(wrongRole(access)) : work(context as Authorized<Who>);
  const [viewer, result] = await Promise.allSettled([session, outcome]);
  // `work` may have asked for the password and opened a new session.
  const isLoggedInAnew = result.status === 'fulfilled' && context.cookies.length > 0;
  if (viewer.status === 'fulfilled' && viewer.value === null && !isLoggedInAnew) {
    context.cookies.push(await context.session.drop());
    context.events.push('session check failed');
    throw notLoggedIn();
  }
  if (result.status === 'rejected') throw result.reason;
  if (viewer.status === 'rejected') throw viewer.reason;
  return result.value;
}
