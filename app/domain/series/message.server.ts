import { type SQL, sql } from 'drizzle-orm';
import { orm } from '../../../db/statement';
import { hasEnded, isBooked } from '../../../db/states';

/**
 * Adds to the one message of each reader how many bookings this write has made, moved or ended, and when the last of them is.
 * Triggers have written the message earlier in the batch. One about several clients names no client and no service.
 * @param among SQL: what may be among them, of the bookings named `told`
 * @param act the `told_with` of the bookings
 */
export const tellHowMany = (
  kind: 'booked' | 'moved' | 'canceled',
  among: SQL,
  act: string,
  readers = sql`told.booker_id, told.provider_id`,
) =>
  orm.run(sql`UPDATE messages SET data = json_patch(data, iif(clients = 1,
      json_object('count', many, 'last', last),
      json_object('count', many, 'last', last, 'clients', clients, 'isActed', NULL)))
    FROM (SELECT reader.value AS reader, count(*) AS many, count(DISTINCT told.booker_id) AS clients, max(told.starts_at) AS last
      FROM bookings AS told CROSS JOIN json_each(json_array(${readers})) AS reader
      WHERE ${among} AND ${kind === 'canceled' ? hasEnded('told') : isBooked('told')} AND told.told_with = ${act}
      GROUP BY reader.value)
    WHERE messages.id = ${`${kind}:${act}:`} || reader AND many > 1`);
