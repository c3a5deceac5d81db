import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { bookings } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { invalid } from '../errors';
import type { Links } from '../links.server';
import { countTry, type Origin, type RateLimit, refuseTooMany } from '../login/throttles.server';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import { minute } from '../time/clock';
import { isIn, linkSeedOf } from './appointments.server';
import { status } from './status';

/* Codes on paper. Whoever was booked by a provider types one once, and has the personal link from then on. */

/** How many codes one network may try in a quarter of an hour: a waiting room is one network. */
const triesFrom = (address: string): RateLimit => ({ bucket: `claim:${address}`, limit: 30, window: 15 * minute });

/** Said of a code that was never one, was used, or is of a booking that is canceled: whoever guesses learns nothing. */
const noCode = () =>
  invalid(
    'code',
    'This code opens nothing. It may have been used already, or the appointment is canceled. Please compare it with the paper, or ask whoever gave it to you for a new link.',
  );

/**
 * Spends a code, and returns what the personal link is made of that it stands for. It is good once; the same form sent again
 * returns the same.
 * @param code as `typedCode` reads it
 * @throws DomainError invalid (no code, or a spent one), too_many
 */
export async function spendCode(
  db: Db,
  links: Links,
  code: string,
  { now, key, origin }: Written & { origin: Origin },
): Promise<string> {
  const hash = links.hashOfCode(code);
  const rateLimit = origin && triesFrom(origin.address);
  const isWithin = rateLimit
    ? sql`(SELECT tries FROM throttles WHERE bucket = ${rateLimit.bucket}) <= ${rateLimit.limit}`
    : sql`true`;
  const isMeant = and(eq(bookings.claimHash, hash), isIn(status.booked));
  const found = sql`SELECT json_quote(${linkSeedOf}) FROM ${bookings} WHERE ${isMeant}`;
  const once = oneTimeKey(`claim:${hash}`, key, now);
  const {
    counted,
    kept: [kept],
  } = await db.run({
    counted: rateLimit ? countTry(rateLimit, now) : undefined,
    claimed: once.claim(sql`${isWithin} AND EXISTS (${found})`, sql`(${found})`),
    // A mark before it: the booking stays one that the provider has made for somebody.
    spent: orm
      .update(bookings)
      .set({ claimHash: sql`'spent ' || claim_hash` })
      .where(and(isMeant, sql`${once.answered('$')} IS NOT NULL`)),
    kept: once.read(),
  });
  if (rateLimit) refuseTooMany([rateLimit], counted ?? [], now);
  if (typeof kept?.replay !== 'string') throw noCode();
  return kept.replay;
}
