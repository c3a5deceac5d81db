import { and, asc, desc, eq, type Placeholder, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { accounts, messages, parties, slots } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { type Page, page, pageOf, pageSize } from '../input/fields';
import type { Instant } from '../time/clock';
import type { Kind, Message, Subject } from './messages';

/** Which page of the news. */
export const newsFilter = z.object({ page });

const actor = alias(accounts, 'actor');
const host = alias(accounts, 'host');
const either = (column: 'starts_at' | 'ends_at' | 'time_zone' | 'local_date') =>
  sql`coalesce(${slots}.${sql.identifier(column)}, ${parties}.${sql.identifier(column)})`;

const columns = {
  id: messages.id,
  kind: sql<Kind>`${messages.kind}`.as('kind'),
  at: sql<Instant>`${messages.createdAt}`.as('created_at'),
  isRead: messages.isRead,
  reader: sql<string>`${messages.accountId}`.as('reader'),
  slotId: messages.slotId,
  partyId: messages.partyId,
  partyKind: sql<'party' | 'meetup' | null>`${parties.kind}`.as('party_kind'),
  title: sql<string | null>`${parties.title}`.as('title'),
  address: sql<string | null>`${parties.address}`.as('address'),
  startsAt: sql<Instant | null>`${either('starts_at')}`.as('starts_at'),
  endsAt: sql<Instant | null>`${either('ends_at')}`.as('ends_at'),
  timeZone: sql<string | null>`${either('time_zone')}`.as('time_zone'),
  date: sql<string | null>`${either('local_date')}`.as('local_date'),
  hostId: sql<string | null>`${host.id}`.as('host_id'),
  host: sql<string | null>`${host.displayName}`.as('host_name'),
  other: sql<string | null>`${actor.displayName}`.as('actor_name'),
  data: messages.data,
  whyCalledOff: sql<string | null>`${parties.cancelReason}`.as('why_called_off'),
  invitationId: messages.invitationId,
};

/** Messages with what they are about, as it stands now. */
export const selectMessages = () =>
  orm
    .select(columns)
    .from(messages)
    .leftJoin(slots, eq(slots.id, messages.slotId))
    .leftJoin(parties, eq(parties.id, messages.partyId))
    .leftJoin(host, sql`${host.id} = coalesce(${slots.providerId}, ${parties.providerId})`)
    .leftJoin(actor, eq(actor.id, messages.actorId));

type Row = Awaited<ReturnType<typeof selectMessages>>[number];

function subjectOf(row: Row): Subject | null {
  const { startsAt, endsAt, timeZone, date, title, address } = row;
  const id = row.slotId ?? row.partyId;
  if (!id || startsAt === null || endsAt === null || timeZone === null || date === null) return null;
  return { noun: row.partyKind ?? 'appointment', id, title, startsAt, endsAt, timeZone, date, address };
}

type MessageData = {
  count?: number;
  reason?: string;
  name?: string;
  isUnanswered?: boolean;
  former?: object;
} & Message['was'];

/** A row of selectMessages as what its reader is told. */
export function messageOf(row: Row): Message {
  const { count = 1, reason = null, name = null, isUnanswered = false, former: _, ...was } = row.data as MessageData;
  const { id, kind, at, isRead, other, host, invitationId, whyCalledOff } = row;
  return {
    id,
    kind,
    at,
    isRead,
    other: name ?? other,
    host,
    reason: kind === 'called-off' ? whyCalledOff : reason,
    count,
    was,
    subject: subjectOf(row),
    isOwn: row.reader === row.hostId && invitationId === null,
    invitationId,
    isUnanswered,
  };
}

/** A host's mails to the names of a meetup stand beside their news. */
const isNews = sql`${messages.isRead} < 2`;

const ofReader = statement<{ me: string; skip: number }>()(({ me, skip }) =>
  selectMessages()
    .where(and(eq(messages.accountId, me), isNews))
    .orderBy(asc(messages.isRead), desc(messages.createdAt), asc(messages.id))
    .limit(pageSize + 1)
    .offset(skip),
);

/** What the actor was told: unread first, then the newest. */
export async function listNews(db: Db, { accountId }: Actor, page: number): Promise<Page<Message>> {
  const [rows] = await db.run(ofReader({ me: accountId, skip: page * pageSize }));
  return pageOf(rows.map(messageOf));
}

/** Among how many of the newest unread messages we look for what has become of the reader's appointments. */
const newest = sql.raw('10');

/** What others do to what somebody has, as SQL. */
const doneTo = { appointments: `'canceled', 'moved'`, invitations: `'called-off', 'changed'` };

const unseen = statementBy<keyof typeof doneTo, { me: string }>()((what, { me }) =>
  selectMessages()
    .where(
      sql`${messages.id} IN (
        SELECT id FROM (
          SELECT id, kind FROM messages WHERE account_id = ${me} AND is_read = 0 ORDER BY created_at DESC LIMIT ${newest})
        WHERE kind IN (${sql.raw(doneTo[what])}))`,
    )
    .orderBy(desc(messages.createdAt), asc(messages.id)),
);

/**
 * What others did to the actor's appointments, or to parties that the actor has answered, and the actor has not seen yet. What
 * the book has forgotten by now is not told.
 */
export async function listUnseen(db: Db, { accountId }: Actor, what: keyof typeof doneTo): Promise<Message[]> {
  const [rows] = await db.run(unseen(what, { me: accountId }));
  return rows.map(messageOf).filter(({ subject, isOwn }) => subject !== null && !isOwn);
}

/** How many of the newest unread messages a provider's home tells. */
const told = sql.raw('5');

const newestUnread = statement<{ me: string }>()(({ me }) =>
  selectMessages()
    .where(
      sql`${messages.id} IN (
        SELECT id FROM messages WHERE account_id = ${me} AND is_read = 0 ORDER BY created_at DESC LIMIT ${told})`,
    )
    .orderBy(desc(messages.createdAt), asc(messages.id)),
);

/** The newest of what the actor was told and has not marked as read: a visit changes nothing, so that is what is new. */
export async function listNewest(db: Db, { accountId }: Actor): Promise<Message[]> {
  const [rows] = await db.run(newestUnread({ me: accountId }));
  return rows.map(messageOf);
}

/** SQL: the booker of the booking with this link has not seen that others moved or canceled it. */
const isUnseenBy = (linkHash: Placeholder | string) => sql`(${messages.accountId}, ${messages.slotId}) IN (
    SELECT booker_id, slot_id FROM bookings WHERE link_hash = ${linkHash})
  AND ${messages.isRead} = 0 AND (${messages.kind} = 'canceled' OR ${messages.kind} = 'moved')`;

const byLink = statement<{ linkHash: string }>()(({ linkHash }) =>
  selectMessages().where(isUnseenBy(linkHash)).orderBy(desc(messages.createdAt)).limit(1),
);

/** What others did to the booking with this link and its booker has not seen yet; undefined where there is nothing. */
export async function findUnseen(db: Db, linkHash: string): Promise<Message | undefined> {
  const [[row]] = await db.run(byLink({ linkHash }));
  return row && messageOf(row);
}

/** Marks that as seen, for whoever has the link. */
export async function markSeenByLink(db: Db, linkHash: string): Promise<void> {
  await db.run(orm.update(messages).set({ isRead: true }).where(isUnseenBy(linkHash)));
}

/** Marks one message of the actor's as read. */
export async function markSeen(db: Db, actor: Actor, id: string, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(messages)
      .set({ isRead: true })
      .where(and(eq(messages.id, id), eq(messages.accountId, actor.accountId), isLoggedIn(actor, now))),
  );
}

/** Marks as read what the actor was told until `until`: what came after the page was made stays unread. */
export async function markNewsRead(db: Db, actor: Actor, until: Instant, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(messages)
      .set({ isRead: true })
      .where(
        and(
          eq(messages.accountId, actor.accountId),
          eq(messages.isRead, false),
          sql`${messages.createdAt} <= ${until}`,
          isLoggedIn(actor, now),
        ),
      ),
  );
}
