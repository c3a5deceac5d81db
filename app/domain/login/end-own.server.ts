import { and, eq, type SQL } from 'drizzle-orm';
import type { SelectedFieldsFlat, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import type { keys, sessions } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { notLoggedIn } from '../errors';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { isLoggedIn, selectOwner } from './sessions.server';

type Own<Columns> = { table: SQLiteTable; condition: SQL | undefined; returning: Columns };

/**
 * Statements for a batch that deletes what the actor may end, and says whether they are logged in.
 * @param condition SQL, of which rows
 * @param returning the columns of `ended`
 */
export const deleteOwn = <Columns extends SelectedFieldsFlat>(
  actor: Actor,
  { table, condition, returning }: Own<Columns>,
  now: Instant,
) => ({
  owner: selectOwner(actor, now),
  ended: orm
    .delete(table)
    .where(and(condition, isLoggedIn(actor, now)))
    .returning(returning),
});

/**
 * Ends one way into the account: a session, which may be this one, or a key.
 * @throws DomainError not_found, unauthenticated
 */
export async function endOwn(
  db: Db,
  actor: Actor,
  { id, table, kind }: { id: string; table: typeof keys | typeof sessions; kind: 'key' | 'session' },
  now: Instant,
): Promise<void> {
  const condition = and(eq(table.accountId, actor.accountId), eq(table.id, id));
  const {
    owner: [owner],
    ended,
  } = await db.run(deleteOwn(actor, { table, condition, returning: { id: table.id } }, now));
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (ended.length === 0) throw notFound(kind);
}
