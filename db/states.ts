import { type SQL, sql } from 'drizzle-orm';
import { columnOf, type Of } from './column-of';

/** A slot is full if all its seats are taken. */
export const slotState = { open: 0, full: 1, withdrawn: 2 } as const;
export type SlotState = (typeof slotState)[keyof typeof slotState];

/**
 * Who made a slot. `formerHours`: its hours don't include it, and it stands because it is booked, or is withdrawn and may be brought
 * back. It is the hours' own again once hours that include it are applied.
 */
export const madeBy = { hand: 0, hours: 1, formerHours: 2 } as const;
export type MadeBy = (typeof madeBy)[keyof typeof madeBy];

/** A booking is held until whoever waited for its time takes it. It ends by a cancellation or a move. */
export const bookingStatus = { held: 0, booked: 1, ended: 2 } as const;
export type BookingStatus = (typeof bookingStatus)[keyof typeof bookingStatus];

/** Where a booking takes place that is not at the provider's: by telephone, over a video link, or at the client's. */
export const otherPlaces = ['phone', 'video', 'theirs'] as const;

export const wishState = { inLine: 0, offered: 1, over: 2 } as const;
export type WishState = (typeof wishState)[keyof typeof wishState];

/** Whether its reader has read a message. `noNews`: a mail to a name or with a lost link, or a later one sums it up. */
export const readState = { unread: 0, read: 1, noNews: 2 } as const;

/** SQL: a number as part of the text, because SQLite doesn't match a bound value to a partial index. */
export const literal = (value: number): SQL => sql.raw(String(value));

type Sign = '=' | '<' | '>';
const isState = (sign: Sign, value: number) => (row?: Of<'state'>) =>
  sql`${columnOf(row, 'state')} ${sql.raw(sign)} ${literal(value)}`;
const isStatus = (sign: Sign, value: number) => (row?: Of<'status'>) =>
  sql`${columnOf(row, 'status')} ${sql.raw(sign)} ${literal(value)}`;
const isBusyBy = (value: 0 | 1) => (row?: Of<'isBusy'>) => sql`${columnOf(row, 'isBusy')} = ${literal(value)}`;

// SQL: questions to a slot.
export const isOpen = isState('=', slotState.open);
export const isFull = isState('=', slotState.full);
export const isClosed = isState('>', slotState.open);
export const isWithdrawn = isState('=', slotState.withdrawn);
/** Open or full. */
export const isPublished = isState('<', slotState.withdrawn);
/** Hours made it, whether or not they still include it. */
export const isMadeByHours = (row?: Of<'madeBy'>) => sql`${columnOf(row, 'madeBy')} > ${literal(madeBy.hand)}`;
/** Something else of the provider's overlaps it. */
export const isBusy = isBusyBy(1);
export const isNotBusy = isBusyBy(0);

/** Its provider wants it still: what hours or a withdrawal take back goes to nobody once it is free. */
export const isStillWanted = (row?: Of<'madeBy' | 'withdrawnAt'>) =>
  sql`${columnOf(row, 'madeBy')} <> ${literal(madeBy.formerHours)} AND ${columnOf(row, 'withdrawnAt')} IS NULL`;

// SQL: questions to a booking.
export const isHeld = isStatus('=', bookingStatus.held);
export const isBooked = isStatus('=', bookingStatus.booked);
export const hasEnded = isStatus('=', bookingStatus.ended);
/** Held or booked: it takes its slots. */
export const stands = isStatus('<', bookingStatus.ended);
/** Booked, and its start is to come. */
export const isToCome = (now: unknown, row?: Of<'status' | 'startsAt'>) =>
  sql`(${isBooked(row)} AND ${columnOf(row, 'startsAt')} > ${now})`;
/** Booked or ended. */
export const wasBooked = isStatus('>', bookingStatus.held);
/** The provider made it for somebody. Then it has a code, by which that person can take it over, or 'spent' and that code once they have. */
export const isMadeForSomebody = (row?: Of<'codeHash'>) => sql`(${columnOf(row, 'codeHash')} IS NOT NULL)`;

// SQL: questions to a wish.
export const isInLine = isState('=', wishState.inLine);
export const hasOffer = isState('=', wishState.offered);
/** In line or with an offer. */
export const isWaiting = isState('<', wishState.over);
export const isWishOver = isState('=', wishState.over);

// SQL: questions to a message.
export const isUnread = (row?: Of<'isRead'>) => sql`${columnOf(row, 'isRead')} = ${literal(readState.unread)}`;
