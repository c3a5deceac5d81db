import { eq, sql } from 'drizzle-orm';
import type { Of } from '../../../db/column-of';
import { bookings, slots } from '../../../db/schema';
import { isFull, isHeld, isOpen, isPublished, isWithdrawn } from '../../../db/states';
import type { Instant } from '../time/clock';
import { changeableUntilOf } from './columns.server';

/** SQL: the slot was withdrawn by itself, not along with its booking. */
export const isShownAsWithdrawn = sql`(${isWithdrawn(slots)} AND ${slots.withdrawnAt} IS NOT NULL)`;

/** SQL: the slot is an appointment by itself: it is open, was withdrawn while open, or has several seats. */
export const isShown = sql`(${isOpen(slots)} OR ${isShownAsWithdrawn} OR ${slots.seats} > 1)`;

/** SQL: nobody has booked of the slot, but it, or some of its seats, are held for people who wait. */
export const isOnlyHeld = sql`(${isPublished(slots)} AND ${slots.taken} = (SELECT sum(hold.people) FROM bookings AS hold
  WHERE hold.provider_id = ${slots.providerId} AND hold.starts_at = ${slots.startsAt} AND ${isHeld('hold')}))`;

/** SQL: the slot is an appointment, a later part of one, or held for the waitlist. */
export const isKnown = sql`(${isShown} OR ${isFull(slots)} AND (${slots.partOf} <> ${slots.startsAt} OR ${isOnlyHeld}))`;

/** SQL: the provider may withdraw the slot as it is, or call it off as a class with the bookings in it. */
export const mayBeWithdrawn = sql`(${isOpen(slots)} OR ${isFull(slots)} AND ${slots.seats} > 1 OR ${isOnlyHeld})`;

/** SQL: whoever has booked may still move or cancel it. */
export const isStillChangeable = (now: Instant, booking: Of<'startsAt' | 'cancelUntil'> = bookings) =>
  sql`${changeableUntilOf(booking)} >= ${now}`;

/** SQL: the actor made the booking, even if it is canceled by now. */
export const bookedBy = (actor: { accountId: string }) => eq(bookings.bookerId, actor.accountId);
