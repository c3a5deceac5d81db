import { and, eq, inArray, lte, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, messages } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { type Instant, minute } from '../time/clock';
import { type BookingFacts, selectBookingFacts } from './booking-facts.server';
import { asItWas, dataAfter, type Former } from './last-mails.server';
import type { Message } from './messages';
import { messageOf, selectMessages } from './news.server';
import { type PartyFacts, selectPartyFacts } from './party-facts.server';
import { longestPause, patience } from './patience';

/** For how long whoever took a message may be sending it, in milliseconds; after it somebody else may try. */
export const lease = 2 * minute;

/** How long to wait before the next try, in milliseconds: 1, 2, 4 … minutes, 4 hours at most. @param tries made so far */
const pauseAfter = (tries: number): number => Math.min(longestPause, minute * 2 ** Math.max(0, tries - 1));

/** A message that is to leave by mail now. */
export type Outgoing = {
  message: Message;
  to: string;
  readerId: string;
  readerZone: string;
  /** Of the reader: a link that sets a new password is good while this one stands. */
  passwordHash: string | null;
  tries: number;
  /** What it is about is over, canceled or not wanted any more: it is not sent. */
  isOver: boolean;
  /** Null where it is about no appointment. */
  booking: BookingFacts | null;
  /** Null where it tells of no change of a party or meetup to somebody who comes. */
  party: PartyFacts | null;
};

/** SQL: a mail to a name of a meetup whose link is dead, who wants no more mail, or for whom a reminder has no use. */
const isOverForName = (now: Instant) => sql`NOT EXISTS (
  SELECT 1 FROM invitations AS own JOIN parties AS what ON what.id = own.party_id
  WHERE own.id = messages.invitation_id AND own.mail_ended_at IS NULL
    AND (messages.kind = 'called-off' OR what.deleted_at IS NULL AND what.ends_at > ${now})
    AND (messages.kind <> 'reminder' OR what.starts_at > ${now} AND own.accepted IS NOT 0))`;

