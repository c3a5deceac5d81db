import { type SQL, sql } from 'drizzle-orm';
import { freshId } from '../../../db/ids';
import { orm } from '../../../db/statement';
import { isFull, isPublished, literal, slotState, stands } from '../../../db/states';
import { offerOpened } from '../bookings/holds.server';
import { cityNow } from '../bookings/slot-with-service.server';
import type { Instant } from '../time/clock';

// Counts and changes the seats of coming slots that are published for a service.

/** `books`: SQL, the ids of the providers, in parentheses. */
type OfService = { books: SQL; serviceId: string; now: Instant };

const isComing = ({ books, serviceId, now }: OfService) =>
  sql`slots.provider_id IN ${books} AND slots.starts_at > ${now} AND ${isPublished('slots')} AND slots.service_id = ${serviceId}`;

/** SQL: the number of taken seats in the fullest coming slot of a service. */
export const mostTaken = (of: OfService) =>
  sql<number>`(SELECT ifnull(max(taken), 0) FROM slots WHERE ${isComing(of)})`;

export const hasRoomFor = (of: OfService, seats: number): SQL => sql`${mostTaken(of)} <= ${seats}`;

/** SQL: a booking takes this slot of one seat and later ones, so its time can't get more seats. */
const isPartOfMore = sql`(slots.seats = 1 AND ${isFull('slots')} AND NOT EXISTS (
  SELECT 1 FROM bookings WHERE bookings.provider_id = slots.provider_id AND bookings.starts_at = slots.starts_at
    AND ${stands('bookings')} AND bookings.taken_until = slots.ends_at))`;

export const changeSeats = (of: OfService, seats: number, condition: SQL) => ({
  // A class that opens is listed where its provider is now: while it was full, it stayed behind when they moved.
  reseated: orm.run(sql`UPDATE slots SET seats = ${seats},
      state = iif(taken = ${seats}, ${literal(slotState.full)}, ${literal(slotState.open)}),
      city = iif(taken = ${seats}, city, ${cityNow}),
      part_of = iif(taken = ${seats}, starts_at, NULL),
      id = iif(seats = 1 AND ${isFull()}, ${freshId(sql`provider_id`, sql`starts_at`)}, id)
    WHERE ${isComing(of)} AND slots.seats <> ${seats} AND NOT ${isPartOfMore} AND ${condition}`),
  // Somebody who had the time alone is now the first person in a class.
  joined: orm.run(sql`UPDATE bookings SET slot_id = (
      SELECT id FROM slots WHERE slots.provider_id = bookings.provider_id AND slots.starts_at = bookings.starts_at)
    WHERE bookings.provider_id IN ${of.books} AND bookings.starts_at > ${of.now} AND ${stands('bookings')}
      AND bookings.slot_id IS NULL AND EXISTS (
        SELECT 1 FROM slots WHERE ${isComing(of)} AND slots.seats > 1
          AND slots.provider_id = bookings.provider_id AND slots.starts_at = bookings.starts_at)
      AND ${condition}`),
  offered: offerOpened(of.books, {
    from: of.now,
    until: Number.MAX_SAFE_INTEGER,
    now: of.now,
    condition,
  }),
});
