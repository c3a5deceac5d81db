import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { accounts, recoveryCodes, sessions, type throttles } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { invalid } from '../errors';
import { fold } from '../input/fold';
import type { Links } from '../links.server';
import { tellOfNewPassword } from '../messages/safety.server';
import type { Signatures } from '../signatures.server';
import { hour, type Instant, minute } from '../time/clock';
import { passwordChange } from './accounts';
import { triesAtLinks, triesByName } from './login-tries.server';
import { type Passwords, stampOf } from './passwords.server';
import { hashOfRecoveryCode } from './recovery-codes.server';
import { countTry, isWithin, type Origin, type RateLimit, refuseTooMany } from './throttles.server';
import { nameFault } from './weak-passwords';

/*
 * Two ways back for whoever has lost the password: a link by e-mail, and codes that were written down before. Nothing here
 * tells whether an account exists.
 */

type Counted = (typeof throttles.$inferSelect)[];

/** How long a link is good for, in milliseconds. */
const resettable = hour;

/** What asking for a link takes: the name, or the address. */
export const lostLogin = z.object({ username: z.optional(z.string()), email: z.optional(z.string()) });

/** What is said to whoever asks for a link, whoever it is. */
export const linkIsSent =
  'If there is such an account with a confirmed e-mail address, a mail with a link is on its way.';

/**
 * Writes a message with a link to each account of that name or confirmed address. It does the same work, and says the same,
 * whether there is one or not. One account is written to at most once in five minutes.
 * @throws DomainError too_many, invalid (neither was given)
 */
export async function askForNewPassword(
  db: Db,
  { username = '', email = '' }: z.output<typeof lostLogin>,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<void> {
  const name = fold(username.trim());
  const address = email.trim();
  if (!name && !address) throw invalid('username', 'Type your username or your e-mail address.');
  const who = (name || address.toLowerCase()).slice(0, 300);
  const rateLimits: RateLimit[] = origin
    ? [
        { bucket: `lost:${who}`, limit: 10, window: 15 * minute },
        { bucket: `lost-from:${origin.address}`, limit: 100, window: 15 * minute },
      ]
    : [];
  const isMeant = name
    ? sql`username_folded = ${name}`
    : sql`email IS NOT NULL AND lower(email) = lower(${address}) AND username IS NOT NULL`;
  const slot = Math.floor(now / (5 * minute));
  const counted = await db.run(
    ...rateLimits.map((rateLimit) => countTry(rateLimit, now)),
    orm.run(sql`INSERT INTO messages (id, account_id, kind, data, created_at, is_read, email, mail_state, due_at)
      SELECT ${`reset-password:${slot}:`} || id, id, 'reset-password', '{}', ${now}, 1, email, 'due', ${now}
      FROM accounts WHERE ${isMeant} AND email_confirmed_at IS NOT NULL
        AND ${sql.join([sql`true`, ...rateLimits.map(isWithin)], sql` AND `)}
      ON CONFLICT DO NOTHING`),
  );
  refuseTooMany(
    rateLimits,
    rateLimits.map((_, place) => (counted[place] as Counted)[0]),
    now,
  );
}

/**
 * The token of the link that sets a new password: which account, when it was asked, and with which password then, so that
 * the link is worthless once that has changed.
 */
export const resetToken = (
  { sign }: Signatures,
  { readerId, passwordHash, message }: { readerId: string; passwordHash: string | null; message: { at: Instant } },
) => sign('reset-password', `${readerId} ${message.at} ${stampOf(passwordHash ?? '')}`);

const spent = () =>
  invalid('token', 'This link was used already, is older than an hour, or is cut off. Please ask for a new one.');
const wrongCode = () => invalid('code', 'That is not the username and one of its unused recovery codes.');

/** What setting a new password takes: the token of a link, or a name and one of its codes. */
export const passwordReset = z.object({
  token: z.optional(z.string()),
  username: z.optional(z.string()),
  code: z.optional(z.string()),
  password: passwordChange.shape.newPassword,
});

/**
 * Sets a new password by a link or a recovery code, and ends all sessions. A link and a code are good once.
 * @throws DomainError invalid (spent, old or wrong; the password is a name of theirs), too_many
 */
export async function resetPassword(
  db: Db,
  passwords: Passwords,
  { signatures, links }: { signatures: Signatures; links: Links },
  input: z.output<typeof passwordReset>,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<void> {
  const { token, username = '', code = '', password } = input;
  const name = fold(username.trim());
  // A code is a guess at somebody's account, as a password is. A link is signed, so that guessing is nothing but work.
  const tries = token ? triesAtLinks(origin, now) : triesByName(name, origin, now);
  const [id = '', at = '', seal = ''] = token ? (signatures.verify('reset-password', token)?.split(' ') ?? []) : [];
  const hash = hashOfRecoveryCode(links, code);
  const isMeant = token ? eq(accounts.id, id) : eq(accounts.usernameFolded, name);
  const [[account], [known], ...counted] = await db.run(
    orm
      .select({
        id: accounts.id,
        username: accounts.username,
        displayName: accounts.displayName,
        passwordHash: accounts.passwordHash,
      })
      .from(accounts)
      .where(isMeant),
    orm
      .select({ codeHash: recoveryCodes.codeHash })
      .from(recoveryCodes)
      .where(
        and(
          eq(recoveryCodes.codeHash, hash),
          sql`${recoveryCodes.accountId} = (SELECT id FROM accounts WHERE username_folded = ${name})`,
        ),
      ),
    ...tries.count,
  );
  tries.check(counted);
  const isGood = token
    ? account?.passwordHash && stampOf(account.passwordHash) === seal && now - Number(at) <= resettable
    : known !== undefined;
  if (!account?.passwordHash || !isGood) throw token ? spent() : wrongCode();
  const fault = nameFault(password, account);
  if (fault) throw invalid('password', fault);
  const passwordHash = await passwords.hash(password);
  const isUnchanged = and(eq(accounts.id, account.id), eq(accounts.passwordHash, account.passwordHash));
  const isUnused = token
    ? undefined
    : sql`EXISTS (SELECT 1 FROM recovery_codes WHERE account_id = ${account.id} AND code_hash = ${hash})`;
  const isDone = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${account.id} AND password_hash = ${passwordHash})`;
  const [changed] = await db.run(
    orm.update(accounts).set({ passwordHash }).where(and(isUnchanged, isUnused)).returning({ id: accounts.id }),
    orm
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.accountId, account.id), eq(recoveryCodes.codeHash, hash), isDone)),
    orm.delete(sessions).where(and(eq(sessions.accountId, account.id), isDone)),
    tellOfNewPassword(account.id, isDone, now),
    ...tries.forget(counted),
  );
  if (changed.length === 0) throw token ? spent() : wrongCode();
}
