import { lte } from 'drizzle-orm';
import type { Db } from '../../db/client';
import { messages, oneTimeKeys, sessions, throttles } from '../../db/schema';
import { orm } from '../../db/statement';
import { forgetOldAnswers } from './appointments/forgetting-answers.server';
import { dropUnsent } from './messages/last-mails.server';
import { keyLength } from './one-time-keys.server';
import { forgetCalledOff } from './parties/hosting.server';
import { day, type Instant } from './time/clock';

/** How long people find in their news what they were told, in milliseconds: half a year. */
const newsLength = 183 * day;

/**
 * Deletes sessions, one-time keys, counters, old messages and canceled parties whose time is over, and gives up mail that has
 * waited too long. An index on that time finds each.
 */
export async function forgetExpired(db: Db, now: Instant): Promise<void> {
  const others = Promise.all([forgetCalledOff(db, now), dropUnsent(db, now)]);
  await db.run(
    forgetOldAnswers(now),
    orm.delete(sessions).where(lte(sessions.expiresAt, now)),
    orm.delete(oneTimeKeys).where(lte(oneTimeKeys.createdAt, now - keyLength)),
    orm.delete(messages).where(lte(messages.createdAt, now - newsLength)),
    orm.delete(throttles).where(lte(throttles.endsAt, now)),
  );
  await others;
}
