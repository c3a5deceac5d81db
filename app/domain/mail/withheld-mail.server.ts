import { type SQL, sql } from 'drizzle-orm';
import { messages } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Instant } from '../time/clock';

/** Sends mails that a limit withholds: now if their day is over, else the next day. @param mails which of them */
export function sendWithheld(mails: SQL, now: Instant) {
  const isTime = sql`ifnull(${messages.dueAt}, 0) <= ${now}`;
  return orm
    .update(messages)
    .set({ mailState: sql`iif(${isTime}, 'asked', 'waiting')`, dueAt: sql`iif(${isTime}, ${now}, due_at)` })
    .where(sql`${mails} AND mail_state = 'withheld' AND reason NOT IN ('ended', 'refused')`);
}
