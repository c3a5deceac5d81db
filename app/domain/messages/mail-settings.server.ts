import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, invitations } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { notLoggedIn } from '../errors';
import type { Instant } from '../time/clock';
import type { Kind } from './messages';

/**
 * Ends one kind of mail for an account, or all of them, news left as they are. Whoever has the link of a mail may do so.
 * Doing it again changes nothing.
 */
export async function endMail(db: Db, accountId: string, kinds: readonly Kind[]): Promise<void> {
  const all = sql`(SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(${accounts.mailOff}) UNION SELECT value FROM json_each(${JSON.stringify(kinds)})))`;
  await db.run(orm.update(accounts).set({ mailOff: all }).where(eq(accounts.id, accountId)));
}

const forInvitation = 'invitation:';

/** What the link that ends the mail about one invitation is made of. */
export const invitationMail = (invitationId: string) => `${forInvitation}${invitationId} invited`;

/** Of which invitation that is; undefined where a link is about an account. */
export const invitationOf = (whose: string): string | undefined =>
  whose.startsWith(forInvitation) ? whose.slice(forInvitation.length) : undefined;

/** Ends the mail to a name of a meetup about that meetup. Doing it again changes nothing. */
export async function endInvitationMail(db: Db, invitationId: string, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(invitations)
      .set({ mailEndedAt: now })
      .where(and(eq(invitations.id, invitationId), isNull(invitations.mailEndedAt))),
  );
}

/** Where the actor's mail goes, and which kinds do not. @throws DomainError unauthenticated */
export async function getMailSettings(db: Db, { accountId }: Actor) {
  const [[row]] = await db.run(
    orm
      .select({
        email: accounts.email,
        isConfirmed: sql<boolean>`${accounts.emailConfirmedAt} IS NOT NULL`.mapWith(Boolean).as('is_confirmed'),
        hasPassword: sql<boolean>`${accounts.passwordHash} IS NOT NULL`.mapWith(Boolean).as('has_password'),
        off: accounts.mailOff,
      })
      .from(accounts)
      .where(eq(accounts.id, accountId)),
  );
  if (!row) throw notLoggedIn();
  return row;
}

/** Sets which kinds of message do not come by mail. */
export async function setMailOff(db: Db, actor: Actor, kinds: Kind[], now: Instant): Promise<void> {
  await db.run(
    orm
      .update(accounts)
      .set({ mailOff: kinds })
      .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now))),
  );
}
