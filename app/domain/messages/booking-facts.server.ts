import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { bookings, cities, messages, templates } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { bookingStatus, literal } from '../../../db/states';
import { changeableUntil, json } from '../bookings/columns.server';
import { entryColumns, host } from '../bookings/entry-columns.server';
import { bookingsOnCards, isOnCard } from '../people/cards.server';
import { linkSourceOf } from '../people/client-columns.server';
import type { Payee } from '../profile/iban';
import { isShopOfBooking, shop } from '../shop/in-shop.server';

export type BookingFacts = ReturnType<typeof selectBookingFacts> extends PromiseLike<(infer Row)[]> ? Row : never;

const isNamed = hasId(bookings, messages.bookingId);
const personOfNamed = sql`(SELECT first.person_id FROM bookings AS first WHERE first.provider_id = ${providerOf(messages.bookingId)}
  AND first.starts_at = ${startOf(messages.bookingId)} AND first.id = ${messages.bookingId})`;
/** SQL: it was made or ended together with that one. */
const isTogether = sql`(${isOnCard(providerOf(messages.bookingId), personOfNamed)} AND ${bookings.status} IN (${literal(bookingStatus.booked)}, ${literal(bookingStatus.ended)})
  AND ${bookings.startsAt} >= ${startOf(messages.bookingId)} AND ${bookings.toldWith} = messages.data ->> 'with')`;

/** A message is about the reader's own booking, or that of the provider's client. */
export const selectBookingFacts = (isMeant: SQL) => selectFacts(isMeant, bookings, isNamed);

export const selectSeveralFacts = (isMeant: SQL) =>
  selectFacts(
    sql`${isMeant} AND messages.data ->> 'with' IS NOT NULL AND messages.data ->> 'clients' IS NULL AND messages.kind <> 'moved'`,
    bookingsOnCards,
    isTogether,
  ).orderBy(asc(bookings.startsAt));

/** SQL: it was handed over to a colleague together with that one, and its client is the reader. */
const isHandedOver = sql`(${bookings.bookerId} = ${messages.accountId} AND ${bookings.status} = ${literal(bookingStatus.booked)}
  AND ${bookings.startsAt} >= ${startOf(messages.bookingId)} AND ${bookings.toldWith} = messages.data ->> 'with')`;

export const selectHandedOverFacts = (isMeant: SQL) =>
  selectFacts(sql`${isMeant} AND messages.kind = 'moved'`, bookings, isHandedOver).orderBy(asc(bookings.startsAt));

/** SQL: it was canceled together with that one, and its provider is the reader. */
const isCanceledTogether = sql`(${bookings.providerId} = ${messages.accountId} AND ${bookings.status} = ${literal(bookingStatus.ended)}
  AND ${bookings.startsAt} BETWEEN ${startOf(messages.bookingId)} AND messages.data ->> 'last' AND ${bookings.toldWith} = messages.data ->> 'with')`;

export const selectCanceledTogetherFacts = (isMeant: SQL) =>
  selectFacts(sql`${isMeant} AND messages.data ->> 'clients' IS NOT NULL`, bookings, isCanceledTogether).orderBy(
    asc(bookings.startsAt),
  );

const selectFacts = (isMeant: SQL, from: typeof bookings | typeof bookingsOnCards, isAbout: SQL) =>
  orm
    .select({
      ...entryColumns,
      messageId: sql<string>`${messages.id}`.as('facts_of'),
      serviceId: bookings.serviceId,
      deposit: bookings.deposit,
      paid: bookings.paid,
      payBy: json<Payee | null>(sql`host.pay_by`, 'host_pay_by'),
      changeableUntil: changeableUntil.as('changeable_then'),
      /** Only the booker gets the personal link. */
      linkSource: sql<string | null>`iif(${bookings.bookerId} = ${messages.accountId}, ${linkSourceOf}, NULL)`.as(
        'own_link',
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
    .leftJoin(shop, isShopOfBooking)
    .leftJoin(templates, eq(templates.id, bookings.templateId))
    .where(isMeant);
