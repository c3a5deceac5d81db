import { eq, sql } from 'drizzle-orm';
import { bookings, slots } from '../../../db/schema';
import type { Instant } from '../time/clock';
import { changeableUntil } from './columns.server';
import type { Status } from './status';

/** SQL: the slot is open. The 0 is part of the text, because SQLite doesn't match a bound value to a partial index. */
export const isOpen = sql`${slots.state} = 0`;

/** SQL: the slot is an appointment by itself: it is open, was withdrawn while open, or has several seats. */
export const isShown = sql`(${slots.state} = 0 OR ${slots.withdrawnAt} IS NOT NULL OR ${slots.seats} > 1)`;

/** SQL: nobody has booked of the slot, but it, or some of its seats, are held for people who wait. */
export const isOnlyHeld = sql`(${slots.state} < 2 AND ${slots.taken} = (SELECT sum(hold.people) FROM bookings AS hold
  WHERE hold.provider_id = ${slots.providerId} AND hold.starts_at = ${slots.startsAt} AND hold.status = 0))`;

/** SQL: the slot is an appointment, a later part of one, or held for the waitlist. */
export const isKnown = sql`(${isShown} OR ${slots.state} = 1 AND (${slots.partOf} <> ${slots.startsAt} OR ${isOnlyHeld}))`;

/** SQL: the provider may withdraw the slot as it is, or call it off as a class with the bookings in it. */
export const mayBeWithdrawn = sql`(${slots.state} = 0 OR ${slots.state} = 1 AND ${slots.seats} > 1 OR ${isOnlyHeld})`;

export const isWithdrawn = sql`(${slots.state} = 2 AND ${slots.withdrawnAt} IS NOT NULL)`;

export const hasStatus = (state: Status) => sql`${bookings.status} = ${sql.raw(String(state))}`;

export const isStillChangeable = (now: Instant) => sql`${changeableUntil} >= ${now}`;

/** SQL: the actor made the booking, even if it is canceled by now. */
export const heldBy = (actor: { accountId: string }) => eq(bookings.bookerId, actor.accountId);
export const publishedBy = (actor: { accountId: string }) => eq(slots.providerId, actor.accountId);
export const givenBy = (actor: { accountId: string }) => eq(bookings.providerId, actor.accountId);
