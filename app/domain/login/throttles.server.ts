import { msg, plural } from '@lingui/core/macro';
import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { throttles } from '../../../db/schema';
import { DomainError } from '../errors';
import type { Device } from '../profile/accounts';
import type { Instant } from '../time/clock';

/** The network and device of a try; null if nothing is limited. */
export type Origin = { address: string; device: Device | null } | null;

/** A limit on tries; `window` is in milliseconds. */
export type RateLimit = { bucket: string | SQL | Placeholder; limit: number; window: number };

/**
 * Counts a try. The first try opens a window, and the first after its end opens a new one. If a fast clock has put the
 * end too far ahead, the window becomes shorter.
 */
export function countTry(
  { bucket, window }: RateLimit,
  now: Instant | Placeholder,
  condition = sql`true`,
  tries: number = 1,
) {
  const isOver = sql`ends_at <= ${now}`;
  const newEnd = sql`(${now} + ${window})`;
  const count = sql.raw(String(tries));
  const firstTry = { bucket, tries, endsAt: newEnd };
  return insertFrom(throttles, firstTry, sql`WHERE ${condition}`)
    .onConflictDoUpdate({
      target: throttles.bucket,
      set: {
        tries: sql`CASE WHEN ${isOver} THEN ${count} ELSE tries + ${count} END`,
        endsAt: sql`CASE WHEN ${isOver} THEN ${newEnd} ELSE min(ends_at, ${newEnd}) END`,
      },
    })
    .returning();
}

/**
 * Refuses the request if too many tries were counted.
 * @throws DomainError too_many, with the seconds until the window ends
 */
export function refuseTooMany(
  rateLimits: RateLimit[],
  counted: (typeof throttles.$inferSelect | undefined)[],
  now: Instant,
) {
  rateLimits.forEach((rateLimit, index) => {
    const count = counted[index];
    if (!count || count.tries <= rateLimit.limit) return;
    const seconds = Math.max(1, Math.ceil((count.endsAt - now) / 1000));
    const minutes = Math.ceil(seconds / 60);
    throw new DomainError(
      'too_many',
      msg`Too many tries. Please wait ${plural({ minutes }, { one: '# minute', other: '# minutes' })} and try again.`,
      seconds,
    );
  });
}

/** SQL: the counted tries are within the limit. */
export const isWithin = ({ bucket, limit }: { bucket: RateLimit['bucket']; limit: number | SQL }) =>
  sql`coalesce((SELECT tries FROM throttles WHERE bucket = ${bucket}), 0) <= ${limit}`;

/**
 * A try within limits: one transaction counts it, and does what is asked for if it is allowed. Without limits everything is.
 * @param condition SQL: it counts
 * @param tries that this one stands for
 */
export function tryWithin(
  rateLimits: RateLimit[],
  now: Instant,
  { condition, tries }: { condition?: SQL; tries?: number } = {},
) {
  return {
    /** The statements that count, and what they return. */
    count: rateLimits.map((rateLimit) => countTry(rateLimit, now, condition, tries)),
    /** SQL, after them: it is within the limits. */
    isAllowed: sql.join([sql`true`, ...rateLimits.map(isWithin)], sql` AND `),
    /** @throws DomainError too_many */
    refuse: (counted: Counted[]) =>
      refuseTooMany(
        rateLimits,
        counted.map(([row]) => row),
        now,
      ),
  };
}

/** What one counting statement returns. */
export type Counted = (typeof throttles.$inferSelect)[];

/** Counts a try in a round trip of its own. @throws DomainError too_many */
export async function countTries(db: Db, rateLimits: RateLimit[], now: Instant): Promise<void> {
  const { count, refuse } = tryWithin(rateLimits, now);
  refuse(await db.run(...count));
}
