import { and, eq, ne, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, sessions } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { invalid, notLoggedIn } from '../errors';
import { tellOfNewPassword } from '../messages/safety.server';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import type { Instant } from '../time/clock';
import type { Actor, PasswordChange } from './accounts';
import { type Account, type LoggedIn, loggedIn, logInAnew, selectAccount } from './accounts.server';
import { triesByAccount } from './login-tries.server';
import type { Passwords } from './passwords.server';
import { isLoggedIn, type Opening, openSession, selectOwner } from './sessions.server';
import type { Origin } from './throttles.server';
import { nameFault } from './weak-passwords';

/**
 * Sets a new password and ends every session of the account; the result is a new session for this device. The same change
 * sent twice, at once or after its session ended by it, has the same result each time.
 * @throws DomainError invalid (the old password is wrong, the new one is a name of theirs), unauthenticated (this session has ended, by another change of
 * the password too), too_many
 */
export async function changePassword(
  db: Db,
  passwords: Passwords,
  actor: Actor,
  { password, newPassword }: PasswordChange,
  { now, key, origin, device }: Written & Opening & { origin: Origin },
): Promise<LoggedIn> {
  const tries = triesByAccount(actor.accountId, origin, now);
  const once = oneTimeKey(actor.accountId, key, now);
  const [[account], [owner], [earlier], ...counted] = (await db.run(
    selectAccount().where(eq(accounts.id, actor.accountId)),
    selectOwner(actor, now),
    once.read(),
    ...tries.count,
  )) as [Account[], { isLoggedIn: number }[], { replay: unknown }[], ...unknown[]];
  tries.check(counted);
  const isHeld = async (held: Account) => (await passwords.verify(newPassword, held.passwordHash)).right;
  if (!account) throw notLoggedIn();
  if (!owner?.isLoggedIn) {
    // This very change has ended the session, and is sent again. Nothing else may try a password without a session.
    if (earlier?.replay === changeName && (await isHeld(account))) return logInAnew(db, account, { now, device });
    throw notLoggedIn();
  }
  const { right } = await passwords.verify(password, account.passwordHash);
  if (!right) throw invalid('password', 'That is not your current password.');
  const fault = nameFault(newPassword, account);
  if (fault) throw invalid('newPassword', fault);
  const passwordHash = await passwords.hash(newPassword);
  const changed = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${account.id} AND password_hash = ${passwordHash})`;
  const session = openSession(account.id, { now, device }, changed);
  const results = await db.run(
    orm
      .update(accounts)
      .set({ passwordHash })
      // Every change ends the session, so whoever still has theirs has read the password as it is.
      .where(and(eq(accounts.id, account.id), isLoggedIn(actor, now))),
    session.insert,
    orm.delete(sessions).where(and(eq(sessions.accountId, account.id), ne(sessions.id, session.id), changed)),
    once.claim(changed, sql`json_quote(${changeName})`),
    tellOfNewPassword(account.id, changed, now),
    ...tries.forget(counted),
    // Not what the UPDATE has hit: a batch whose response was lost is sent again.
    selectAccount().where(eq(accounts.id, account.id)),
  );
  const [held] = results.at(-1) as Account[];
  if (held?.passwordHash === passwordHash) return loggedIn(account, session.id);
  // Another change was faster, or the session was ended meanwhile.
  if (!held || !(await isHeld(held))) throw notLoggedIn();
  return logInAnew(db, held, { now, device });
}

/** The replay of a key that was used for such a change. */
const changeName = 'password changed';

/** Ends every session of the account, this one too. */
export async function logOutEverywhere(db: Db, actor: Actor, now: Instant): Promise<void> {
  await db.run(orm.delete(sessions).where(and(eq(sessions.accountId, actor.accountId), isLoggedIn(actor, now))));
}
