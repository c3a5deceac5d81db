import { type SQL, sql } from 'drizzle-orm';
import { orm } from '../../../db/statement';
import type { Instant } from '../time/clock';

/* What an account is told about its own safety, as statements for the batch of what they tell of. */

/** Tells an account that its password was changed, where `condition` holds. */
export const tellOfNewPassword = (accountId: string, condition: SQL, now: Instant) =>
  orm.run(sql`INSERT INTO messages (id, account_id, kind, created_at)
    SELECT ${`password:${now}:`} || id, id, 'password', ${now} FROM accounts WHERE id = ${accountId} AND ${condition}
    ON CONFLICT DO NOTHING`);

/**
 * Tells an account that its login asks for a code from now on, or no longer, where `condition` holds. One step of time tells
 * of one change, however often that was sent.
 */
export const tellOfFactor = (
  accountId: string,
  { kind, step }: { kind: 'factor-on' | 'factor-off'; step: number },
  condition: SQL,
  now: Instant,
) =>
  orm.run(sql`INSERT INTO messages (id, account_id, kind, created_at)
    SELECT ${`${kind}:${step}:`} || id, id, ${kind}, ${now} FROM accounts WHERE id = ${accountId} AND ${condition}
    ON CONFLICT DO NOTHING`);

/** Asks at an account's address whether it is theirs, where `condition` holds and it is not confirmed. */
export const askWhoseAddress = (accountId: string, condition: SQL, now: Instant) =>
  orm.run(sql`INSERT INTO messages (id, account_id, kind, created_at, is_read, email, mail_state, due_at)
    SELECT ${`confirm-email:${now}:`} || id, id, 'confirm-email', ${now}, 1, email, 'due', ${now} FROM accounts
    WHERE id = ${accountId} AND email IS NOT NULL AND email_confirmed_at IS NULL AND ${condition}
    ON CONFLICT DO NOTHING`);

/**
 * Tells an account that its address is about to change from `old`: in the news, and at `old` where that is confirmed and
 * `condition` holds.
 */
export const tellOfNewAddress = (accountId: string, old: string | null, condition: SQL, now: Instant) =>
  orm.run(sql`INSERT INTO messages (id, account_id, kind, created_at, email, mail_state, due_at)
    SELECT ${`email:${now}:`} || id, id, 'email', ${now}, ${old}, iif(${old} IS NULL, NULL, 'due'), iif(${old} IS NULL, NULL, ${now})
    FROM accounts WHERE id = ${accountId} AND ${condition}
    ON CONFLICT DO NOTHING`);

/** Gives up the mails that wait for an account, where `condition` holds. What its meetups' names are sent stays. */
export const dropMails = (accountId: string, condition: SQL) =>
  orm.run(sql`UPDATE messages SET mail_state = 'dropped', due_at = NULL, reason = 'over', email = NULL
    WHERE account_id = ${accountId} AND mail_state = 'due' AND invitation_id IS NULL AND ${condition}`);
