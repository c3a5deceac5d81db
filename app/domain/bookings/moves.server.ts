import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { hasId } from '../../../db/ids';
import { bookings } from '../../../db/schema';

/**
 * SQL: a table with `last_id`, the last booking of a chain of moves. A personal link has the id of the first and opens
 * the last.
 */
export const lastOfChain = (id: Placeholder | string): SQL => sql`(
  WITH RECURSIVE chain (id, next) AS (
    SELECT id, moved_to FROM ${bookings} WHERE ${hasId(bookings, id)}
    UNION ALL
    SELECT ${bookings.id}, ${bookings.movedTo} FROM chain CROSS JOIN ${bookings} ON ${hasId(bookings, sql`chain.next`)})
  SELECT id AS last_id FROM chain WHERE next IS NULL)`;
