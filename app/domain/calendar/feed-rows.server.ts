import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { day, type Instant } from '../time/clock';

/*
 * What a feed holds, each list as one JSON text that SQLite makes: a row for each entry would cost ten times as much. The
 * lists name `feeds` of the statement around them.
 */

/** An appointment in a feed: the name is the other person's. */
export type PackedBooking = [
  id: string,
  calendarId: string,
  sequence: number,
  startsAt: Instant,
  endsAt: Instant,
  name: string,
  city: string,
  notes: string | null,
  stampedAt: Instant,
];

/** A party or meetup in a feed. */
export type PackedParty = [
  id: string,
  kind: 'party' | 'meetup',
  startsAt: Instant,
  endsAt: Instant,
  title: string,
  hostName: string,
  description: string | null,
  address: string | null,
  locationUrl: string | null,
  sequence: number,
  stampedAt: Instant,
  isCalledOff: 0 | 1,
];

/** How many appointments of each list, and how many parties; how much of a text. */
const most = { past: 200, coming: 800, canceled: 200, parties: 200, notes: 300, description: 500 };
const year = 366 * day;
const month = 30 * day;

type Given = Placeholder | Instant;
const number = (value: number) => sql.raw(String(value));

const packed = (from: SQL, by: SQL) => sql<string>`(SELECT json_group_array(json_array(
    id, calendar_id, sequence, starts_at, ends_at, name, city, substr(notes, 1, ${number(most.notes)}), at)) FROM (
  SELECT slots.id, coalesce(bookings.calendar_id, slots.id) AS calendar_id, bookings.sequence, slots.starts_at, slots.ends_at, people.display_name AS name, cities.name AS city, slots.notes,
    max(bookings.booked_at, ifnull(slots.canceled_at, 0)) AS at
  FROM ${from} JOIN cities ON cities.folded = slots.city ${by}))`;

/** What one has booked. SQLite finds it by the booker, in the order of the index. */
const asBooker = (isCanceled: 0 | 1, condition: SQL, by: SQL) =>
  packed(
    sql`bookings CROSS JOIN slots ON slots.id = bookings.slot_id CROSS JOIN accounts AS people ON people.id = slots.provider_id`,
    sql`WHERE bookings.booker_id = feeds.account_id AND bookings.is_canceled = ${number(isCanceled)} AND ${condition} ${by}`,
  );

/** What others have, or had, booked of one's own time. */
const asProvider = (isTheirs: SQL, condition: SQL, by: SQL) =>
  packed(
    sql`slots CROSS JOIN bookings ON bookings.slot_id = slots.id AND bookings.number = 0
      CROSS JOIN accounts AS people ON people.id = bookings.booker_id`,
    sql`WHERE slots.provider_id = feeds.account_id AND ${isTheirs} AND ${condition} ${by}`,
  );

const ascending = (table: 'slots' | 'bookings', count: number) =>
  sql`ORDER BY ${sql.raw(table)}.starts_at LIMIT ${number(count)}`;
const descending = (table: 'slots' | 'bookings', count: number) =>
  sql`ORDER BY ${sql.raw(table)}.starts_at DESC LIMIT ${number(count)}`;

/**
 * The lists of appointments. What was moved is in them where it was moved to. Nothing is canceled after it has begun, so what was canceled lately begins later than that.
 */
export const packedBookings = (today: Given) => {
  const isPast = (table: 'slots' | 'bookings') =>
    sql`${sql.raw(table)}.starts_at BETWEEN ${today} - ${number(year)} AND ${today} - 1`;
  const isComing = (table: 'slots' | 'bookings') => sql`${sql.raw(table)}.starts_at >= ${today}`;
  const isCanceledLately = (table: 'slots' | 'bookings') =>
    sql`${sql.raw(table)}.starts_at > ${today} - ${number(month)} AND slots.canceled_at >= ${today} - ${number(month)}`;
  return {
    past: asBooker(0, isPast('bookings'), descending('bookings', most.past)),
    coming: asBooker(0, isComing('bookings'), ascending('bookings', most.coming)),
    canceled: asBooker(
      1,
      sql`slots.moved_to IS NULL AND ${isCanceledLately('bookings')}`,
      ascending('bookings', most.canceled),
    ),
    given: asProvider(sql`slots.status = 1`, isPast('slots'), descending('slots', most.past)),
    giving: asProvider(sql`slots.status = 1`, isComing('slots'), ascending('slots', most.coming)),
    calledOff: asProvider(
      sql`slots.was_booked = 1 AND slots.moved_to IS NULL`,
      isCanceledLately('slots'),
      ascending('slots', most.canceled),
    ),
  };
};

const packedEvents = (from: SQL) => sql<string>`(SELECT json_group_array(json_array(
    id, kind, starts_at, ends_at, title, name, substr(description, 1, ${number(most.description)}), address, location_url,
    sequence, at, deleted_at IS NOT NULL)) FROM (
  SELECT parties.*, accounts.display_name AS name, coalesce(parties.deleted_at, parties.changed_at, parties.created_at) AS at ${from}))`;

/** The lists of parties and meetups. */
export const packedParties = (today: Given) => {
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
