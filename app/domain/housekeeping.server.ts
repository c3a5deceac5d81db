import { lte } from 'drizzle-orm';
import type { Db } from '../../db/client';
import { oneTimeKeys, sessions, throttles } from '../../db/schema';
import { orm } from '../../db/statement';
import { keyLength } from './one-time-keys.server';
import type { Instant } from './time/clock';

/** Deletes sessions, one-time keys and counters whose time is over. Each is found by an index on that time. */
export async function forgetExpired(db: Db, now: Instant): Promise<void> {
  await db.run(
    orm.delete(sessions).where(lte(sessions.expiresAt, now)),
    orm.delete(oneTimeKeys).where(lte(oneTimeKeys.createdAt, now - keyLength)),
    orm.delete(throttles).where(lte(throttles.endsAt, now)),
  );
}
