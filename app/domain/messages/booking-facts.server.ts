import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { accounts, bookings, cities, messages, templates } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { linkSeedOf } from '../bookings/columns.server';
import { bookingsOnCards, isOnCard } from '../people/cards.server';

export type BookingFacts = ReturnType<typeof selectBookingFacts> extends PromiseLike<(infer Row)[]> ? Row : never;

export const host = alias(accounts, 'host');

const nameOf = (id: SQL) =>
  sql<string>`(SELECT display_name FROM accounts WHERE id = ${id})`.mapWith(accounts.displayName);

const isNamed = hasId(bookings, messages.bookingId);
const personOfNamed = sql`(SELECT first.person_id FROM bookings AS first WHERE first.provider_id = ${providerOf(messages.bookingId)}
  AND first.starts_at = ${startOf(messages.bookingId)} AND first.id = ${messages.bookingId})`;
/** SQL: it was made or ended together with that one. */
const isTogether = sql`(${isOnCard(providerOf(messages.bookingId), personOfNamed)} AND ${bookings.status} IN (1, 2)
  AND ${bookings.startsAt} >= ${startOf(messages.bookingId)} AND ${bookings.toldWith} = messages.data ->> 'with')`;

/** A message is about the reader's own booking, or that of the provider's client. */
export const selectBookingFacts = (isMeant: SQL) => selectFacts(isMeant, bookings, isNamed);

export const selectSeveralFacts = (isMeant: SQL) =>
  selectFacts(sql`${isMeant} AND messages.data ->> 'with' IS NOT NULL`, bookingsOnCards, isTogether).orderBy(
    asc(bookings.startsAt),
  );

/** The facts of a booking in a calendar entry, with its city, its `host` and its template joined. */
export const entryColumns = {
  id: sql<string>`${bookings.id}`.as('the_booking'),
  calendarId: sql<string>`coalesce(${bookings.calendarId}, ${bookings.id})`.as('entry_id'),
  sequence: bookings.sequence,
  isCanceled: sql<boolean>`${bookings.status} = 2`.mapWith(Boolean).as('is_canceled'),
  startsAt: bookings.startsAt,
  endsAt: bookings.endsAt,
  notes: bookings.notes,
  service: sql<string | null>`${bookings.serviceName}`.as('booked_service'),
  location: sql<string>`coalesce(host.address, ${cities.name})`.as('place'),
  address: sql<string | null>`host.address`.as('host_address'),
  phone: sql<string | null>`host.phone`.as('host_phone'),
  providerName: nameOf(sql`${bookings.providerId}`).as('provider_name'),
  bookerName: nameOf(sql`${bookings.bookerId}`).as('booker_name'),
  username: sql<string | null>`(SELECT username FROM accounts WHERE id = ${bookings.bookerId})`.as('booker_username'),
  answers: bookings.answers,
  questions: sql`coalesce(${templates.questions}, '[]')`.mapWith(templates.questions).as('asked'),
};

const selectFacts = (isMeant: SQL, from: typeof bookings | typeof bookingsOnCards, isAbout: SQL) =>
  orm
    .select({
      ...entryColumns,
      messageId: sql<string>`${messages.id}`.as('facts_of'),
      /** Only the booker gets the personal link. */
      linkSeed: sql<string | null>`iif(${bookings.bookerId} = ${messages.accountId}, ${linkSeedOf}, NULL)`.as(
        'own_seed',
      ),
    })
    .from(messages)
    .innerJoin(
      from,
      sql`${isAbout}
        AND (${bookings.bookerId} = ${messages.accountId} OR ${bookings.providerId} = ${messages.accountId})`,
    )
    .innerJoin(cities, eq(cities.folded, bookings.city))
    .innerJoin(host, eq(host.id, bookings.providerId))
    .leftJoin(templates, eq(templates.id, bookings.templateId))
    .where(isMeant);
