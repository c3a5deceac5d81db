import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { accounts, invitations, mailContacts, messages, refusedAddresses } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { notLoggedIn } from '../errors';
import { isLoggedIn } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import { withheldQuestion } from '../profile/withheld-question.server';
import type { Instant } from '../time/clock';
import type { Kind } from './messages';

/**
 * Ends some kinds of mail for an account; its news stay. The link of a mail is enough to do so.
 * @returns true if the account has a login, and so news
 */
export async function endMail(db: Db, accountId: string, kinds: readonly Kind[]): Promise<boolean> {
  const all = sql`(SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(${accounts.mailOff}) UNION SELECT value FROM json_each(${JSON.stringify(kinds)})))`;
  const { ended } = await db.run({
    ended: orm
      .update(accounts)
      .set({ mailOff: all })
      .where(eq(accounts.id, accountId))
      .returning({ username: accounts.username }),
  });
  return ended[0] !== undefined && ended[0].username !== null;
}

/** Mail of one provider or host to an address that they typed. */
type SendersMail = { senderId: string; emailHash: string };

const senderMark = 'sender:';

export const sendersMail = ({ senderId, emailHash }: SendersMail) => `${senderMark}${senderId}:${emailHash} invited`;

/** Undefined for a link about an account. */
export function sendersMailOf(whose: string): SendersMail | undefined {
  const [senderId, emailHash] = whose.startsWith(senderMark) ? whose.slice(senderMark.length).split(':') : [];
  return senderId && emailHash ? { senderId, emailHash } : undefined;
}

export async function endSendersMail(db: Db, { senderId, emailHash }: SendersMail, now: Instant): Promise<void> {
  await db.run(
    insertFrom(
      mailContacts,
      { senderId, emailHash, firstAt: now, endedAt: now },
      sql`FROM accounts WHERE id = ${senderId}`,
    ).onConflictDoUpdate({
      target: [mailContacts.senderId, mailContacts.emailHash],
      set: { endedAt: sql`ifnull(ended_at, ${now})` },
    }),
    orm
      .update(invitations)
      .set({ mailEndedAt: now })
      .where(
        sql`party_id IN (SELECT id FROM parties WHERE provider_id = ${senderId}) AND email_hash = ${emailHash}
          AND mail_ended_at IS NULL`,
      ),
  );
}

/** The reader says that the mail is not for them. Confirming the address lifts that. */
export async function refuseAddress(db: Db, emailHash: string, now: Instant): Promise<void> {
  await db.run(orm.insert(refusedAddresses).values({ emailHash, refusedAt: now }).onConflictDoNothing());
}

/** Lets the limits decide again about mail whose sender asked to send it the next day. */
export async function askAgain(db: Db, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(messages)
      .set({ mailState: 'asked', dueAt: now })
      .where(sql`mail_state = 'waiting' AND due_at <= ${now}`),
  );
}

/** @throws DomainError unauthenticated */
export async function getMailSettings(db: Db, { accountId }: Actor) {
  const [[row]] = await db.run(
    orm
      .select({
        email: accounts.email,
        isConfirmed: sql<boolean>`${accounts.emailConfirmedAt} IS NOT NULL`.mapWith(Boolean).as('is_confirmed'),
        hasPassword: sql<boolean>`${accounts.passwordHash} IS NOT NULL`.mapWith(Boolean).as('has_password'),
        off: accounts.mailOff,
        withheldQuestion: withheldQuestion(accountId),
      })
      .from(accounts)
      .where(eq(accounts.id, accountId)),
  );
  if (!row) throw notLoggedIn();
  return row;
}

export async function setMailOff(db: Db, actor: Actor, kinds: Kind[], now: Instant): Promise<void> {
  await db.run(
    orm
      .update(accounts)
      .set({ mailOff: kinds })
      .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now))),
  );
}
