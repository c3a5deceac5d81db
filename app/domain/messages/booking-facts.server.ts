import { eq, type SQL, sql } from 'drizzle-orm';
import { bookings, cities, messages, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Instant } from '../time/clock';

/** What a mail about an appointment carries besides its sentence: all that its calendar entry is made of, and its link. */
export type BookingFacts = ReturnType<typeof selectBookingFacts> extends PromiseLike<(infer Row)[]> ? Row : never;

const nameOf = (id: SQL) => sql<string>`(SELECT display_name FROM accounts WHERE id = ${id})`;

/** Selects the bookings that messages are about: the reader's own, or that of the provider's client. */
export const selectBookingFacts = (isMeant: SQL) =>
  orm
    .select({
      messageId: sql<string>`${messages.id}`.as('facts_of'),
      id: sql<string>`${slots.id}`.as('slot_id'),
      calendarId: sql<string>`coalesce(${bookings.calendarId}, ${slots.id})`.as('entry_id'),
      sequence: bookings.sequence,
      isCanceled: bookings.isCanceled,
      startsAt: sql<Instant>`${slots.startsAt}`.as('slot_starts'),
      endsAt: sql<Instant>`${slots.endsAt}`.as('slot_ends'),
      notes: slots.notes,
      location: sql<string>`${cities.name}`.as('city_name'),
      providerName: nameOf(sql`${slots.providerId}`).as('provider_name'),
      bookerName: nameOf(sql`${bookings.bookerId}`).as('booker_name'),
      readerName: nameOf(sql`${messages.accountId}`).as('reader_name'),
      /** Of a guest's own link: they have no other way in. */
      linkSeed: sql<string | null>`iif(${bookings.bookerId} = ${messages.accountId} AND EXISTS (
        SELECT 1 FROM accounts WHERE id = ${messages.accountId} AND username IS NULL), ${bookings.linkSeed}, NULL)`.as(
        'own_seed',
      ),
      linkHash: bookings.linkHash,
    })
    .from(messages)
    .innerJoin(slots, eq(slots.id, messages.slotId))
    .innerJoin(
      bookings,
      sql`${bookings.slotId} = ${slots.id} AND (${bookings.bookerId} = ${messages.accountId}
        OR ${bookings.number} = 0 AND ${slots.providerId} = ${messages.accountId})`,
    )
    .innerJoin(cities, eq(cities.folded, slots.city))
    .where(isMeant);
