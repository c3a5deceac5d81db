import { asc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { bookings } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { linkSeedOf } from '../bookings/columns.server';
import { lastOfChain } from '../bookings/moves.server';
import { bookingOfKey, bookingPath, type Links } from '../links.server';
import type { Instant, LocalDate } from '../time/clock';

/** One appointment of a series, as the page of another shows it. */
export type Listed = { id: string; startsAt: Instant; date: LocalDate; timeZone: string };

const one = alias(bookings, 'one');
const columns = {
  id: sql<string>`${bookings.id}`.as('listed_id'),
  startsAt: sql<Instant>`${bookings.startsAt}`.as('listed_start'),
  date: sql<LocalDate>`${bookings.localDate}`.as('listed_date'),
  timeZone: sql<string>`${bookings.timeZone}`.as('listed_zone'),
};
/** SQL: the booking stands, and is of the same series as `one`; where that is of none, nothing more is read. */
const isOfSeries = sql`${one.seriesId} IS NOT NULL AND ${bookings.providerId} = ${one.providerId}
  AND ${bookings.personId} = ${one.personId} AND ${bookings.seriesId} = ${one.seriesId} AND ${bookings.status} = 1`;

const ofBooking = statement<{ id: string; me: string }>()(({ id, me }) =>
  orm
    .select(columns)
    .from(one)
    .crossJoin(bookings)
    .where(sql`${hasId(one, id)} AND (${one.providerId} = ${me} OR ${one.bookerId} = ${me}) AND ${isOfSeries}
      AND (${bookings.providerId} = ${me} OR ${bookings.bookerId} = ${me})`)
    .orderBy(asc(bookings.startsAt)),
);

/** Lists the appointments of the series of one of the actor's, by start; none if it stands alone. */
export async function listSeries(db: Db, { accountId: me }: { accountId: string }, id: string): Promise<Listed[]> {
  const { rows } = await db.run({ rows: ofBooking({ id, me }) });
  return rows;
}

const byLink = statement<{ id: string }>()(({ id }) =>
  orm
    .select({ ...columns, linkSeed: linkSeedOf.as('listed_seed') })
    .from(lastOfChain(id))
    .innerJoin(one, hasId(one, sql`last_id`))
    .innerJoin(bookings, eq(bookings.bookerId, one.bookerId))
    .where(isOfSeries)
    .orderBy(asc(bookings.startsAt)),
);

/** Lists a series for the holder of a personal link, with the link of each. `getByKey` beside it checks the key. */
export async function listSeriesByLink(db: Db, links: Links, key: string): Promise<(Listed & { to: string })[]> {
  const { rows } = await db.run({ rows: byLink({ id: bookingOfKey(key) }) });
  return rows.map(({ linkSeed, ...listed }) => ({ ...listed, to: linkSeed ? bookingPath(links, linkSeed) : '' }));
}
