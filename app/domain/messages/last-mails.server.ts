import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { providerOf } from '../../../db/ids';
import { messages } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { hour, type Instant } from '../time/clock';
import type { Message } from './messages';
import { giveUpAfter, longestPause } from './retry-policy';

// Mail that waits while its provider leaves keeps the old names, because 'Former guest called off Former meetup' says
// nothing. The message has them until the mail has left, or for two days. News never show them.

export type Former = {
  host: string;
  title: string | null;
  /** The host, if the mail is about something they did. */
  other: string | null;
};

const nameOf = (id: SQL | string) => sql`(SELECT display_name FROM accounts WHERE id = ${id})`;

/** Stands before the statements that delete the names. */
export const keepNamesForMail = ({ me, here }: { me: string; here: SQL }): SQL =>
  sql`UPDATE messages SET data = json_set(data, '$.former', json_object('host', ${nameOf(me)},
      'title', (SELECT title FROM parties WHERE id = messages.party_id), 'other', iif(actor_id = ${me}, ${nameOf(me)}, NULL)))
    WHERE mail_state IN ('due', 'leased') AND due_at > 0 AND ${here} AND ${me} = coalesce(
      ${providerOf(messages.bookingId)}, (SELECT provider_id FROM parties WHERE id = messages.party_id))`;

/** SQL: the data of a message without the old names, for after its mail. */
export const dataAfter = sql`json_remove(data, '$.former')`;

export function asItWas(message: Message, former: Former | undefined): Message {
  if (!former) return message;
  const { host, other, title } = former;
  const subject = message.subject && { ...message.subject, title: title ?? message.subject.title };
  return { ...message, host, other: other ?? message.other, subject };
}

/**
 * Two days is for servers without e-mail: mail that was refused is given up earlier, with a message to its provider.
 */
export async function dropUnsent(db: Db, now: Instant): Promise<void> {
  const writtenBy = sql`${now} - iif(json_type(data, '$.former') IS NULL, ${giveUpAfter + longestPause}, ${giveUpAfter})`;
  await db.run(
    orm
      .update(messages)
      .set({ mailState: 'dropped', dueAt: null, reason: 'late', email: null, data: dataAfter })
      .where(
        sql`mail_state IN ('due', 'leased') AND due_at <= ${now + longestPause + hour} AND created_at <= ${writtenBy}`,
      ),
  );
}
