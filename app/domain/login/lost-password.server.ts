import { msg } from '@lingui/core/macro';
import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { accounts, recoveryCodes, sessions } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { literal, readState } from '../../../db/states';
import { invalid } from '../errors';
import { addressAsSent } from '../input/fields';
import { fold } from '../input/fold';
import type { Links } from '../links.server';
import { hashOfAddress } from '../mail/addresses.server';
import type { Written } from '../one-time-keys.server';
import { passwordChange } from '../profile/accounts';
import type { Signatures } from '../signatures.server';
import { hour, type Instant, minute } from '../time/clock';
import { endFeeds } from './end-feeds.server';
import { endKeys } from './end-keys.server';
import { triesAtLinks, triesByName } from './login-tries.server';
import { type Passwords, stampOf } from './passwords.server';
import { hashOfRecoveryCode } from './recovery-codes.server';
import { tellOfNewPassword } from './safety.server';
import { type Origin, type RateLimit, tryWithin } from './throttles.server';
import { nameFault } from './weak-passwords';

// People replace a lost password by a link in a mail or by a recovery code. Neither way tells whether an account
// exists.

const linkLifetime = hour;

const mostLinks = 3;

export const lostLogin = z.object({ username: z.optional(z.string()), email: z.optional(z.string()) });

export const linkIsSent = msg`If there is such an account with a confirmed e-mail address, a mail with a link is on its way.`;

/**
 * Mails a link to each account with that name or confirmed address, at most three in a quarter of an hour. If there is
 * none, it looks and takes the same.
 * @throws DomainError too_many, invalid (neither was typed)
 */
export async function askForNewPassword(
  db: Db,
  { username = '', email = '' }: z.output<typeof lostLogin>,
  { now, origin, key }: Written & { origin: Origin },
): Promise<void> {
  const name = fold(username.trim());
  // What is no address is looked for all the same, so that it takes as long.
  const address = (addressAsSent(email) ?? email.trim()).toLowerCase();
  if (!name && !address) throw invalid('username', msg`Type your username or your e-mail address.`);
  const login = (name || address).slice(0, 300);
  const rateLimits: RateLimit[] = origin
    ? [
        { bucket: `lost:${login}`, limit: 10, window: 15 * minute },
        { bucket: `lost-from:${origin.address}`, limit: 100, window: 15 * minute },
      ]
    : [];
  const { count, isAllowed, refuse } = tryWithin(rateLimits, now);
  const isTheirs = name
    ? sql`username_folded = ${name}`
    : sql`email_hash = ${hashOfAddress(address)} AND lower(email) = ${address} AND username IS NOT NULL`;
  const { counted } = await db.run({
    counted: count,
    mails: orm.run(sql`INSERT INTO notices (kind, once, account_id, at, is_for_mail, email)
      SELECT 'reset-password', ${`${key}:`} || id, id, ${now}, 1, email
      FROM accounts WHERE ${isTheirs} AND email_confirmed_at IS NOT NULL
        AND (SELECT count(*) FROM messages AS earlier WHERE earlier.account_id = accounts.id AND earlier.is_read = ${literal(readState.read)}
          AND earlier.created_at > ${now - 15 * minute} AND earlier.kind = 'reset-password') < ${mostLinks}
        AND ${isAllowed}`),
  });
  refuse(counted);
}

/** A text that changes with the password and with the address. */
const sealOf = (passwordHash: string, email: string | null) => stampOf(`${passwordHash} ${email ?? ''}`);

/** A signed token for a link. It ends as soon as the password or the address changes. */
export const resetToken = (
  { sign }: Signatures,
  {
    readerId,
    passwordHash,
    to,
    message,
  }: { readerId: string; passwordHash: string | null; to: string; message: { at: Instant } },
) => sign('reset-password', `${readerId} ${message.at} ${sealOf(passwordHash ?? '', to)}`);

const spent = () =>
  invalid(
    'token',
    msg`This link was used already, is older than an hour, or was for an address that has changed. Please ask for a new one.`,
  );
const wrongCode = () => invalid('code', msg`That is not the username and one of its unused recovery codes.`);

const readToken = (signatures: Signatures, token: string) =>
  signatures.verify('reset-password', token)?.split(' ') ?? [];

