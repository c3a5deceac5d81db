import { sql } from 'drizzle-orm';
import { providerOf, startOf } from '../../../db/ids';
import { bookings } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { tellOfSeveral } from '../series/message.server';

const columnOf = (id: string, column: 'series_id' | 'person_id' | 'booker_id') =>
  sql`(SELECT one.${sql.identifier(column)} FROM bookings AS one WHERE one.provider_id = ${providerOf(id)}
    AND one.starts_at = ${startOf(id)} AND one.id = ${id})`;

/** SQL: the booking is a later one of the same series and the same person. */
export const isLaterInSeries = (id: string) => sql`(${bookings.providerId} = ${providerOf(id)}
  AND ${bookings.personId} = ${columnOf(id, 'person_id')} AND ${bookings.startsAt} > ${startOf(id)}
  AND ${bookings.seriesId} = ${columnOf(id, 'series_id')})`;

export const tellOfCanceled = (id: string, act: string) =>
  tellOfSeveral('canceled', providerOf(id), columnOf(id, 'booker_id'), act);

/**
 * Ends a standing time if somebody has canceled all its later bookings. It must stand after `tellOfCanceled` in the
 * batch.
 */
export const endStanding = (id: string, act: string) =>
  orm.run(sql`UPDATE standing_times SET until_date = date((SELECT one.local_date FROM bookings AS one
        WHERE one.provider_id = ${providerOf(id)} AND one.starts_at = ${startOf(id)} AND one.id = ${id}), '-1 day')
    WHERE provider_id = ${providerOf(id)} AND id = ${columnOf(id, 'series_id')} AND EXISTS (
      SELECT 1 FROM bookings WHERE bookings.provider_id = standing_times.provider_id AND bookings.person_id = ${columnOf(id, 'person_id')}
        AND bookings.starts_at >= ${startOf(id)} AND bookings.told_with = ${act})`);

export const selectCanceledLater = (id: string) =>
  orm
    .select({ canceled: sql<number>`count(*)`.as('canceled_later') })
    .from(bookings)
    .where(sql`${isLaterInSeries(id)} AND ${bookings.status} = 2`);
