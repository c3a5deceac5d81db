import { asc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { bookings, cities, templates } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import { entryColumns, host } from '../bookings/entry-columns.server';
import { lastOfChain } from '../bookings/moves.server';
import { bookingOfKey, bookingPath, type Links } from '../links.server';
import { bookingsOnCards, isOnCard } from '../people/cards.server';
import { linkSourceOf } from '../people/client-columns.server';
import { isShopOfBooking, shop } from '../shop/in-shop.server';
import type { Instant, LocalDate } from '../time/clock';

type SeriesAppointment = { id: string; startsAt: Instant; date: LocalDate; timeZone: string };

const ownBooking = alias(bookings, 'one');
const columns = {
  id: sql<string>`${bookings.id}`.as('listed_id'),
  startsAt: sql<Instant>`${bookings.startsAt}`.as('listed_start'),
  date: sql<LocalDate>`${bookings.localDate}`.as('listed_date'),
  timeZone: sql<string>`${bookings.timeZone}`.as('listed_zone'),
};
// If the booking is in no series, SQLite reads no other booking.
const isOfSeries = sql`${ownBooking.seriesId} IS NOT NULL AND ${isOnCard(ownBooking.providerId, ownBooking.personId)}
  AND ${bookings.seriesId} = ${ownBooking.seriesId} AND ${isBooked(bookings)}`;

const selectByBooking = statement<{ id: string; me: string }>()(({ id, me }) =>
  orm
    .select(columns)
    .from(ownBooking)
    .crossJoin(bookingsOnCards)
    .where(sql`${hasId(ownBooking, id)} AND (${ownedBy(me, ownBooking)} OR ${ownBooking.bookerId} = ${me}) AND ${isOfSeries}
      AND (${ownedBy(me, bookings)} OR ${bookings.bookerId} = ${me})`)
    .orderBy(asc(bookings.startsAt)),
);

/** Lists the appointments of a series by start; empty if the booking is in none. */
export async function listSeries(
  db: Db,
  { accountId: me }: { accountId: string },
  id: string,
): Promise<SeriesAppointment[]> {
  const { rows } = await db.run({ rows: selectByBooking({ id, me }) });
  return rows;
}

const selectByLink = statement<{ id: string }>()(({ id }) =>
  orm
    .select({ ...columns, linkSource: linkSourceOf.as('listed_link') })
    .from(lastOfChain(id))
    .innerJoin(ownBooking, hasId(ownBooking, sql`last_id`))
    .innerJoin(bookingsOnCards, eq(bookings.bookerId, ownBooking.bookerId))
    .where(isOfSeries)
    .orderBy(asc(bookings.startsAt)),
);

/**
 * Lists a series for the owner of a personal link, with the link of each appointment. `getByKey` in the same batch
 * checks the key.
 */
export async function listSeriesByLink(
  db: Db,
  links: Links,
  key: string,
): Promise<(SeriesAppointment & { to: string })[]> {
  const { rows } = await db.run({ rows: selectByLink({ id: bookingOfKey(key) }) });
  return rows.map(({ linkSource, ...listed }) => ({ ...listed, to: linkSource ? bookingPath(links, linkSource) : '' }));
}

const entriesOf = statement<{ id: string; me: string }>()(({ id, me }) =>
  orm
    .select({
      ...entryColumns,
      linkSource: sql<string | null>`iif(${bookings.bookerId} = ${me}, ${linkSourceOf}, NULL)`.as('own_link'),
    })
    .from(ownBooking)
    .crossJoin(bookingsOnCards)
    .innerJoin(cities, eq(cities.folded, bookings.city))
    .innerJoin(host, eq(host.id, bookings.providerId))
    .leftJoin(shop, isShopOfBooking)
    .leftJoin(templates, eq(templates.id, bookings.templateId))
    .where(sql`${hasId(ownBooking, id)} AND (${ownedBy(me, ownBooking)} OR ${ownBooking.bookerId} = ${me}) AND ${isOfSeries}
      AND (${ownedBy(me, bookings)} OR ${bookings.bookerId} = ${me})`)
    .orderBy(asc(bookings.startsAt)),
);

/** Lists a series as calendar entries by start; empty if the booking is in none. */
export async function listSeriesEntries(db: Db, { accountId: me }: { accountId: string }, id: string) {
  const { rows } = await db.run({ rows: entriesOf({ id, me }) });
  return rows;
}

const entriesByLink = statement<{ id: string }>()(({ id }) =>
  orm
    .select({ ...entryColumns, linkSource: linkSourceOf.as('own_link') })
    .from(lastOfChain(id))
    .innerJoin(ownBooking, hasId(ownBooking, sql`last_id`))
    .innerJoin(bookingsOnCards, eq(bookings.bookerId, ownBooking.bookerId))
    .innerJoin(cities, eq(cities.folded, bookings.city))
    .innerJoin(host, eq(host.id, bookings.providerId))
    .leftJoin(shop, isShopOfBooking)
    .leftJoin(templates, eq(templates.id, bookings.templateId))
    .where(isOfSeries)
    .orderBy(asc(bookings.startsAt)),
);

/**
 * Lists a series as calendar entries for the owner of a personal link. `getByKey` in the same batch checks the key.
 */
export async function listSeriesEntriesByLink(db: Db, key: string) {
  const { rows } = await db.run({ rows: entriesByLink({ id: bookingOfKey(key) }) });
  return rows;
}
