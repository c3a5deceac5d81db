import { msg } from '@lingui/core/macro';
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { accounts, bookings } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import { conflict, DomainError, invalid, notLoggedIn } from '../errors';
import { email, fault } from '../input/fields';
import { triesByAccount } from '../login/login-tries.server';
import type { Passwords } from '../login/passwords.server';
import { askWhoseAddress, dropMails, tellOfNewAddress } from '../login/safety.server';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import { type Origin, tryWithin } from '../login/throttles.server';
import { storedAddress } from '../mail/addresses.server';
import type { WithheldMail } from '../mail/withheld-mail';
import type { Signatures } from '../signatures.server';
import { day, type Instant, minute } from '../time/clock';
import type { Actor } from './accounts';
import { dropWithheldQuestions, selectWithheldQuestion } from './withheld-question.server';

/** A change of the address; null removes it. A guest has no password. */
export const emailChange = z.object({
  email: z.pipe(
    z.nullable(
      z
        .string(fault(msg`E-mail must be text.`))
        .check(z.refine((text) => text.trim() !== '', fault(msg`E-mail address is missing.`))),
    ),
    email as z.ZodMiniType<string | null, string | null>,
  ),
  password: z.optional(z.string()),
});

const linkLifetime = 7 * day;
// Limited, because each confirmation sends somebody a mail.
const confirmationLimit = { limit: 10, window: 60 * minute };

/**
 * `isChanged` is false if the address was confirmed already: then no mail is sent. `withheld`: why the question whose address
 * it is goes out later.
 */
type ChangedEmail = { isChanged: boolean; withheld: WithheldMail | null };

/**
 * Sets the actor's address, and mails a link to confirm it, except to a guest. Null removes the address and the mails
 * that wait for it. If the old address was confirmed, it gets a notice.
 * @throws DomainError invalid (the address, the password), too_many (tries), unauthenticated
 */
export async function setEmail(
  db: Db,
  passwords: Passwords,
  actor: Actor,
  change: z.output<typeof emailChange>,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<ChangedEmail> {
  const { email } = change;
  const isStillLoggedIn = isLoggedIn(actor, now);
  const confirmation = { bucket: `email:${actor.accountId}`, ...confirmationLimit };
  const mails = tryWithin(origin ? [confirmation] : [], now, { condition: isStillLoggedIn });
  const tries = triesByAccount(actor.accountId, actor.isGuest ? null : origin, now);
  const {
    owner: [owner],
    account: [account],
    mailed,
    counted,
  } = await db.run({
    owner: selectOwner(actor, now),
    account: orm
      .select({ passwordHash: accounts.passwordHash, email: accounts.email, confirmedAt: accounts.emailConfirmedAt })
      .from(accounts)
      .where(eq(accounts.id, actor.accountId)),
    mailed: mails.count,
    counted: tries.count,
  });
  if (!owner?.isLoggedIn || !account) throw notLoggedIn();
  mails.refuse(mailed);
  if (account.passwordHash !== null) {
    tries.refuse(counted);
    const { right } = await passwords.verify(change.password ?? '', account.passwordHash);
    if (!right) throw invalid('password', msg`That is not your current password.`);
  }
  if (account.email === email && (email === null || account.confirmedAt !== null))
    return { isChanged: false, withheld: null };
  const confirmed = account.confirmedAt === null ? null : account.email;
  const asksForConfirmation = email !== null && !actor.isGuest;
  const {
    owner: [ownerAfter],
    withheld: [question] = [],
  } = await db.run({
    forgotten: tries.forget(counted),
    dropped: email === null ? dropMails(actor.accountId, isStillLoggedIn) : undefined,
    notice: account.email === email ? undefined : tellOfNewAddress(actor.accountId, confirmed, isStillLoggedIn, now),
    saved: orm
      .update(accounts)
      .set({ ...storedAddress(email), emailBy: null, emailConfirmedAt: null })
      .where(and(eq(accounts.id, actor.accountId), isStillLoggedIn)),
    over: asksForConfirmation ? dropWithheldQuestions(actor.accountId, isStillLoggedIn) : undefined,
    asked: asksForConfirmation ? askWhoseAddress(actor.accountId, isStillLoggedIn, now) : undefined,
    withheld: asksForConfirmation ? selectWithheldQuestion(actor.accountId) : undefined,
    owner: selectOwner(actor, now),
  });
  if (!ownerAfter?.isLoggedIn) throw notLoggedIn();
  return { isChanged: true, withheld: question?.withheld ?? null };
}

/** A signed token that names the account, the address, and when the link was asked for. */
export const confirmationToken = (
  { sign }: Signatures,
  { readerId, to, message }: { readerId: string; to: string; message: { at: Instant } },
) => sign('confirm-email', `${readerId} ${message.at} ${to}`);

/** Reads a token of confirmationToken. @throws DomainError not_found (not ours), conflict (too old) */
export function readConfirmation(
  { verify }: Signatures,
  token: string,
  now: Instant,
): { accountId: string; email: string } {
  const [accountId, at, email] = verify('confirm-email', token)?.split(' ') ?? [];
  if (!accountId || !at || !email)
    throw new DomainError('not_found', msg`There is no such link. Please open it as the mail has it.`);
  if (now - Number(at) > linkLifetime)
    throw conflict(msg`This link is too old. Please ask for a new one in your profile.`);
  return { accountId, email };
}

type Confirmation = ReturnType<typeof readConfirmation>;
type NextAppointment = { id: string; startsAt: Instant; timeZone: string; providerName: string };

/** Reads whether the address of a link is confirmed, and the account's next appointment if it is. */
export async function findConfirmed(
  db: Db,
  { accountId, email }: Confirmation,
  now: Instant,
): Promise<{ isConfirmed: boolean; next: NextAppointment | null }> {
  const {
    account: [account],
    coming: [next],
  } = await db.run({
    account: orm
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, accountId), eq(accounts.email, email), isNotNull(accounts.emailConfirmedAt))),
    coming: orm
      .select({
        id: sql<string>`${bookings.id}`.as('next_id'),
        startsAt: bookings.startsAt,
        timeZone: sql<string>`${bookings.timeZone}`.as('next_zone'),
        providerName: accounts.displayName,
      })
      .from(bookings)
      .innerJoin(accounts, eq(accounts.id, bookings.providerId))
      .where(and(eq(bookings.bookerId, accountId), sql`${isBooked(bookings)} AND ${bookings.startsAt} > ${now}`))
      .orderBy(bookings.startsAt)
      .limit(1),
  });
  return { isConfirmed: account !== undefined, next: (account && next) ?? null };
}

/**
 * Confirms the account's address. A repeat does no harm.
 * @throws DomainError conflict (the address was changed since)
 */
export async function confirmEmail(db: Db, { accountId, email }: Confirmation, now: Instant): Promise<void> {
  const {
    account: [account],
  } = await db.run({
    confirmed: orm
      .update(accounts)
      .set({ emailConfirmedAt: now })
      .where(and(eq(accounts.id, accountId), eq(accounts.email, email), isNull(accounts.emailConfirmedAt))),
    account: orm.select({ email: accounts.email }).from(accounts).where(eq(accounts.id, accountId)),
  });
  if (account?.email !== email)
    throw conflict(msg`The address was changed since this mail was sent, so this link is over.`);
}
