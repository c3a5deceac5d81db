import { type SQL, sql } from 'drizzle-orm';
import { orm } from '../../../db/statement';

/**
 * Adds to the message for each side how many bookings this write has made or ended, and when the last of them is.
 * Triggers have written the message earlier in the batch.
 * @param act the `told_with` of the bookings
 */
export const tellOfSeveral = (kind: 'booked' | 'canceled', provider: SQL, bookerId: string | SQL, act: string) =>
  orm.run(sql`UPDATE messages SET data = json_patch(data, (
      SELECT json_object('count', count(*), 'last', max(told.starts_at)) FROM bookings AS first
        CROSS JOIN bookings AS told ON told.provider_id = first.provider_id AND told.person_id = first.person_id
          AND told.starts_at >= first.starts_at AND told.told_with = ${act}
      WHERE first.provider_id = substr(messages.booking_id, 1, length(messages.booking_id) - 25)
        AND first.starts_at = CAST(substr(messages.booking_id, -25, 13) AS INTEGER) AND first.id = messages.booking_id))
    WHERE id IN (${`${kind}:${act}:`} || ${provider}, ${`${kind}:${act}:`} || ${bookerId})`);
