import { msg } from '@lingui/core/macro';
import { and, desc, eq, gt } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { sessions } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { requiredText } from '../input/fields';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';
import { endOwn } from './end-own.server';

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
export const endOneSession = (db: Db, actor: Actor, id: string, now: Instant): Promise<void> =>
  endOwn(db, actor, { id, table: sessions, kind: 'session' }, now);
