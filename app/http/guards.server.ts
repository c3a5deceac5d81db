import type { AppLoadContext } from '@remix-run/cloudflare';
import type { Context } from '../context';
import type { Actor, Role } from '../domain/accounts/accounts';
import { DomainError, notLoggedIn } from '../domain/errors';

/** Who may ask: anyone, anyone who is logged in, or one role. Nothing is open unless it says 'anyone'. */
export type Access = 'anyone' | 'member' | Role;

/** The context of a request after its guard. */
export type Authorized<Who extends Access> = Omit<Context, 'actor'> & {
  actor: Who extends 'anyone' ? Actor | null : Actor;
};

const wrongRole = (role: Role) =>
  new DomainError('forbidden', `This page is for ${role === 'Provider' ? 'providers' : 'consumers'}.`);

/**
 * Runs `work` if the actor may ask for it, in the same round trip as the check that their session stands. If it does
 * not stand, the result of `work` is thrown away; a write checks the session in its own statement.
 * @throws DomainError unauthenticated, forbidden; and any error of `work`, once the session is known to stand
 */
export async function guarded<Who extends Access, Result>(
  context: AppLoadContext,
  who: Who,
  work: (authorized: Authorized<Who>) => Promise<Result>,
): Promise<Result> {
  const { actor } = context;
  if (who === 'anyone') return work(context as Authorized<Who>);
  if (!actor) throw notLoggedIn();
  // Read the session first: the work may end this very session (log out everywhere).
  const standing = context.viewer();
  const isWrongRole = who !== 'member' && who !== actor.role;
  const done = isWrongRole ? Promise.reject(wrongRole(who)) : work(context as Authorized<Who>);
  const [viewer, result] = await Promise.allSettled([standing, done]);
  // Work that asks for a password may have opened a new session in place of the one that ended.
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
