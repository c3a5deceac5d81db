import { and, eq } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import type { keys, sessions } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { notFound, notLoggedIn } from '../errors';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { isLoggedIn, selectOwner } from './sessions.server';

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
  const {
    owner: [owner],
    ended,
  } = await db.run({
    owner: selectOwner(actor, now),
    ended: orm
      .delete(table)
      .where(and(eq(table.accountId, actor.accountId), eq(table.id, id), isLoggedIn(actor, now)))
      .returning({ id: table.id }),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (ended.length === 0) throw notFound(kind);
}
