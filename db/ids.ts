import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

// The id of a slot or booking says where its row is: it consists of the provider's id, the start in 13 digits, and 12
// random digits. So the key of the table finds the row, and ids need no index.

type KeyColumns = { providerId: SQLiteColumn; startsAt: SQLiteColumn; id: SQLiteColumn };
type IdSql = SQLWrapper | string;

export const providerOf = (id: IdSql): SQL => sql`substr(${id}, 1, length(${id}) - 25)`;

/** The provider in an id; blank if it has none. */
export const providerIn = (id: string): string => id.slice(0, -25);

export const startOf = (id: IdSql): SQL => sql`CAST(substr(${id}, -25, 13) AS INTEGER)`;

export const hasId = ({ providerId, startsAt, id }: KeyColumns, searchedId: IdSql): SQL =>
  sql`(${providerId} = ${providerOf(searchedId)} AND ${startsAt} = ${startOf(searchedId)} AND ${id} = ${searchedId})`;

/** SQL: the rows of `slots` or `bookings` with these ids, in a query that names the provider too. @param ids a JSON list */
export const hasIdAmong = ({ startsAt, id }: KeyColumns, ids: IdSql): SQL => sql`(
  ${startsAt} IN (SELECT ${startOf(sql`value`)} FROM json_each(${ids})) AND ${id} IN (SELECT value FROM json_each(${ids})))`;

/** SQL: a new id for a slot of this provider at this start. */
export const freshId = (providerId: IdSql, startsAt: SQLWrapper): SQL =>
  sql`(${providerId} || printf('%013d', ${startsAt}) || lower(hex(randomblob(6))))`;
