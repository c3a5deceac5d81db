import { msg } from '@lingui/core/macro';
import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { invalid, notLoggedIn } from '../errors';
import { type Actor, credentials } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { triesByAccount } from './login-tries.server';
import type { Passwords } from './passwords.server';
import { selectOwner } from './sessions.server';
import type { Origin } from './throttles.server';

export const ownPassword = z.object({ password: credentials.shape.password });

/**
 * Checks the actor's own password, and counts that as a try.
 * @returns statements that undo the count, for the batch that needed the password
 * @throws DomainError invalid (it is wrong), unauthenticated, too_many
 */
export async function checkOwnPassword(
  db: Db,
  passwords: Passwords,
  actor: Actor,
  password: string,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<ReturnType<ReturnType<typeof triesByAccount>['forget']>> {
  const tries = triesByAccount(actor.accountId, origin, now);
  const {
    account: [account],
    owner: [owner],
    counted,
  } = await db.run({
    account: orm.select({ passwordHash: accounts.passwordHash }).from(accounts).where(eq(accounts.id, actor.accountId)),
    owner: selectOwner(actor, now),
    counted: tries.count,
  });
  if (!account || !owner?.isLoggedIn) throw notLoggedIn();
  tries.refuse(counted);
  if (!(await passwords.verify(password, account.passwordHash)).right) {
    throw invalid('password', msg`That is not your current password.`);
  }
  return tries.forget(counted);
}
