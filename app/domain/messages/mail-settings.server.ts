import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
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
