import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, messages } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { day, hour, type Instant, minute } from '../time/clock';
import type { Message } from './messages';
import { messageOf, selectMessages } from './news.server';

/** For how long whoever took a message may be sending it, in milliseconds; after it somebody else may try. */
export const lease = 2 * minute;
/** After which a message that can't be delivered is given up, in milliseconds: two days. */
const patience = 2 * day;
const longestPause = 4 * hour;

/** How long to wait before the next try, in milliseconds: 1, 2, 4 … minutes, 4 hours at most. @param tries made so far */
export const pauseAfter = (tries: number): number => Math.min(longestPause, minute * 2 ** Math.max(0, tries - 1));

/** A message that is to leave by mail now. */
export type Outgoing = {
  message: Message;
  to: string;
  readerId: string;
  readerZone: string;
  /** Of the reader: a link that sets a new password is good while this one stands. */
  passwordHash: string | null;
  tries: number;
};

const isWaiting = sql`${messages.mailState} IN ('due', 'leased')`;

/** Takes messages whose mail is due, at most so many; nobody else takes them until the lease ends. */
export async function leaseDue(db: Db, most: number, now: Instant): Promise<Outgoing[]> {
  const until = now + lease;
  const due = orm
    .select({ id: messages.id })
    .from(messages)
    .where(and(isWaiting, lte(messages.dueAt, now)))
    .orderBy(messages.dueAt)
    .limit(most);
  const [taken] = await db.run(
    orm
      .update(messages)
      .set({ mailState: 'leased', dueAt: until, tries: sql`${messages.tries} + 1` })
      .where(inArray(messages.id, due))
      .returning({ id: messages.id }),
  );
  if (taken.length === 0) return [];
  const ids = taken.map(({ id }) => id);
  const [rows, sends] = await db.run(
    selectMessages().where(sql`${messages.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
    orm
      .select({
        messageId: sql<string>`${messages.id}`.as('message_id'),
        email: sql<string>`${messages.email}`.as('to_email'),
        tries: messages.tries,
        readerId: messages.accountId,
        readerZone: accounts.timeZone,
        passwordHash: accounts.passwordHash,
      })
      .from(messages)
      .innerJoin(accounts, eq(accounts.id, messages.accountId))
      .where(sql`${messages.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
  );
  const told = new Map(rows.map((row) => [row.id, messageOf(row)]));
  return sends.flatMap(({ messageId, email, ...outgoing }) => {
    const message = told.get(messageId);
    return message ? [{ message, to: email, ...outgoing }] : [];
  });
}

/** Notes that a mail has left. */
export async function noteSent(db: Db, id: string): Promise<void> {
  await db.run(orm.update(messages).set({ mailState: 'sent', dueAt: null, reason: null }).where(eq(messages.id, id)));
}

/** Notes a failed try: when the next one is, or that the message is given up. @param reason a code, nobody's words */
export async function noteFailure(
  db: Db,
  { message, tries }: Outgoing,
  { isFinal, reason }: { isFinal: boolean; reason: string },
  now: Instant,
): Promise<void> {
  const isDead = isFinal || now - message.at > patience;
  await db.run(
    orm
      .update(messages)
      .set(
        isDead
          ? { mailState: 'dead', dueAt: null, reason }
          : { mailState: 'due', dueAt: now + pauseAfter(tries), reason },
      )
      .where(eq(messages.id, message.id)),
  );
}

/** When the next mail is due; null where none waits. */
export async function nextDue(db: Db): Promise<Instant | null> {
  const [[next]] = await db.run(
    orm
      .select({ at: sql<Instant | null>`min(${messages.dueAt})`.as('next_due') })
      .from(messages)
      .where(isWaiting),
  );
  return next?.at ?? null;
}
