import { eq, sql } from 'drizzle-orm';
import { bookings, slots } from '../../../db/schema';
import type { Instant } from '../time/clock';
import { changeableUntil } from './columns.server';
import type { Status } from './status';

/** The number stands in the text, because a partial index does not see a bound value. */
export const isOpen = sql`${slots.state} = 0`;

/** SQL: the slot is an appointment itself: it is open, was withdrawn while it was, or has several seats. */
export const isShown = sql`(${slots.state} = 0 OR ${slots.withdrawnAt} IS NOT NULL OR ${slots.seats} > 1)`;

/** SQL: the slot is an appointment, part of an earlier one, or held for the waitlist. */
export const isKnown = sql`(${isShown} OR ${slots.state} = 1 AND (${slots.partOf} <> ${slots.startsAt} OR EXISTS (
  SELECT 1 FROM bookings AS hold WHERE hold.provider_id = ${slots.providerId} AND hold.starts_at = ${slots.startsAt}
    AND hold.id = ${slots.id} AND hold.status = 0)))`;

export const isWithdrawn = sql`(${slots.state} = 2 AND ${slots.withdrawnAt} IS NOT NULL)`;

export const hasStatus = (state: Status) => sql`${bookings.status} = ${sql.raw(String(state))}`;

export const isStillChangeable = (now: Instant) => sql`${changeableUntil} >= ${now}`;

/** SQL: the actor made the booking, which may be canceled by now. */
export const heldBy = (actor: { accountId: string }) => eq(bookings.bookerId, actor.accountId);
export const publishedBy = (actor: { accountId: string }) => eq(slots.providerId, actor.accountId);
export const givenBy = (actor: { accountId: string }) => eq(bookings.providerId, actor.accountId);
