import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { hasId } from '../../../db/ids';
import { bookings } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { bookingStatus, hasEnded } from '../../../db/states';

/**
 * Adds to the message for each side how many bookings this write has made or ended, and when the last of them is.
 * Triggers have written the message earlier in the batch.
 * @param act the `told_with` of the bookings
 */
export const tellOfSeveral = (kind: 'booked' | 'canceled', provider: SQL, bookerId: string | SQL, act: string) =>
  orm.run(sql`UPDATE messages SET data = json_patch(data, (
      WITH told AS MATERIALIZED (SELECT told.starts_at FROM bookings AS first
        CROSS JOIN bookings_on_cards AS told ON told.provider_id = first.provider_id AND told.card_id = first.person_id
          AND told.status = ${kind === 'booked' ? bookingStatus.booked : bookingStatus.ended} AND told.starts_at >= first.starts_at AND told.told_with = ${act}
      WHERE ${hasId(alias(bookings, 'first'), sql`messages.booking_id`)})
      SELECT json_object('count', count(*), 'last', max(starts_at)) FROM told))
    WHERE id IN (${`${kind}:${act}:`} || ${provider}, ${`${kind}:${act}:`} || ${bookerId})`);

/**
 * Adds to the one message of each client, and of the provider for whom somebody of their shop acted, how many bookings this write
 * has ended. That to the provider names no client and no service where it is about several clients.
 * @param among SQL: what the write may have ended, of the bookings named `told`
 * @param act the `told_with` of the bookings
 */
export const tellOfCalledOff = (among: SQL, act: string) =>
  (['booker_id', 'provider_id'] as const).map((reader) =>
    orm.run(sql`UPDATE messages SET booking_id = ended.first, data = json_patch(data, iif(ended.clients = 1,
        json_object('count', ended.many, 'last', ended.last),
        json_object('count', ended.many, 'last', ended.last, 'clients', ended.clients, 'isActed', NULL)))
      FROM (SELECT ${`canceled:${act}:`} || told.${sql.identifier(reader)} AS message_id, min(told.id) AS first, count(*) AS many,
          count(DISTINCT told.booker_id) AS clients, max(told.starts_at) AS last
        FROM bookings AS told WHERE ${among} AND ${hasEnded('told')} AND told.told_with = ${act}
        GROUP BY told.${sql.identifier(reader)}) AS ended
      WHERE messages.id = ended.message_id AND ended.many > 1`),
  );
