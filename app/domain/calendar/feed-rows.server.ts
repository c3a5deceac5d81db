import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { packed } from '../../../db/packed';
import { hasEnded, isBooked } from '../../../db/states';
import type { Where } from '../services/where';
import { isShopOfBooking } from '../shop/in-shop.server';
import { day, type Instant } from '../time/clock';

// SQLite makes one JSON text of each list of a feed, because a row for each entry would cost ten times as much. The
// lists use the table `feeds` of the statement around them.

const most = { past: 200, coming: 800, canceled: 200, parties: 200, notes: 300, description: 500 };
const year = 366 * day;
const month = 30 * day;

type TodayValue = Placeholder | Instant;
const number = (value: number) => sql.raw(String(value));

/** Packs bookings. The name is that of the other person. */
export const bookingRows = packed<{
  id: string;
  calendarId: string;
  sequence: number;
  startsAt: Instant;
  endsAt: Instant;
  name: string;
  /** The name of the shop in which the client is booked; null in a provider's own list. */
  shop: string | null;
  usual: string;
  where: Where | null;
  place: string | null;
  notes: string | null;
  service: string | null;
  stampedAt: Instant;
}>({
  id: sql`id`,
  calendarId: sql`calendar_id`,
  sequence: sql`sequence`,
  startsAt: sql`starts_at`,
  endsAt: sql`ends_at`,
  name: sql`name`,
  shop: sql`shop`,
  usual: sql`city`,
  where: sql`place_kind`,
  place: sql`place`,
  notes: sql`substr(notes, 1, ${number(most.notes)})`,
  service: sql`service_name`,
  stampedAt: sql`at`,
});

const listOf = (owner: 'provider' | 'booker', condition: SQL, by: SQL) => {
  const isBooker = owner === 'booker';
  const other = owner === 'provider' ? 'booker' : 'provider';
  return sql<string>`(SELECT ${bookingRows.list()} FROM (
    SELECT bookings.id, coalesce(bookings.calendar_id, bookings.id) AS calendar_id, bookings.sequence, bookings.starts_at,
      bookings.ends_at, others.display_name AS name,
      ${isBooker ? sql`shop.display_name` : sql`NULL`} AS shop,
      ${isBooker ? sql`coalesce(others.address, shop.address, cities.name)` : sql`cities.name`} AS city, bookings.place_kind, bookings.place, bookings.notes, bookings.service_name,
      max(bookings.booked_at, ifnull(bookings.canceled_at, 0)) AS at
    FROM bookings CROSS JOIN accounts AS others ON others.id = bookings.${sql.raw(other)}_id
      JOIN cities ON cities.folded = bookings.city
      ${isBooker ? sql`LEFT JOIN accounts AS shop ON ${isShopOfBooking}` : sql``}
    WHERE bookings.${sql.raw(owner)}_id = feeds.account_id AND ${condition} ${by}))`;
};

const ascending = (count: number) => sql`ORDER BY bookings.starts_at LIMIT ${number(count)}`;
const descending = (count: number) => sql`ORDER BY bookings.starts_at DESC LIMIT ${number(count)}`;

/** The feed's bookings. Nothing is canceled after its start, so a recent cancellation is about a later start. */
export const packedBookings = (today: TodayValue) => {
  const isPast = sql`${isBooked('bookings')} AND bookings.starts_at BETWEEN ${today} - ${number(year)} AND ${today} - 1`;
  const isComing = sql`${isBooked('bookings')} AND bookings.starts_at >= ${today}`;
  const isCanceledLately = sql`${hasEnded('bookings')} AND bookings.moved_to IS NULL
    AND bookings.starts_at > ${today} - ${number(month)} AND bookings.canceled_at >= ${today} - ${number(month)}`;
  return {
    past: listOf('booker', isPast, descending(most.past)),
    coming: listOf('booker', isComing, ascending(most.coming)),
    canceled: listOf('booker', isCanceledLately, ascending(most.canceled)),
    pastAsProvider: listOf('provider', isPast, descending(most.past)),
    comingAsProvider: listOf('provider', isComing, ascending(most.coming)),
    // These have an index of their own, because a provider may have many other bookings in that month.
    calledOff: listOf(
      'provider',
      isCanceledLately,
      sql`ORDER BY bookings.canceled_at DESC LIMIT ${number(most.canceled)}`,
    ),
  };
};

export type PartyRow = {
  id: string;
  kind: 'party' | 'meetup';
  startsAt: Instant;
  endsAt: Instant;
  title: string;
  hostName: string;
  description: string | null;
  address: string | null;
  locationUrl: string | null;
  sequence: number;
  stampedAt: Instant;
  isCalledOff: 0 | 1;
};
export const partyRows = packed<PartyRow>({
  id: sql`id`,
  kind: sql`kind`,
  startsAt: sql`starts_at`,
  endsAt: sql`ends_at`,
  title: sql`title`,
  hostName: sql`name`,
  description: sql`substr(description, 1, ${number(most.description)})`,
  address: sql`address`,
  locationUrl: sql`location_url`,
  sequence: sql`sequence`,
  stampedAt: sql`at`,
  isCalledOff: sql`deleted_at IS NOT NULL`,
});

const packedEvents = (from: SQL) => sql<string>`(SELECT ${partyRows.list()} FROM (
  SELECT parties.*, accounts.display_name AS name, coalesce(parties.deleted_at, parties.changed_at, parties.created_at) AS at ${from}))`;

export const packedParties = (today: TodayValue) => {
  const isShown = (startsAt: SQL) => sql`${startsAt} > ${today} - ${number(year)}
    AND ifnull(parties.deleted_at, ${today}) >= ${today} - ${number(month)}
    ORDER BY ${startsAt} DESC LIMIT ${number(most.parties)}`;
  return {
    hosted: packedEvents(sql`FROM parties CROSS JOIN accounts ON accounts.id = parties.provider_id
      WHERE parties.provider_id = feeds.account_id AND parties.kind IN ('party', 'meetup') AND ${isShown(sql`parties.starts_at`)}`),
    accepted: packedEvents(sql`FROM invitations CROSS JOIN parties ON parties.id = invitations.party_id
      CROSS JOIN accounts ON accounts.id = parties.provider_id
      WHERE invitations.account_id = feeds.account_id AND invitations.accepted = 1
        AND ${isShown(sql`invitations.party_starts_at`)}`),
  };
};
