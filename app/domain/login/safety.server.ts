import { type SQL, sql } from 'drizzle-orm';
import { orm } from '../../../db/statement';
import type { Instant } from '../time/clock';

export const tellOfNewPassword = (accountId: string, condition: SQL, now: Instant) =>
  orm.run(sql`INSERT INTO notices (kind, once, account_id, at)
    SELECT 'password', ${`${now}:`} || id, id, ${now} FROM accounts WHERE id = ${accountId} AND ${condition}`);

export const tellOfKey = (accountId: string, keyId: string, condition: SQL, now: Instant) =>
  orm.run(sql`INSERT INTO notices (kind, once, account_id, at)
    SELECT 'key', ${`${keyId}:`} || id, id, ${now} FROM accounts WHERE id = ${accountId} AND ${condition}`);

/** A repeat in the same half minute writes no second message. */
export const tellOfFactor = (
  accountId: string,
  { kind, step }: { kind: 'factor-on' | 'factor-off'; step: number },
  condition: SQL,
  now: Instant,
) =>
  orm.run(sql`INSERT INTO notices (kind, once, account_id, at)
    SELECT ${kind}, ${`${step}:`} || id, id, ${now} FROM accounts WHERE id = ${accountId} AND ${condition}`);

/** The limits may hold that question back; the account and its address stand all the same. */
export const askWhoseAddress = (accountId: string, condition: SQL, now: Instant) =>
  orm.run(sql`INSERT INTO notices (kind, once, account_id, at, is_for_mail, email)
    SELECT 'confirm-email', ${`${accountId}:${now}`}, id, ${now}, 1, email FROM accounts
    WHERE id = ${accountId} AND email IS NOT NULL AND email_confirmed_at IS NULL AND ${condition}`);

/** Writes to the news and to the old address. @param old null unless it was confirmed */
export const tellOfNewAddress = (accountId: string, old: string | null, condition: SQL, now: Instant) =>
  orm.run(sql`INSERT INTO notices (kind, once, account_id, at, email)
    SELECT 'email', ${`${now}:`} || id, id, ${now}, ${old}
    FROM accounts WHERE id = ${accountId} AND ${condition}`);

/** Gives up an account's waiting mails, but not those to names of its meetups. */
export const dropMails = (accountId: string, condition: SQL) =>
  orm.run(sql`UPDATE messages SET mail_state = 'dropped', due_at = NULL, reason = 'over', email = NULL
    WHERE account_id = ${accountId} AND mail_state IN ('due', 'withheld', 'waiting') AND invitation_id IS NULL AND ${condition}`);
