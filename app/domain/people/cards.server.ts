import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { bookings } from '../../../db/schema';

const view = sqliteTable('bookings_on_cards', { cardId: text('card_id').notNull() });

/** The view of the bookings on the cards of people, in place of the table and under its name. */
export const bookingsOnCards = alias(view, 'bookings');

/** SQL: the booking is on this card of the provider. */
export const isOnCard = (providerId: SQLWrapper, cardId: SQLWrapper): SQL =>
  sql`(${bookings.providerId} = ${providerId} AND ${bookingsOnCards.cardId} = ${cardId})`;
