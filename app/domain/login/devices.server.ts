import { msg } from '@lingui/core/macro';
import { and, desc, eq, gt } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { sessions } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { notFound, notLoggedIn } from '../errors';
import { requiredText } from '../input/fields';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';
import { isLoggedIn, selectOwner } from './sessions.server';

export const sessionId = z.object({ id: requiredText(msg`Id`) });

export type DeviceSession = { id: string; createdAt: Instant; lastUsedAt: Instant; device: Words; isThis: boolean };

/**
 * Lists the actor's sessions: this one first, the others by last use. A session's id is no secret, because a cookie
 * needs our signature too.
 */
export async function listSessions(db: Db, actor: Actor, now: Instant): Promise<DeviceSession[]> {
  const [rows] = await db.run(
    orm
      .select()
      .from(sessions)
      .where(and(eq(sessions.accountId, actor.accountId), gt(sessions.expiresAt, now)))
      .orderBy(desc(eq(sessions.id, actor.sessionId)), desc(sessions.lastUsedAt), sessions.id),
  );
  return rows.map(({ id, createdAt, lastUsedAt, device }) => ({
    id,
    createdAt,
    lastUsedAt: Math.max(createdAt, lastUsedAt),
    device: device ?? msg`Unknown device`,
    isThis: id === actor.sessionId,
  }));
}

/** Ends one of the actor's sessions, which may be this one. @throws DomainError unauthenticated, not_found */
export async function endOneSession(db: Db, actor: Actor, id: string, now: Instant): Promise<void> {
  const {
    owner: [owner],
    ended,
  } = await db.run({
    owner: selectOwner(actor, now),
    ended: orm
      .delete(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.accountId, actor.accountId), isLoggedIn(actor, now)))
      .returning({ id: sessions.id }),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (ended.length === 0) throw notFound('session');
}
