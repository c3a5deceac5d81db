import { and, asc, desc, eq, type Placeholder, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, bookings, messages, parties } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { lastOfChain } from '../bookings/moves.server';
import { type Page, page, pageOf } from '../input/fields';
import { pageSize } from '../input/limits';
import { formerName, providerWords } from '../leaving/former';
import { bookingOfKey } from '../links.server';
import { isLoggedIn } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import type { WhyUnkept } from '../standing/unkept';
import type { Instant, LocalDate } from '../time/clock';
import type { Kind, Message, Subject } from './messages';

export const newsFilter = z.object({ page });

const actor = alias(accounts, 'actor');
const host = alias(accounts, 'host');
const ofBookingOrParty = (column: 'starts_at' | 'ends_at' | 'time_zone' | 'local_date') =>
  sql`coalesce(${bookings}.${sql.identifier(column)}, ${parties}.${sql.identifier(column)})`;

const columns = {
  id: messages.id,
  kind: sql<Kind>`${messages.kind}`.as('kind'),
  at: sql<Instant>`${messages.createdAt}`.as('created_at'),
  isRead: messages.isRead,
  reader: sql<string>`${messages.accountId}`.as('reader'),
  bookingId: messages.bookingId,
  partyId: messages.partyId,
  partyKind: sql<'party' | 'meetup' | null>`${parties.kind}`.as('party_kind'),
  title: sql<string | null>`${parties.title}`.mapWith(parties.title).as('title'),
  address: sql<string | null>`${parties.address}`.as('address'),
  locationUrl: sql<string | null>`${parties.locationUrl}`.as('location_url'),
  startsAt: sql<Instant | null>`${ofBookingOrParty('starts_at')}`.as('starts_at'),
  endsAt: sql<Instant | null>`${ofBookingOrParty('ends_at')}`.as('ends_at'),
  timeZone: sql<string | null>`${ofBookingOrParty('time_zone')}`.as('time_zone'),
  date: sql<string | null>`${ofBookingOrParty('local_date')}`.as('local_date'),
  service: sql<string | null>`${bookings.serviceName}`.as('service_name'),
  people: sql<number>`coalesce(${bookings.people}, 1)`.as('people'),
  hostId: sql<string | null>`${host.id}`.as('host_id'),
  actorId: messages.actorId,
  host: sql<string | null>`${host.displayName}`.mapWith(host.displayName).as('host_name'),
  hostUsername: sql<string | null>`${host.username}`.as('host_username'),
  other: sql<string | null>`${actor.displayName}`.mapWith(actor.displayName).as('actor_name'),
  data: messages.data,
  whyCalledOff: sql<string | null>`${parties.cancelReason}`.as('why_called_off'),
  invitationId: messages.invitationId,
  readerZone: sql<string | null>`CASE WHEN ${messages.kind} = 'offer' THEN (
    SELECT time_zone FROM accounts AS reader WHERE reader.id = ${messages.accountId}) END`.as('readers_zone'),
};

export const selectMessages = () =>
  orm
    .select(columns)
    .from(messages)
    .leftJoin(bookings, hasId(bookings, messages.bookingId))
    .leftJoin(parties, eq(parties.id, messages.partyId))
    .leftJoin(host, sql`${host.id} = coalesce(${bookings.providerId}, ${parties.providerId})`)
    .leftJoin(actor, eq(actor.id, messages.actorId));

type Row = Awaited<ReturnType<typeof selectMessages>>[number];

/** The message keeps the offered time, because its hold leaves no booking. */
type OfferedTime = { startsAt?: Instant; endsAt?: Instant; timeZone?: string; date?: string; wish?: string };

function subjectOf(row: Row): Subject | null {
  const offered = row.kind === 'offer' ? (row.data as OfferedTime) : {};
  const startsAt = row.startsAt ?? offered.startsAt ?? null;
  const endsAt = row.endsAt ?? offered.endsAt ?? null;
  const timeZone = row.timeZone ?? offered.timeZone ?? null;
  const date = row.date ?? offered.date ?? null;
  const { address, locationUrl, service, people } = row;
  const id = row.bookingId ?? row.partyId ?? offered.wish;
  if (!id || startsAt === null || endsAt === null || timeZone === null || date === null) return null;
  const title = row.host === formerName ? null : row.title;
  return {
    noun: row.partyKind ?? 'appointment',
    id,
    title,
    startsAt,
    endsAt,
    timeZone,
    date,
    address,
    locationUrl,
    service,
    people,
  };
}

type MessageData = {
  count?: number;
  reason?: string;
  name?: string;
  isUnanswered?: boolean;
  isComing?: 0 | 1;
  wasComing?: 0 | 1;
  brings?: number;
  former?: object;
  filled?: number;
  after?: string;
  wish?: string;
  slot?: string;
  heldUntil?: Instant;
  isOver?: 1;
  timeZone?: string;
  date?: string;
  with?: string;
  last?: Instant;
  person?: string;
  dates?: { date: LocalDate; why: WhyUnkept }[];
} & Message['was'];

const kindOfWish = (kind: Kind) => kind === 'wish' || kind === 'offer';

