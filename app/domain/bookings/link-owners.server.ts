import { msg } from '@lingui/core/macro';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { accounts, bookings, cities, messages, replacedLinks } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { wasBooked } from '../../../db/states';
import { DomainError, notLoggedIn } from '../errors';
import { bookingKeyOf, bookingOfKey, type Links } from '../links.server';
import { isLoggedIn } from '../login/sessions.server';
import { notFound } from '../not-found';
import { linkSourceOf } from '../people/client-columns.server';
import type { LinkedThing } from '../people/join.server';
import type { Actor } from '../profile/accounts';
import { providerWords } from '../profile/former';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment } from './appointments.server';
import { bookedColumns, booker } from './columns.server';
import { lastOfChain } from './moves.server';

/** Somebody with a booking's personal link. They act for its client, in that booking only. */
export type LinkOwner = { accountId: string; bookingId: string; linkSource: string };

/** Whoever asks for something of a booking: its client, its provider, or whoever has its link. */
export type Asker = Actor | LinkOwner;

/** Who acts for somebody: whoever of a shop does something in a colleague's book; null for all others. */
export const actedBy = (asker: Asker | { memberId?: string | undefined }): string | null =>
  ('memberId' in asker && asker.memberId) || null;

type Value = string | SQL;
type Access = { accountId: Value; sessionId: Value; memberId?: Value | undefined } | { linkSource: Value };

/** SQL: the session is open, or the link still belongs to the booking with this id. */
export const hasAccess = (access: Access, id: Value, now: Instant | SQL) =>
  'linkSource' in access
    ? sql`EXISTS (SELECT 1 FROM ${bookings} WHERE ${hasId(bookings, id)} AND ${linkSourceOf} = ${access.linkSource})`
    : isLoggedIn(access, now);

export const selectAccess = (asker: Asker, id: string, now: Instant) =>
  orm.select({ may: sql<number>`${hasAccess(asker, id, now)}`.as('may') }).from(sql`(SELECT 1)`);

export const noLongerAllowed = (asker: Asker) => ('linkSource' in asker ? notFound('booking') : notLoggedIn());

const byLink = statement<{ id: string }>()(({ id }) =>
  orm
    .select(bookedColumns)
    .from(lastOfChain(id))
    .crossJoin(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .innerJoin(booker, eq(booker.id, bookings.bookerId))
    .where(and(hasId(bookings, sql`last_id`), wasBooked(bookings))),
);

const replacedOf = statement<{ id: string }>()(({ id }) =>
  orm
    .select({
      seed: replacedLinks.linkSeed,
      name: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('replacer'),
    })
    .from(replacedLinks)
    .innerJoin(accounts, eq(accounts.id, providerOf(replacedLinks.bookingId)))
    .where(eq(replacedLinks.bookingId, id)),
);

/** Names who replaced a link. The link's whole old key is needed, so guessing reveals nothing. */
function replacedBy(name: string) {
  const replacer = providerWords(name);
  return new DomainError(
    'not_found',
    msg`This link was replaced by ${replacer}. The new link shows your appointment: please ask them for it.`,
  );
}

type Linked = { appointment: Appointment; owner: LinkOwner };

/**
 * Reads the booking that a personal link's key opens.
 * @throws DomainError not_found, which says if the link was replaced
 */
export async function getByKey(db: Db, links: Links, key: string): Promise<Linked> {
  const id = bookingOfKey(key);
  const {
    booked: [row],
    replaced,
  } = await db.run({ booked: byLink({ id }), replaced: replacedOf({ id }) });
  if (!row?.bookerId || !row.linkSource || bookingKeyOf(links, row.linkSource) !== key) {
    const replacer = replaced.find(({ seed }) => bookingKeyOf(links, `${seed} ${id}`) === key);
    throw replacer ? replacedBy(replacer.name) : notFound('booking');
  }
  const owner = { accountId: row.bookerId, bookingId: row.id, linkSource: row.linkSource };
  return { appointment: appointment(row, row.bookerId), owner };
}

/** The booking of a link, with its whole series, because its letter leads to all of that. */
export const linkedBooking = ({ accountId: guestId, bookingId, linkSource }: LinkOwner): LinkedThing => ({
  guestId,
  by(owners) {
    const isThis = sql`${linkSourceOf} = ${linkSource}`;
    const series = sql`(SELECT series_id FROM bookings AS one
      WHERE one.provider_id = ${providerOf(bookingId)} AND one.starts_at = ${startOf(bookingId)} AND one.id = ${bookingId})`;
    const isInSeries = sql`(${isThis} OR ${bookings.seriesId} = ${series})`;
    return {
      isLinked: sql`EXISTS (SELECT 1 FROM bookings WHERE ${hasId(bookings, bookingId)} AND ${isThis} AND booker_id IN ${owners})`,
      bookings: isInSeries,
      messages: sql`${messages.bookingId} IN (SELECT id FROM bookings WHERE booker_id IN ${owners} AND ${isInSeries})`,
    };
  },
});

const placeByLink = statement<{ id: string }>()(({ id }) =>
  orm
    .select({ name: sql<string>`coalesce(${accounts.address}, ${cities.name})`.as('place') })
    .from(lastOfChain(id))
    .crossJoin(bookings)
    .innerJoin(cities, eq(cities.folded, bookings.city))
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .where(hasId(bookings, sql`last_id`)),
);

export async function findPlaceByKey(db: Db, key: string): Promise<string | undefined> {
  const [[place]] = await db.run(placeByLink({ id: bookingOfKey(key) }));
  return place?.name;
}
