import { and, eq, type SQL, sql } from 'drizzle-orm';
import { throttles } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { limits } from '../input/limits';
import { type Instant, minute } from '../time/clock';
import { countTry, type Origin, type RateLimit, refuseTooMany } from './throttles.server';

/* How often a password may be tried, wherever it is asked for: at a login, and where it is changed. */

const perName = { limit: 10, window: 15 * minute };
const perAddress = { limit: 200, window: 15 * minute };

/**
 * The tries at one account. Those of a device that has logged in to it are counted by themselves: whoever tries wrong
 * passwords from elsewhere keeps nobody out of their own account.
 */
const triesAt = (name: SQL, account: SQL, device: NonNullable<Origin>['device']): RateLimit => ({
  bucket: device
    ? sql`'login:' || ${name} || iif(${account} IS ${device.accountId}, ${` ${device.id}`}, '')`
    : sql`'login:' || ${name}`,
  ...perName,
});

type Counted = (typeof throttles.$inferSelect)[];

/** The statements that count a try, what to do with their results, and the statement that forgets it was one. */
function tries(rateLimits: RateLimit[], now: Instant) {
  return {
    count: rateLimits.map((rateLimit) => countTry(rateLimit, now)),
    /** Takes the results of `count`. @throws DomainError too_many */
    check: (counted: unknown[]) =>
      refuseTooMany(
        rateLimits,
        counted.map((rows) => (rows as Counted)[0]),
        now,
      ),
    /** The password was right, so those tries were no guesses. */
    forget: (counted: unknown[], condition?: SQL) => {
      const [row] = (counted[0] ?? []) as Counted;
      return row ? [orm.delete(throttles).where(and(eq(throttles.bucket, row.bucket), condition))] : [];
    },
  };
}

const of = (name: SQL, account: SQL, origin: Origin, now: Instant) =>
  tries(
    origin ? [triesAt(name, account, origin.device), { bucket: `login-from:${origin.address}`, ...perAddress }] : [],
    now,
  );

/** Tries at the password of whoever has this username, which may be nobody's. */
export function triesByName(usernameFolded: string, origin: Origin, now: Instant) {
  // A beginning is enough of what is too long for a name.
  const name = sql`${usernameFolded.slice(0, 2 * limits.username.max)}`;
  return of(name, sql`(SELECT id FROM accounts WHERE username_folded = ${usernameFolded})`, origin, now);
}

/** Tries at links that set a new password. */
export const triesAtLinks = (origin: Origin, now: Instant) =>
  tries(origin ? [{ bucket: `reset-from:${origin.address}`, ...perName }] : [], now);

/** Tries at the password of this account. */
export const triesByAccount = (id: string, origin: Origin, now: Instant) =>
  of(sql`coalesce((SELECT username_folded FROM accounts WHERE id = ${id}), '')`, sql`${id}`, origin, now);
