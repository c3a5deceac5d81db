import { and, eq, type SQL, sql } from 'drizzle-orm';
import { throttles } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { limits } from '../input/limits';
import { type Instant, minute } from '../time/clock';
import { type Counted, type Origin, type RateLimit, tryWithin } from './throttles.server';

const perName = { limit: 10, window: 15 * minute };
const perAddress = { limit: 200, window: 15 * minute };

// A known device has its own limit. So wrong passwords from elsewhere don't lock its owner out.
const triesAt = (name: SQL, account: SQL, device: NonNullable<Origin>['device']): RateLimit => ({
  bucket: device
    ? sql`'login:' || ${name} || iif(${account} IS ${device.accountId}, ${` ${device.id}`}, '')`
    : sql`'login:' || ${name}`,
  ...perName,
});

function tries(rateLimits: RateLimit[], now: Instant) {
  return {
    ...tryWithin(rateLimits, now),
    /** The statements that forget tries which led to the right password. */
    forget: (counted: Counted[], condition?: SQL) => {
      const [row] = counted[0] ?? [];
      return row ? [orm.delete(throttles).where(and(eq(throttles.bucket, row.bucket), condition))] : [];
    },
  };
}

const triesAtName = (name: SQL, account: SQL, origin: Origin, now: Instant) =>
  tries(
    origin ? [triesAt(name, account, origin.device), { bucket: `login-from:${origin.address}`, ...perAddress }] : [],
    now,
  );

/** Counts tries for a username, which may be unknown. */
export function triesByName(usernameFolded: string, origin: Origin, now: Instant) {
  // For a name that is too long, its beginning is enough.
  const name = sql`${usernameFolded.slice(0, 2 * limits.username.max)}`;
  return triesAtName(name, sql`(SELECT id FROM accounts WHERE username_folded = ${usernameFolded})`, origin, now);
}

export const triesAtLinks = (origin: Origin, now: Instant) =>
  tries(origin ? [{ bucket: `reset-from:${origin.address}`, ...perName }] : [], now);

export const triesByAccount = (id: string, origin: Origin, now: Instant) =>
  triesAtName(sql`coalesce((SELECT username_folded FROM accounts WHERE id = ${id}), '')`, sql`${id}`, origin, now);
