import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { providerOf } from '../../../db/ids';
import { messages } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { hour, type Instant } from '../time/clock';
import type { Message } from './messages';
import { giveUpAfter, longestPause } from './retry-policy';

/*
 * Mail that has not left yet when its provider leaves. It keeps the old names, because
 * 'Former guest called off Former meetup' tells nobody anything. The message has them until the mail has left, or for
 * two days. News never show them.
 */

/** The old names. */
export type Former = {
  host: string;
  /** The party's or meetup's. */
  title: string | null;
  /** The host, if the mail tells of something they did. */
  other: string | null;
};

const nameOf = (id: SQL | string) => sql`(SELECT display_name FROM accounts WHERE id = ${id})`;

/** Keeps the names for mail that waits. It comes before the statements that delete the names. */
export const keepNamesForMail = ({ me, here }: { me: string; here: SQL }): SQL =>
  sql`UPDATE messages SET data = json_set(data, '$.former', json_object('host', ${nameOf(me)},
      'title', (SELECT title FROM parties WHERE id = messages.party_id), 'other', iif(actor_id = ${me}, ${nameOf(me)}, NULL)))
    WHERE mail_state IN ('due', 'leased') AND due_at > 0 AND ${here} AND ${me} = coalesce(
      ${providerOf(messages.bookingId)}, (SELECT provider_id FROM parties WHERE id = messages.party_id))`;

/** SQL: the data of a message without the old names, once its mail has left or never will. */
export const dataAfter = sql`json_remove(data, '$.former')`;

/** The message with the old names. */
export function asItWas(message: Message, former: Former | undefined): Message {
  if (!former) return message;
  const { host, other, title } = former;
  const subject = message.subject && { ...message.subject, title: title ?? message.subject.title };
  return { ...message, host, other: other ?? message.other, subject };
}

/**
 * Gives up mail that nobody has tried to send for two days, because e-mail is not set up, or no
 * more. Mail that was tried and refused is given up before, and then its provider reads so.
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