export function messageOf(row: Row): Message {
  const data = row.data as MessageData;
  const { count = 1, reason = null, name = null, isUnanswered = false, former: _, ...rest } = data;
  const {
    isComing,
    wasComing,
    brings = 0,
    with: batchId = null,
    last = null,
    filled = 0,
    after: _a,
    wish,
    slot,
    heldUntil,
    isOver,
    timeZone: _z,
    date: _d,
    person,
    dates,
    ...was
  } = rest;
  // People who wait hear of a provider with whom they may have no booking.
  const isOfWish = kindOfWish(row.kind);
  const { id, kind, at, isRead, other, host, invitationId, whyCalledOff } = row;
  return {
    id,
    kind,
    at,
    isRead,
    other: name ?? (row.actorId !== null && row.actorId === row.hostId ? providerWords(other ?? '') : other),
    host: isOfWish ? providerWords(other ?? '') : host && providerWords(host),
    hostUsername: row.hostUsername,
    reason: kind === 'called-off' ? whyCalledOff : reason,
    count,
    was,
    answer: kind === 'answered' ? { isComing: isComing === 1, wasComing: wasComing === 1, brings } : null,
    subject: subjectOf(row),
    isOwn: row.reader === row.hostId && invitationId === null,
    invitationId,
    isUnanswered,
    filled,
    wish: isOfWish
      ? {
          id: wish ?? '',
          slotId: slot ?? null,
          heldUntil: heldUntil ?? null,
          isOver: isOver === 1,
          zone: row.readerZone ?? 'UTC',
        }
      : null,
    standing: person === undefined ? null : { personId: person, dates: dates ?? [] },
    batchId,
    last,
  };
}

// Leaves out a host's mails to the names of a meetup, which belong to the host too, and messages that a later one sums
// up.
const isNews = sql`${messages.isRead} < 2`;

const selectNews = statement<{ me: string; skip: number }>()(({ me, skip }) =>
  selectMessages()
    .where(and(eq(messages.accountId, me), isNews))
    .orderBy(asc(messages.isRead), desc(messages.createdAt), asc(messages.id))
    .limit(pageSize + 1)
    .offset(skip),
);

/** Unread first, then the newest. */
export async function listNews(db: Db, { accountId }: Actor, page: number): Promise<Page<Message>> {
  const [rows] = await db.run(selectNews({ me: accountId, skip: page * pageSize }));
  return pageOf(rows.map(messageOf));
}

const newest = sql.raw('10');

const changeKinds = { appointments: `'canceled', 'moved'`, invitations: `'called-off', 'changed'` };

const selectUnseen = statementBy<keyof typeof changeKinds, { me: string }>()((change, { me }) =>
  selectMessages()
    .where(
      sql`${messages.id} IN (
        SELECT id FROM (
          SELECT id, kind FROM messages WHERE account_id = ${me} AND is_read = 0 ORDER BY created_at DESC LIMIT ${newest})
        WHERE kind IN (${sql.raw(changeKinds[change])}))`,
    )
    .orderBy(desc(messages.createdAt), asc(messages.id)),
);

/** Lists what others changed for the actor since the actor looked; without what has been deleted since. */
export async function listUnseen(db: Db, { accountId }: Actor, change: keyof typeof changeKinds): Promise<Message[]> {
  const [rows] = await db.run(selectUnseen(change, { me: accountId }));
  return rows.map(messageOf).filter(({ subject, isOwn }) => subject !== null && !isOwn);
}

const mostOnHome = sql.raw('5');

const selectNewest = statement<{ me: string }>()(({ me }) =>
  selectMessages()
    .where(
      sql`${messages.id} IN (
        SELECT id FROM messages WHERE account_id = ${me} AND is_read = 0 ORDER BY created_at DESC LIMIT ${mostOnHome})`,
    )
    .orderBy(desc(messages.createdAt), asc(messages.id)),
);

/** A message stays unread here until it is marked; a visit does not mark it. */
export async function listNewest(db: Db, { accountId }: Actor): Promise<Message[]> {
  const [rows] = await db.run(selectNewest({ me: accountId }));
  return rows.map(messageOf);
}

/** SQL: a change by others to the last booking of this chain, which its booker has not seen. */
const isUnseenIn = (firstId: Placeholder | string) => sql`(${messages.accountId}, ${messages.bookingId}) IN (
    SELECT ${bookings.bookerId}, ${bookings.id} FROM ${lastOfChain(firstId)} CROSS JOIN ${bookings} ON ${hasId(bookings, sql`last_id`)})
  AND ${messages.isRead} = 0 AND (${messages.kind} = 'canceled' OR ${messages.kind} = 'moved')`;

const selectUnseenIn = statement<{ id: string }>()(({ id }) =>
  selectMessages().where(isUnseenIn(id)).orderBy(desc(messages.createdAt)).limit(1),
);

/** Finds the unseen change of this link's booking. `getByKey`, in the same batch, checks the key. */
export async function findUnseen(db: Db, key: string): Promise<Message | undefined> {
  const { rows } = await db.run({ rows: selectUnseenIn({ id: bookingOfKey(key) }) });
  const [row] = rows;
  return row && messageOf(row);
}

export async function markSeenByLink(db: Db, key: string): Promise<void> {
  await db.run(
    orm
      .update(messages)
      .set({ isRead: true })
      .where(isUnseenIn(bookingOfKey(key))),
  );
}

export async function markSeen(db: Db, actor: Actor, id: string, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(messages)
      .set({ isRead: true })
      .where(and(eq(messages.id, id), eq(messages.accountId, actor.accountId), isLoggedIn(actor, now))),
  );
}

/** Marks messages up to `until`; later ones were not on the page. */
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
