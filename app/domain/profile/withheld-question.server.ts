import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { messages } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isLoggedIn } from '../login/sessions.server';
import { withheldMail } from '../mail/withheld-mail';
import { sendWithheld } from '../mail/withheld-mail.server';
import type { Instant } from '../time/clock';
import type { Actor } from './accounts';

// The ids of an account's questions begin alike, so that the key finds them: ';' follows ':'.
const isQuestionTo = (accountId: string) =>
  sql`messages.id >= ${`confirm-email:${accountId}:`} AND messages.id < ${`confirm-email:${accountId};`}`;

/** SQL: why the mail that asks whether the account’s address is its own has not left; null if it has. */
export const withheldQuestion = (accountId: string) =>
  sql<string | null>`(SELECT mail_state || ' ' || reason FROM messages
    WHERE ${isQuestionTo(accountId)} AND mail_state IN ('withheld', 'waiting') ORDER BY created_at DESC LIMIT 1)`
    .mapWith(withheldMail)
    .as('withheld_question');

export const selectWithheldQuestion = (accountId: string) =>
  orm.select({ withheld: withheldQuestion(accountId) }).from(sql`(SELECT 1)`);

/** Forgets questions to an address that was typed before. */
export const dropWithheldQuestions = (accountId: string, condition: SQL) =>
  orm
    .update(messages)
    .set({ mailState: 'dropped', dueAt: null, reason: 'over', email: null })
    .where(sql`${isQuestionTo(accountId)} AND mail_state IN ('withheld', 'waiting') AND ${condition}`);

/** Asks whose address the actor's is, now or the next day, if a limit withheld that. A repeat changes nothing. */
export async function sendWithheldQuestion(db: Db, actor: Actor, now: Instant): Promise<void> {
  await db.run(sendWithheld(sql`${isQuestionTo(actor.accountId)} AND ${isLoggedIn(actor, now)}`, now));
}
