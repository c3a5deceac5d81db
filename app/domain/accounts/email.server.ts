import { and, eq, isNull, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict, DomainError, invalid, notLoggedIn } from '../errors';
import { email } from '../input/fields';
import { askWhoseAddress, dropMails, tellOfNewAddress } from '../messages/safety.server';
import type { Signatures } from '../signatures.server';
import { day, type Instant, minute } from '../time/clock';
import type { Actor } from './accounts';
import { triesByAccount } from './login-tries.server';
import type { Passwords } from './passwords.server';
import { isLoggedIn, selectOwner } from './sessions.server';
import { countTry, type Origin, refuseTooMany } from './throttles.server';

/** What a change of address takes: an address, or null where none is wanted any more. A guest has no password. */
export const emailChange = z.object({
  email: z.pipe(
    z.nullable(
      z.string('E-mail must be text.').check(z.refine((text) => text.trim() !== '', 'E-mail address is missing.')),
    ),
    email as z.ZodMiniType<string | null, string | null>,
  ),
  password: z.optional(z.string()),
});

/** How long a confirmation is good for, in milliseconds: a week. */
const confirmable = 7 * day;
/** How often an account may ask for a confirmation: each is a mail to somebody. */
const most = { limit: 10, window: 60 * minute };

/**
 * Sets the actor's address and asks there whether it is theirs; until that is confirmed it gets nothing else. Null takes the
 * address away, with the mails that wait for it. The old address, if it was confirmed, is told.
 * @returns false where the address is theirs already: then no mail is sent
 * @throws DomainError invalid (the address, the password), too_many, unauthenticated
 */
export async function setEmail(
  db: Db,
  passwords: Passwords,
  actor: Actor,
  change: z.output<typeof emailChange>,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<boolean> {
  const { email } = change;
  const mails = { bucket: `email:${actor.accountId}`, ...most };
  const isHere = isLoggedIn(actor, now);
  const tries = triesByAccount(actor.accountId, actor.isGuest ? null : origin, now);
  const [[owner], [account], mailed, ...counted] = await db.run(
    selectOwner(actor, now),
    orm
      .select({ passwordHash: accounts.passwordHash, email: accounts.email, confirmedAt: accounts.emailConfirmedAt })
      .from(accounts)
      .where(eq(accounts.id, actor.accountId)),
    countTry(mails, now, origin ? isHere : sql`false`),
    ...tries.count,
  );
  if (!owner?.isLoggedIn || !account) throw notLoggedIn();
  refuseTooMany([mails], mailed, now);
  if (account.passwordHash !== null) {
    tries.check(counted);
    const { right } = await passwords.verify(change.password ?? '', account.passwordHash);
    if (!right) throw invalid('password', 'That is not your current password.');
  }
  if (account.email === email && (email === null || account.confirmedAt !== null)) return false;
  const confirmed = account.confirmedAt === null ? null : account.email;
  const results = await db.run(
    ...tries.forget(counted),
    ...(email === null ? [dropMails(actor.accountId, isHere)] : []),
    ...(account.email === email ? [] : [tellOfNewAddress(actor.accountId, confirmed, isHere, now)]),
    orm
      .update(accounts)
      .set({ email, emailConfirmedAt: null })
      .where(and(eq(accounts.id, actor.accountId), isHere)),
    askWhoseAddress(actor.accountId, isHere, now),
    selectOwner(actor, now),
  );
  const [still] = results.at(-1) as (typeof owner)[];
  if (!still?.isLoggedIn) throw notLoggedIn();
  return true;
}

/** The token of the link that confirms an address: which account, which address, and when it was asked. */
export const confirmationToken = (
  { sign }: Signatures,
  { readerId, to, message }: { readerId: string; to: string; message: { at: Instant } },
) => sign('confirm-email', `${readerId} ${message.at} ${to}`);

/** What a confirmation link is about. @throws DomainError not_found (not ours), conflict (too old) */
export function readConfirmation(
  { verify }: Signatures,
  token: string,
  now: Instant,
): { accountId: string; email: string } {
  const [accountId, at, email] = verify('confirm-email', token)?.split(' ') ?? [];
  if (!accountId || !at || !email)
    throw new DomainError('not_found', 'There is no such link. Please open it as the mail has it.');
  if (now - Number(at) > confirmable) throw conflict('This link is too old. Please ask for a new one in your profile.');
  return { accountId, email };
}

/** Notes that an address is its account's. Doing it again is fine. @throws DomainError conflict (it was changed since) */
export async function confirmEmail(
  db: Db,
  { accountId, email }: { accountId: string; email: string },
  now: Instant,
): Promise<void> {
  const [, [account]] = await db.run(
    orm
      .update(accounts)
      .set({ emailConfirmedAt: now })
      .where(and(eq(accounts.id, accountId), eq(accounts.email, email), isNull(accounts.emailConfirmedAt))),
    orm.select({ email: accounts.email }).from(accounts).where(eq(accounts.id, accountId)),
  );
  if (account?.email !== email)
    throw conflict('The address was changed since this mail was sent, so this link is over.');
}
