import { lte } from 'drizzle-orm';
import type { Db } from '../../db/client';
import { oneTimeKeys, sessions, throttles } from '../../db/schema';
import { orm } from '../../db/statement';
import { keyLength } from './one-time-keys.server';
import { forgetCalledOff } from './parties/hosting.server';
import type { Instant } from './time/clock';

/** Deletes sessions, one-time keys, counters and canceled parties whose time is over. An index on that time finds each. */
export async function forgetExpired(db: Db, now: Instant): Promise<void> {
  const parties = forgetCalledOff(db, now);
  await db.run(
    orm.delete(sessions).where(lte(sessions.expiresAt, now)),
    orm.delete(oneTimeKeys).where(lte(oneTimeKeys.createdAt, now - keyLength)),
    orm.delete(throttles).where(lte(throttles.endsAt, now)),
  );
  await parties;
}