/** SQL: a reminder of what has begun, or what its reader does not come to. */
const isOverForReader = (now: Instant) => sql`(messages.kind = 'reminder' AND NOT EXISTS (
  SELECT 1 FROM bookings AS own WHERE own.slot_id = messages.slot_id AND own.booker_id = messages.account_id
    AND own.is_canceled = 0 AND own.starts_at > ${now}
  UNION ALL
  SELECT 1 FROM invitations AS own JOIN parties AS what ON what.id = own.party_id
  WHERE own.party_id = messages.party_id AND own.account_id = messages.account_id AND own.accepted = 1
    AND what.deleted_at IS NULL AND what.starts_at > ${now}))`;

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
  const isTaken = sql`${messages.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const [rows, bookings, events, sends] = await db.run(
    selectMessages().where(isTaken),
    selectBookingFacts(isTaken),
    selectPartyFacts(isTaken),
    orm
      .select({
        messageId: sql<string>`${messages.id}`.as('message_id'),
        email: sql<string>`${messages.email}`.as('to_email'),
        tries: messages.tries,
        readerId: messages.accountId,
        // A name of a meetup has no zone but the meetup's, which is its host's or was.
        readerZone: sql<string>`ifnull((SELECT time_zone FROM parties
          WHERE id = messages.party_id AND messages.invitation_id IS NOT NULL), ${accounts.timeZone})`.as(
          'reader_zone',
        ),
        passwordHash: accounts.passwordHash,
        // What nobody has tried to send for so long was written while e-mail was not set up.
        isOver: sql<boolean>`(${messages.createdAt} < ${now - patience - longestPause}
          OR iif(messages.invitation_id IS NULL, ${isOverForReader(now)}, ${isOverForName(now)}))`
          .mapWith(Boolean)
          .as('is_over'),
      })
      .from(messages)
      .innerJoin(accounts, eq(accounts.id, messages.accountId))
      .where(isTaken),
  );
  const formerOf = new Map(rows.map(({ id, data }) => [id, (data as { former?: Former }).former]));
  const told = new Map(rows.map((row) => [row.id, asItWas(messageOf(row), formerOf.get(row.id))]));
  const facts = new Map(bookings.map((row) => [row.messageId, row]));
  const partyFacts = new Map(events.map((row) => [row.messageId, row]));
  return sends.flatMap(({ messageId, email, ...outgoing }) => {
    const message = told.get(messageId);
    const booking = facts.get(messageId) ?? null;
    const party = partyFacts.get(messageId) ?? null;
    const former = formerOf.get(messageId);
    const named = former && { providerName: former.host, ...(former.title !== null && { title: former.title }) };
    return message
      ? [
          {
            message,
            to: email,
            booking: booking && { ...booking, ...named },
            party: party && { ...party, ...named },
            ...outgoing,
          },
        ]
      : [];
  });
}

/** SQL: the address, where it may be needed again. A name of what was called off is written to for the last time. */
const addressAfter = sql<string | null>`iif(kind = 'called-off' AND invitation_id IS NOT NULL, NULL, email)`;

/** Notes that a mail has left. */
export async function noteSent(db: Db, id: string): Promise<void> {
  const sent = { mailState: 'sent', dueAt: null, reason: null, email: addressAfter, data: dataAfter } as const;
  await db.run(orm.update(messages).set(sent).where(eq(messages.id, id)));
}

/** Notes that a mail is not sent, because what it is about is over. */
export async function noteDropped(db: Db, id: string): Promise<void> {
  const dropped = { mailState: 'dropped', dueAt: null, reason: 'over', email: addressAfter, data: dataAfter } as const;
  await db.run(orm.update(messages).set(dropped).where(eq(messages.id, id)));
}

/**
 * Notes a failed try: when the next one is, or that the message is given up.
 * @param reason a code, nobody's words
 * @returns whether it is given up
 */
export async function noteFailure(
  db: Db,
  { message, tries }: Outgoing,
  { isFinal, reason }: { isFinal: boolean; reason: string },
  now: Instant,
): Promise<boolean> {
  const isDead = isFinal || now - message.at > patience;
  await db.run(
    orm
      .update(messages)
      .set(
        isDead
          ? { mailState: 'dead', dueAt: now, reason, email: addressAfter, data: dataAfter }
          : { mailState: 'due', dueAt: now + pauseAfter(tries), reason },
      )
      .where(eq(messages.id, message.id)),
  );
  return isDead;
}

/**
 * Puts mails back that found no mail server, as if nobody had tried. Those that have waited for two days are given up, and
 * with them others that have waited as long, some hundreds at a time.
 * @param reason a code, nobody's words
 * @returns what is given up
 */
export async function noteUnreachable(
  db: Db,
  taken: Outgoing[],
  reason: string,
  now: Instant,
): Promise<{ kind: string; tries: number }[]> {
  const ids = JSON.stringify(taken.map(({ message }) => message.id));
  const isTaken = sql`${messages.id} IN (SELECT value FROM json_each(${ids}))`;
  const isOld = sql`created_at < ${now - patience}`;
  const old = orm
    .select({ id: messages.id })
    .from(messages)
    .where(and(isWaiting, lte(messages.dueAt, now - patience)))
    .orderBy(messages.dueAt)
    .limit(500);
  const [changed] = await db.run(
    orm
      .update(messages)
      .set({
        mailState: sql`iif(${isOld}, 'dead', 'due')`,
        dueAt: sql`iif(${isOld}, ${now}, created_at)`,
        tries: sql`${messages.tries} - ${isTaken}`,
        email: sql`iif(${isOld}, ${addressAfter}, email)`,
        data: sql`iif(${isOld}, ${dataAfter}, data)`,
        reason,
      })
      .where(or(isTaken, inArray(messages.id, old)))
      .returning({ kind: messages.kind, tries: messages.tries, state: messages.mailState }),
  );
  return changed.filter(({ state }) => state === 'dead');
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
