import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { accounts, sessions } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { DomainError } from '../errors';
import { given } from '../input/fields';
import { fold } from '../input/fold';
import type { Links } from '../links.server';
import type { Credentials } from './accounts';
import { type Account, type LoggedIn, loggedIn, selectAccount } from './accounts.server';
import { triesByAccount, triesByName } from './login-tries.server';
import { type Passwords, stampOf } from './passwords.server';
import { nothingToProve, proofBy, type StoredFactor, selectFactor } from './proofs.server';
import { type Opening, openSession } from './sessions.server';
import type { Origin } from './throttles.server';

/* Logging in: by a password, and where the account has a second factor by a code as well, at once or on a second step. */

/** What else is written in the step that opens the session, where `isOpen` holds. */
type Also = (account: Account, isOpen: SQL) => Promise<BatchItem<'sqlite'>[]>;
type Tries = ReturnType<typeof triesByName>;

/** The first step of a login: whose password was right, and which one that was. */
export type FirstStep = { accountId: string; stamp: string };

/** The password was right, and the account asks for a code as well. */
export class CodeNeeded extends DomainError {
  constructor(readonly step: FirstStep) {
    const message = 'A code is needed: the six digits that your authenticator app shows, or a recovery code.';
    super('unauthenticated', [{ field: 'code', message }]);
  }
}

/** What the second step takes. */
export const loginCode = z.object({ code: given('Code') });

const wrong = () => new DomainError('unauthenticated', 'Wrong username or password.');
const wrongCode = () =>
  new DomainError('unauthenticated', [
    { field: 'code', message: 'This code is wrong, or was used already. Wait for the next one.' },
  ]);

/**
 * Logs in by username (in any case) and password, and a code where the account asks for one; a password hashed at an older
 * cost is hashed anew.
 * @throws DomainError unauthenticated (a wrong name and a wrong password look and last the same), too_many; CodeNeeded
 */
export async function logIn(
  db: Db,
  passwords: Passwords,
  links: Links,
  { username, password, code }: Credentials,
  { now, origin, device }: Opening & { origin: Origin },
  also: Also = async () => [],
): Promise<LoggedIn> {
  const usernameFolded = fold(username);
  const tries = triesByName(usernameFolded, origin, now);
  const [[account], [factor], ...counted] = (await db.run(
    selectAccount().where(eq(accounts.usernameFolded, usernameFolded)),
    selectFactor(sql`(SELECT id FROM accounts WHERE username_folded = ${usernameFolded})`),
    ...tries.count,
  )) as [Account[], NonNullable<StoredFactor>[], ...unknown[]];
  tries.check(counted);
  const { right, outdated } = await passwords.verify(password, account?.passwordHash ?? null);
  if (!account?.passwordHash || !right) throw wrong();
  const passwordHash = outdated ? await passwords.hash(password) : account.passwordHash;
  const anew = outdated
    ? [
        orm
          .update(accounts)
          .set({ passwordHash })
          .where(and(eq(accounts.id, account.id), eq(accounts.passwordHash, account.passwordHash))),
      ]
    : [];
  if (factor?.seed && !code) {
    // The try stays counted: else each look at the password would give new guesses at the code.
    if (outdated) await db.run(...anew);
    throw new CodeNeeded({ accountId: account.id, stamp: stampOf(passwordHash) });
  }
  return enter(db, links, { account, factor, code, anew }, { now, device, also, tries, counted });
}

/**
 * Logs in by a code, after the first step. It is over where the password has changed since.
 * @throws DomainError unauthenticated, too_many
 */
export async function logInByCode(
  db: Db,
  links: Links,
  { step: { accountId, stamp }, code }: { step: FirstStep; code: string },
  { now, origin, device }: Opening & { origin: Origin },
  also: Also = async () => [],
): Promise<LoggedIn> {
  const tries = triesByAccount(accountId, origin, now);
  const [[account], [factor], ...counted] = (await db.run(
    selectAccount().where(eq(accounts.id, accountId)),
    selectFactor(sql`${accountId}`),
    ...tries.count,
  )) as [Account[], NonNullable<StoredFactor>[], ...unknown[]];
  tries.check(counted);
  if (!account?.passwordHash || stampOf(account.passwordHash) !== stamp) {
    throw new DomainError('unauthenticated', 'Your password has changed meanwhile. Please log in again.');
  }
  return enter(db, links, { account, factor, code, anew: [] }, { now, device, also, tries, counted });
}

/** Opens a session, if the password is still that of the account and the code holds, which is spent by that. */
async function enter(
  db: Db,
  links: Links,
  {
    account,
    factor,
    code = '',
    anew,
  }: { account: Account; factor: StoredFactor; code?: string; anew: BatchItem<'sqlite'>[] },
  { now, device, also, tries, counted }: Opening & { also: Also; tries: Tries; counted: unknown[] },
): Promise<LoggedIn> {
  const { seed = null, lastStep = 0 } = factor ?? {};
  const proof =
    seed === null ? nothingToProve(account.id) : proofBy(links, { accountId: account.id, seed, lastStep }, code, now);
  if (!proof) throw wrongCode();
  const isSame = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${account.id} AND password_hash = ${account.passwordHash})`;
  const session = openSession(account.id, { now, device }, sql`${isSame} AND ${proof.holds}`);
  const isOpen = sql`EXISTS (SELECT 1 FROM sessions WHERE id = ${session.id})`;
  const results = await db.run(
    session.insert,
    ...proof.spend(isOpen),
    ...anew,
    ...tries.forget(counted, isOpen),
    ...(await also(account, isOpen)),
    orm.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, session.id)),
  );
  // A recovery code that there is not, a code that somebody else has used just now, another password: nothing is opened.
  if ((results.at(-1) as unknown[]).length === 0) throw seed === null ? wrong() : wrongCode();
  return loggedIn(account, session.id);
}
