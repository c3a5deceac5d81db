import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { messages } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { hour, type Instant } from '../time/clock';
import type { Message } from './messages';
import { longestPause, patience } from './patience';

/*
 * Mail that has not left yet, about things of a provider who has. It names them and what it is about as they were, because
 * 'Former guest called off Former meetup' tells nobody anything. That is kept in the message until the mail has left, or for
 * two days. News never show it.
 */

/** What such a mail is to say instead of the names that the book has by then. */
export type Former = {
  host: string;
  /** Of a party or meetup. */
  title: string | null;
  /** The host, where it was they who did what the mail tells of. */
  other: string | null;
};

const nameOf = (id: SQL | string) => sql`(SELECT display_name FROM accounts WHERE id = ${id})`;

/** Makes the statement that keeps the names for mail that waits; it comes before those that take the names away. */
export const keepNamesForMail = ({ me, here }: { me: string; here: SQL }): SQL =>
  sql`UPDATE messages SET data = json_set(data, '$.former', json_object('host', ${nameOf(me)},
      'title', (SELECT title FROM parties WHERE id = messages.party_id), 'other', iif(actor_id = ${me}, ${nameOf(me)}, NULL)))
    WHERE mail_state IN ('due', 'leased') AND due_at > 0 AND ${here} AND ${me} = coalesce(
      (SELECT provider_id FROM slots WHERE id = messages.slot_id), (SELECT provider_id FROM parties WHERE id = messages.party_id))`;

/** SQL: what a message keeps when its mail has left, or never will: no names. */
export const dataAfter = sql`json_remove(data, '$.former')`;

/** The message as its mail says it. */
export function asItWas(message: Message, former: Former | undefined): Message {
  if (!former) return message;
  const { host, other, title } = former;
  const subject = message.subject && { ...message.subject, title: title ?? message.subject.title };
  return { ...message, host, other: other ?? message.other, subject };
}

/**
 * Gives up mail that nobody has sent for more than two days, and forgets its address: e-mail is not set up, or is not any
 * more. Mail that is tried and refused is given up before, and then its provider reads so.
 */
export async function dropUnsent(db: Db, now: Instant): Promise<void> {
  const writtenBy = sql`${now} - iif(json_type(data, '$.former') IS NULL, ${patience + longestPause}, ${patience})`;
  await db.run(
    orm
      .update(messages)
      .set({ mailState: 'dropped', dueAt: null, reason: 'late', email: null, data: dataAfter })
      .where(
        sql`mail_state IN ('due', 'leased') AND due_at <= ${now + longestPause + hour} AND created_at <= ${writtenBy}`,
      ),
  );
}
