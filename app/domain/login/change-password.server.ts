import { msg } from '@lingui/core/macro';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, sessions } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { invalid, notLoggedIn } from '../errors';
import type { Links } from '../links.server';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import type { Actor, PasswordChange } from '../profile/accounts';
import { type Account, type LoggedIn, loggedIn, selectAccount } from '../profile/accounts.server';
import type { Instant } from '../time/clock';
import { endFeeds } from './end-feeds.server';
import { endKeys } from './end-keys.server';
import { logIn } from './log-in.server';
import { triesByAccount } from './login-tries.server';
import type { Passwords } from './passwords.server';
import { tellOfNewPassword } from './safety.server';
import { isLoggedIn, type Opening, openSession, selectOwner } from './sessions.server';
import type { Origin } from './throttles.server';
import { nameFault } from './weak-passwords';

async function logInAnew(db: Db, account: Account, opening: Opening): Promise<LoggedIn> {
  const { id, insert } = openSession(account.id, opening);
  await db.run(insert);
  return loggedIn(account, id);
}

/**
 * Changes the password and ends all of the account's sessions, and its feeds and keys on request. Opens a new session here, also
 * if the form is sent again.
 * @throws DomainError invalid (the old password is wrong, or the new one is one of the account's names),
 * unauthenticated, too_many
 */
export async function changePassword(
  db: Db,
  passwords: Passwords,
  links: Links,
  actor: Actor,
  { password, newPassword, endFeeds: isEndingFeeds, endKeys: isEndingKeys }: PasswordChange,
  { now, key, origin, device }: Written & Opening & { origin: Origin },
): Promise<LoggedIn> {
  const tries = triesByAccount(actor.accountId, origin, now);
  const once = oneTimeKey(actor.accountId, key, now);
  const {
    account: [account],
    owner: [owner],
    replay: [earlier],
    counted,
  } = await db.run({
    account: selectAccount().where(eq(accounts.id, actor.accountId)),
    owner: selectOwner(actor, now),
    replay: once.read(),
    counted: tries.count,
  });
  tries.refuse(counted);
  const isNewPasswordOf = async (account: Account) => (await passwords.verify(newPassword, account.passwordHash)).right;
  if (!account) throw notLoggedIn();
  if (!owner?.isLoggedIn) {
    // If this very form has ended the session, it may be sent again. Without a session, no other form may try a
    // password.
    if (earlier?.replay !== changeName || !account.username) throw notLoggedIn();
    return logIn(db, passwords, links, { username: account.username, password: newPassword }, { now, origin, device });
  }
  const { right } = await passwords.verify(password, account.passwordHash);
  if (!right) throw invalid('password', msg`That is not your current password.`);
  const fault = nameFault(newPassword, account);
  if (fault) throw invalid('newPassword', fault);
  const passwordHash = await passwords.hash(newPassword);
  const changed = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${account.id} AND password_hash = ${passwordHash})`;
  const session = openSession(account.id, { now, device }, changed);
  const {
    account: [stored],
  } = await db.run({
    changed: orm
      .update(accounts)
      .set({ passwordHash })
      // Each change of the password ends the session, so with an open session the password that we checked is still the
      // current one.
      .where(and(eq(accounts.id, account.id), isLoggedIn(actor, now))),
    session: session.insert,
    ended: orm.delete(sessions).where(and(eq(sessions.accountId, account.id), ne(sessions.id, session.id), changed)),
    feeds: isEndingFeeds ? endFeeds(account.id, changed) : undefined,
    keys: isEndingKeys ? endKeys(account.id, changed) : undefined,
    used: once.use(changed, sql`json_quote(${changeName})`),
    notice: tellOfNewPassword(account.id, changed, now),
    forgotten: tries.forget(counted),
    // We don't use the rows of the UPDATE, because a batch whose response was lost is sent again.
    account: selectAccount().where(eq(accounts.id, account.id)),
  });
  if (stored?.passwordHash === passwordHash) return loggedIn(account, session.id);
  if (!stored || !(await isNewPasswordOf(stored))) throw notLoggedIn();
  return logInAnew(db, stored, { now, device });
}

const changeName = 'password changed';

export async function logOutEverywhere(db: Db, actor: Actor, now: Instant): Promise<void> {
  await db.run(orm.delete(sessions).where(and(eq(sessions.accountId, actor.accountId), isLoggedIn(actor, now))));
}
