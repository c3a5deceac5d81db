import { and, asc, desc, eq, type Placeholder, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, bookings, messages, parties } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { isUnread, literal, readState } from '../../../db/states';
import { lastOfChain } from '../bookings/moves.server';
import { type Page, page, pageOf } from '../input/fields';
import { pageSize } from '../input/limits';
import { bookingOfKey } from '../links.server';
import { isLoggedIn } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import { formerName } from '../profile/former';
import { nameOfShop } from '../shop/in-shop.server';
import type { Instant } from '../time/clock';
import type { Subject } from './kinds/kind';
import { dataOf, isFromHost, type Kind, kindsShownBeside, type Message, messageWith, ownTimeOf } from './messages';

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
  // An offer that is held for nobody has no booking.
  service: sql<string | null>`coalesce(${bookings.serviceName}, CASE WHEN ${messages.kind} = 'offer' THEN (
    SELECT name FROM wishes CROSS JOIN services ON services.provider_id = wishes.provider_id AND services.id = wishes.service_id
    WHERE wishes.provider_id = ${messages.actorId} AND wishes.id = ${messages.data} ->> 'wish') END)`.as(
    'service_name',
  ),
  people: sql<number>`coalesce(${bookings.people}, 1)`.as('people'),
  hostId: sql<string | null>`${host.id}`.as('host_id'),
  actorId: messages.actorId,
  host: sql<string | null>`${host.displayName}`.mapWith(host.displayName).as('host_name'),
  hostUsername: sql<string | null>`${host.username}`.as('host_username'),
  shop: sql<string | null>`${nameOfShop}`.as('shop_name'),
  other: sql<string | null>`${actor.displayName}`.mapWith(actor.displayName).as('actor_name'),
  client: sql<
    string | null
  >`CASE WHEN ${messages.data} ->> 'isActed' THEN (SELECT display_name FROM accounts AS client WHERE client.id = ${bookings.bookerId}) END`
    .mapWith(accounts.displayName)
    .as('client_name'),
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

/** What a message of any kind may have in its data. `name`: of a person without an account; `clients`: whom it is about. */
type Stored = { count?: number; name?: string; clients?: number };

function subjectOf(row: Row): Subject | null {
  const own = ownTimeOf(row.kind, row.data as Stored);
  const startsAt = row.startsAt ?? own?.startsAt ?? null;
  const endsAt = row.endsAt ?? own?.endsAt ?? null;
  const timeZone = row.timeZone ?? own?.timeZone ?? null;
  const date = row.date ?? own?.date ?? null;
  const { address, locationUrl } = row;
  // What is about several clients may be about several services.
  const { service, people } = ((row.data as Stored).clients ?? 1) > 1 ? { service: null, people: 1 } : row;
  const id = row.bookingId ?? row.partyId ?? own?.id;
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

/** '' for one who has left. */
const nameOfProvider = (name: string | null) => (name === null || name === formerName ? '' : name);

export function messageOf(row: Row): Message {
  const stored = row.data as Stored;
  const { count = 1, name = null } = stored;
  const { id, kind, at, isRead, other, client, host, hostUsername, shop, invitationId } = row;
  return messageWith(kind, dataOf(kind, stored, row), {
    id,
    at,
    isRead,
    other: name ?? (row.actorId !== null && row.actorId === row.hostId ? nameOfProvider(other) : other),
    host: isFromHost(kind) ? nameOfProvider(other) : host === null ? null : nameOfProvider(host),
    hostUsername,
    shop,
    client,
    count,
    subject: subjectOf(row),
    isToHost: row.reader === row.hostId && invitationId === null,
    invitationId,
  });
}

// Leaves out a host's mails to the names of a meetup, which belong to the host too, and messages that a later one sums
// up.
const isNews = sql`${messages.isRead} < ${literal(readState.noNews)}`;

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

type Beside = Parameters<typeof kindsShownBeside>[0];

/** SQL: one of the kinds that are shown there. */
const isKindShownBeside = (where: Beside) =>
  sql.raw(
    `kind IN (${kindsShownBeside(where)
      .map((kind) => `'${kind}'`)
      .join(', ')})`,
  );

const selectUnseen = statementBy<Beside, { me: string }>()((where, { me }) =>
  selectMessages()
    .where(
      sql`${messages.id} IN (
        SELECT id FROM (
          SELECT id, kind FROM messages WHERE account_id = ${me} AND ${isUnread()} ORDER BY created_at DESC LIMIT ${newest})
        WHERE ${isKindShownBeside(where)})`,
    )
    .orderBy(desc(messages.createdAt), asc(messages.id)),
);

/** Lists what others changed for the actor since the actor looked; without what has been deleted since. */
export async function listUnseen(db: Db, { accountId }: Actor, beside: Beside): Promise<Message[]> {
  const [rows] = await db.run(selectUnseen(beside, { me: accountId }));
  return rows.map(messageOf).filter(({ subject, isToHost }) => subject !== null && !isToHost);
}

const mostOnHome = sql.raw('5');

const selectNewest = statement<{ me: string }>()(({ me }) =>
  selectMessages()
    .where(
      sql`${messages.id} IN (
        SELECT id FROM messages WHERE account_id = ${me} AND ${isUnread()} ORDER BY created_at DESC LIMIT ${mostOnHome})`,
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
  AND ${isUnread(messages)} AND messages.${isKindShownBeside('appointments')}`;

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
          isUnread(messages),
          sql`${messages.createdAt} <= ${until}`,
          isLoggedIn(actor, now),
        ),
      ),
  );
}
