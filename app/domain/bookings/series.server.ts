import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { bookings } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { type BookingStatus, bookingStatus } from '../../../db/states';
import { tellHowMany } from '../series/message.server';

const columnOf = (id: string, column: 'series_id' | 'person_id' | 'booker_id') =>
  sql`(SELECT one.${sql.identifier(column)} FROM bookings AS one WHERE one.provider_id = ${providerOf(id)}
    AND one.starts_at = ${startOf(id)} AND one.id = ${id})`;

/** SQL: the later bookings of the same series and the same person. */
const laterInSeries = (id: string, is: BookingStatus) => sql`FROM bookings_on_cards AS later
  WHERE later.provider_id = ${providerOf(id)} AND later.card_id = ${columnOf(id, 'person_id')} AND later.status = ${is}
    AND later.starts_at > ${startOf(id)} AND later.series_id = ${columnOf(id, 'series_id')}`;

/** SQL: it is booked, as a later one of that series, and the one with this id has not moved. */
export const isLaterInSeries = (id: string) => sql`((${bookings.providerId}, ${bookings.startsAt}, ${bookings.id}) IN (
    SELECT later.provider_id, later.starts_at, later.id ${laterInSeries(id, bookingStatus.booked)})
  AND NOT EXISTS (SELECT 1 FROM bookings AS one WHERE ${hasId(alias(bookings, 'one'), id)} AND one.moved_to IS NOT NULL))`;

export const tellOfCanceled = (id: string, act: string) =>
  tellHowMany('canceled', sql`told.booker_id = ${columnOf(id, 'booker_id')} AND told.starts_at >= ${startOf(id)}`, act);

/**
 * Ends a standing time if somebody has canceled all its later bookings. It must stand after `tellOfCanceled` in the
 * batch.
 */
export const endStanding = (id: string, act: string) =>
  orm.run(sql`UPDATE standing_times SET until_date = date((SELECT one.local_date FROM bookings AS one
        WHERE one.provider_id = ${providerOf(id)} AND one.starts_at = ${startOf(id)} AND one.id = ${id}), '-1 day')
    WHERE provider_id = ${providerOf(id)} AND id = ${columnOf(id, 'series_id')} AND EXISTS (
      SELECT 1 FROM bookings_on_cards AS had WHERE had.provider_id = standing_times.provider_id AND had.card_id = ${columnOf(id, 'person_id')}
        AND had.status = ${bookingStatus.ended} AND had.starts_at >= ${startOf(id)} AND had.told_with = ${act})`);

export const selectCanceledLater = (id: string) =>
  orm
    .select({ canceled: sql<number>`count(*)`.as('canceled_later') })
    .from(
      sql`(WITH canceled AS MATERIALIZED (SELECT 1 ${laterInSeries(id, bookingStatus.ended)}) SELECT 1 FROM canceled)`,
    );
