import { and, eq, ne, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, sessions } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { invalid, notLoggedIn } from '../errors';
import { type Instant, minute } from '../time/clock';
import type { Actor, PasswordChange } from './accounts';
import { type Account, countTries, type LoggedIn, loggedIn, logInAnew, selectAccount } from './accounts.server';
import type { Passwords } from './passwords.server';
import { isLoggedIn, openSession, selectOwner } from './sessions.server';
import type { Origin } from './throttles.server';

/**
 * Sets a new password and ends every session of the account; the answer is a new one for this device. Of the same change
 * sent twice at once each is answered so.
 * @throws DomainError invalid (the old password is wrong), unauthenticated (this session has ended, by another change of
 * the password too), too_many
 */
export async function changePassword(
  db: Db,
  passwords: Passwords,
  actor: Actor,
  { password, newPassword }: PasswordChange,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<LoggedIn> {
  if (origin) await countTries(db, [{ bucket: `password:${actor.accountId}`, limit: 10, window: 15 * minute }], now);
  const isHeld = async (held: Account) => (await passwords.verify(newPassword, held.passwordHash)).right;
  const [[account], [owner]] = await db.run(
    selectAccount().where(eq(accounts.id, actor.accountId)),
    selectOwner(actor, now),
  );
  if (!account) throw notLoggedIn();
  if (!owner?.isLoggedIn) {
    // Sent again, after this very change has ended the session that it came with.
    if (await isHeld(account)) return logInAnew(db, account, now);
    throw notLoggedIn();
  }
  const { right } = await passwords.verify(password, account.passwordHash);
  if (!right) throw invalid('password', 'That is not your current password.');
  const passwordHash = await passwords.hash(newPassword);
  const changed = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${account.id} AND password_hash = ${passwordHash})`;
  const session = openSession(account.id, now, changed);
  const [, , , [held]] = await db.run(
    orm
      .update(accounts)
      .set({ passwordHash })
      // Every change ends the session, so whoever still has theirs has read the password as it is.
      .where(and(eq(accounts.id, account.id), isLoggedIn(actor, now))),
    session.insert,
    orm.delete(sessions).where(and(eq(sessions.accountId, account.id), ne(sessions.id, session.id), changed)),
    // Not what the UPDATE has hit: a batch whose answer was lost is sent again.
    selectAccount().where(eq(accounts.id, account.id)),
  );
  if (held?.passwordHash === passwordHash) return loggedIn(account, session.id);
  // Another change was faster, or the session was ended meanwhile.
  if (!held || !(await isHeld(held))) throw notLoggedIn();
  return logInAnew(db, held, now);
}

/** Ends every session of the account, this one too. */
export async function logOutEverywhere(db: Db, actor: Actor, now: Instant): Promise<void> {
  await db.run(orm.delete(sessions).where(and(eq(sessions.accountId, actor.accountId), isLoggedIn(actor, now))));
}
