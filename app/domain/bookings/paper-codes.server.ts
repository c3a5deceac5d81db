import { msg } from '@lingui/core/macro';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { bookings } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import { invalid } from '../errors';
import type { Links } from '../links.server';
import { type Origin, type RateLimit, tryWithin } from '../login/throttles.server';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import { linkSourceOf } from '../people/client-columns.server';
import { minute } from '../time/clock';

/** Limits tries from one network. The limit is high, because all phones in a waiting room share a network. */
const codeTryLimit = (address: string): RateLimit => ({
  bucket: `paper-code:${address}`,
  limit: 30,
  window: 15 * minute,
});

// A wrong, used or canceled code gets the same words, so that guessing reveals nothing.
const noCode = () =>
  invalid(
    'code',
    msg`This code opens nothing. It may have been used already, or the appointment is canceled. Please compare it with the paper, or ask whoever gave it to you for a new link.`,
  );

/**
 * Uses up a code, and gives its booking to the actor. The same form sent again returns the same booking.
 * @param code as `typedCode` reads it
 * @throws DomainError invalid (a wrong or used code), too_many
 */
export async function spendCode(
  db: Db,
  links: Links,
  code: string,
  { now, key, origin }: Written & { origin: Origin },
): Promise<string> {
  const hash = links.hashOfCode(code);
  const tries = tryWithin(origin ? [codeTryLimit(origin.address)] : [], now);
  const isMeant = and(eq(bookings.codeHash, hash), isBooked(bookings));
  const linkSource = sql`SELECT json_quote(${linkSourceOf}) FROM ${bookings} WHERE ${isMeant}`;
  const once = oneTimeKey(`paper-code:${hash}`, key, now);
  const {
    counted,
    stored: [stored],
  } = await db.run({
    counted: tries.count,
    used: once.use(sql`${tries.isAllowed} AND EXISTS (${linkSource})`, sql`(${linkSource})`),
    // Marks the booking as made by the provider for a client.
    spent: orm
      .update(bookings)
      .set({ codeHash: sql`'spent ' || code_hash` })
      .where(and(isMeant, sql`${once.result('$')} IS NOT NULL`)),
    stored: once.read(),
  });
  tries.refuse(counted);
  if (typeof stored?.replay !== 'string') throw noCode();
  return stored.replay;
}