export async function isGoodLink(db: Db, signatures: Signatures, token: string, now: Instant): Promise<boolean> {
  const [id = '', at = '', seal = ''] = readToken(signatures, token);
  // Without our signature we read nothing.
  if (id === '') return false;
  const [[account]] = await db.run(
    orm
      .select({
        passwordHash: accounts.passwordHash,
        email: accounts.email,
        emailConfirmedAt: accounts.emailConfirmedAt,
      })
      .from(accounts)
      .where(eq(accounts.id, id)),
  );
  return isSealed(account, { at, seal }, now);
}

type Sealed = { passwordHash: string | null; email: string | null; emailConfirmedAt: Instant | null };
const isSealed = (account: Sealed | undefined, { at, seal }: { at: string; seal: string }, now: Instant): boolean =>
  Boolean(account?.passwordHash) &&
  account?.emailConfirmedAt !== null &&
  sealOf(account?.passwordHash ?? '', account?.email ?? null) === seal &&
  now - Number(at) <= linkLifetime;

export const passwordReset = z.object({
  token: z.optional(z.string()),
  username: z.optional(z.string()),
  code: z.optional(z.string()),
  password: passwordChange.shape.newPassword,
  endFeeds: z.optional(z.boolean()),
  endKeys: z.optional(z.boolean()),
});

/**
 * Sets a new password; a link or code works once. Ends all sessions, and the feeds and keys on request.
 * @throws DomainError invalid (a used, old or wrong link or code, or the password is one of the account's names),
 * too_many
 */
export async function resetPassword(
  db: Db,
  passwords: Passwords,
  { signatures, links }: { signatures: Signatures; links: Links },
  input: z.output<typeof passwordReset>,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<void> {
  const { token, username = '', code = '', password, endFeeds: isEndingFeeds, endKeys: isEndingKeys } = input;
  const name = fold(username.trim());
  // People could guess a code, so it counts as a try. A link can't be guessed, because we signed it.
  const tries = token ? triesAtLinks(origin, now) : triesByName(name, origin, now);
  const [id = '', at = '', seal = ''] = token ? readToken(signatures, token) : [];
  const hash = hashOfRecoveryCode(links, code);
  const isTheirs = token ? eq(accounts.id, id) : eq(accounts.usernameFolded, name);
  const {
    account: [account],
    code: [unusedCode],
    counted,
  } = await db.run({
    account: orm
      .select({
        id: accounts.id,
        username: accounts.username,
        displayName: accounts.displayName,
        passwordHash: accounts.passwordHash,
        email: accounts.email,
        emailConfirmedAt: accounts.emailConfirmedAt,
      })
      .from(accounts)
      .where(isTheirs),
    code: orm
      .select({ codeHash: recoveryCodes.codeHash })
      .from(recoveryCodes)
      .where(
        and(
          eq(recoveryCodes.codeHash, hash),
          sql`${recoveryCodes.accountId} = (SELECT id FROM accounts WHERE username_folded = ${name})`,
        ),
      ),
    counted: tries.count,
  });
  tries.refuse(counted);
  const isGood = token ? isSealed(account, { at, seal }, now) : unusedCode !== undefined;
  if (!account?.passwordHash || !isGood) throw token ? spent() : wrongCode();
  const fault = nameFault(password, account);
  if (fault) throw invalid('password', fault);
  const passwordHash = await passwords.hash(password);
  const isUnchanged = and(
    eq(accounts.id, account.id),
    eq(accounts.passwordHash, account.passwordHash),
    token ? sql`${accounts.email} IS ${account.email} AND ${accounts.emailConfirmedAt} IS NOT NULL` : undefined,
  );
  const isUnused = token
    ? undefined
    : sql`EXISTS (SELECT 1 FROM recovery_codes WHERE account_id = ${account.id} AND code_hash = ${hash})`;
  const isDone = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${account.id} AND password_hash = ${passwordHash})`;
  const { changed } = await db.run({
    changed: orm
      .update(accounts)
      .set({ passwordHash })
      .where(and(isUnchanged, isUnused))
      .returning({ id: accounts.id }),
    spent: orm
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.accountId, account.id), eq(recoveryCodes.codeHash, hash), isDone)),
    ended: orm.delete(sessions).where(and(eq(sessions.accountId, account.id), isDone)),
    feeds: isEndingFeeds ? endFeeds(account.id, isDone) : undefined,
    keys: isEndingKeys ? endKeys(account.id, isDone) : undefined,
    notice: tellOfNewPassword(account.id, isDone, now),
    forgotten: tries.forget(counted),
  });
  if (changed.length === 0) throw token ? spent() : wrongCode();
}
