import { msg } from '@lingui/core/macro';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { DomainError } from '../errors';
import { requiredText } from '../input/fields';
import { fold } from '../input/fold';
import type { Links } from '../links.server';
import type { Credentials } from '../profile/accounts';
import { type Account, type LoggedIn, loggedIn, selectAccount } from '../profile/accounts.server';
import { triesByAccount, triesByName } from './login-tries.server';
import { type Passwords, stampOf } from './passwords.server';
import { nothingToProve, proofOfCode, type StoredFactor, selectFactor } from './proofs.server';
import { type Opening, openSession } from './sessions.server';
import type { Counted, Origin } from './throttles.server';

/** More statements for the batch that opens the session. They take effect if `isOpen`. */
type ExtraStatements = (account: Account, isOpen: SQL) => Promise<BatchItem<'sqlite'>[]>;
type Tries = ReturnType<typeof triesByName>;

/** The account whose password was right, and the stamp of that password. */
export type FirstStep = { accountId: string; stamp: string };

export class CodeNeeded extends DomainError {
  constructor(readonly step: FirstStep) {
    const message = msg`A code is needed: the six digits that your authenticator app shows, or a recovery code.`;
    super('unauthenticated', [{ field: 'code', message }]);
  }
}

export const loginCode = z.object({ code: requiredText(msg`Code`) });

const wrongLogin = () => new DomainError('unauthenticated', msg`Wrong username or password.`);
const wrongCode = () =>
  new DomainError('unauthenticated', [
    { field: 'code', message: msg`This code is wrong, or was used already. Wait for the next one.` },
  ]);

/**
 * Logs in; upper and lower case don't matter in the username. An outdated hash is replaced. A wrong name and a wrong
 * password get the same response after the same time.
 * @throws DomainError unauthenticated, too_many; CodeNeeded
 */
export async function logIn(
  db: Db,
  passwords: Passwords,
  links: Links,
  { username, password, code }: Credentials,
  { now, origin, device }: Opening & { origin: Origin },
  extraStatements: ExtraStatements = async () => [],
): Promise<LoggedIn> {
  const usernameFolded = fold(username);
  const tries = triesByName(usernameFolded, origin, now);
  const {
    account: [account],
    factor: [factor],
    counted,
  } = await db.run({
    account: selectAccount().where(eq(accounts.usernameFolded, usernameFolded)),
    factor: selectFactor(sql`(SELECT id FROM accounts WHERE username_folded = ${usernameFolded})`),
    counted: tries.count,
  });
  tries.refuse(counted);
  const { right, outdated } = await passwords.verify(password, account?.passwordHash ?? null);
  if (!account?.passwordHash || !right) throw wrongLogin();
  const passwordHash = outdated ? await passwords.hash(password) : account.passwordHash;
  const rehash = outdated
    ? [
        orm
          .update(accounts)
          .set({ passwordHash })
          .where(and(eq(accounts.id, account.id), eq(accounts.passwordHash, account.passwordHash))),
      ]
    : [];
  if (factor?.seed && !code) {
    // The try stays counted. Otherwise each login with the right password would give new tries at the code.
    if (outdated) await db.run(...rehash);
    throw new CodeNeeded({ accountId: account.id, stamp: stampOf(passwordHash) });
  }
  return openWithProof(db, links, { account, factor, code, rehash }, { now, device, extraStatements, tries, counted });
}

/** Finishes a login with a code. @throws DomainError unauthenticated (also if the password has changed), too_many */
export async function logInByCode(
  db: Db,
  links: Links,
  { step: { accountId, stamp }, code }: { step: FirstStep; code: string },
  { now, origin, device }: Opening & { origin: Origin },
  extraStatements: ExtraStatements = async () => [],
): Promise<LoggedIn> {
  const tries = triesByAccount(accountId, origin, now);
  const {
    account: [account],
    factor: [factor],
    counted,
  } = await db.run({
    account: selectAccount().where(eq(accounts.id, accountId)),
    factor: selectFactor(sql`${accountId}`),
    counted: tries.count,
  });
  tries.refuse(counted);
  if (!account?.passwordHash || stampOf(account.passwordHash) !== stamp) {
    throw new DomainError('unauthenticated', msg`Your password has changed meanwhile. Please log in again.`);
  }
  return openWithProof(
    db,
    links,
    { account, factor, code, rehash: [] },
    { now, device, extraStatements, tries, counted },
  );
}

/** Opens a session if the password has not changed and the code is right, and uses up the code. */
async function openWithProof(
  db: Db,
  links: Links,
  {
    account,
    factor,
    code = '',
    rehash,
  }: { account: Account; factor: StoredFactor; code?: string; rehash: BatchItem<'sqlite'>[] },
  {
    now,
    device,
    extraStatements,
    tries,
    counted,
  }: Opening & { extraStatements: ExtraStatements; tries: Tries; counted: Counted[] },
): Promise<LoggedIn> {
  const { seed = null, lastStep = 0 } = factor ?? {};
  const proof =
    seed === null
      ? nothingToProve(account.id)
      : proofOfCode(links, { accountId: account.id, seed, lastStep }, code, now);
  if (!proof) throw wrongCode();
  const isSame = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${account.id} AND password_hash = ${account.passwordHash})`;
  const session = openSession(account.id, { now, device }, sql`${isSame} AND ${proof.holds}`);
  const { opened } = await db.run({
    session: session.insert,
    spent: proof.spend(session.isOpen),
    rehash,
    forgotten: tries.forget(counted, session.isOpen),
    extra: await extraStatements(account, session.isOpen),
    opened: session.read,
  });
  // Meanwhile the code was used or the password changed.
  if (opened.length === 0) throw seed === null ? wrongLogin() : wrongCode();
  return loggedIn(account, session.id);
}
