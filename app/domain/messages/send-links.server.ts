import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { orm } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import { invalid } from '../errors';
import { email } from '../input/fields';
import { countTry, isWithin, type Origin, type RateLimit, refuseTooMany } from '../login/throttles.server';
import { hashOfAddress } from '../mail/addresses.server';
import { day, type Instant, minute } from '../time/clock';

// Whoever has lost a personal link asks for it by their address. The response doesn't tell who has booked.

/** As many links a day, so that a stranger who asks leaves room for other mail. */
const mostLinks = 5;

export const linksAreSent =
  'If coming appointments were booked with this address, a mail with the link of each is on its way.';

export const lostLinks = z.object({ email });

/**
 * Mails the links of the next appointments to the address that they were booked with: each once a day, and within all
 * limits of mail. If there are none, it looks and takes the same.
 * @throws DomainError too_many, invalid (nothing was typed)
 */
export async function sendLinks(
  db: Db,
  { email: address }: z.output<typeof lostLinks>,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<void> {
  if (address === null) throw invalid('email', 'Type the e-mail address that you booked with.');
  const hash = hashOfAddress(address);
  const rateLimits: RateLimit[] = origin
    ? [
        { bucket: `links:${hash}`, limit: 10, window: 15 * minute },
        { bucket: `links-from:${origin.address}`, limit: 30, window: 15 * minute },
      ]
    : [];
  const today = Math.floor(now / day);
  const isComing = sql`${isBooked('bookings')} AND bookings.starts_at > ${now} AND bookings.link_seed IS NOT NULL`;
  const columns = sql`bookings.id, bookings.booker_id, bookings.starts_at, bookings.email, bookings.email_hash`;
  const { counted } = await db.run({
    counted: rateLimits.map((rateLimit) => countTry(rateLimit, now)),
    // The address of one booking goes before that of its client, as in all mail about it.
    mails: orm.run(sql`INSERT INTO messages (id, account_id, kind, booking_id, created_at, is_read, email, email_hash)
      SELECT 'link:' || ${today} || ':' || id, booker_id, 'booked', id, ${now}, 2, email, email_hash FROM (
        SELECT ${columns} FROM bookings
          WHERE bookings.email_hash = ${hash} AND lower(bookings.email) = ${address.toLowerCase()} AND ${isComing}
        UNION ALL
        SELECT ${columns} FROM accounts CROSS JOIN bookings ON bookings.booker_id = accounts.id
          WHERE accounts.email_hash = ${hash} AND lower(accounts.email) = ${address.toLowerCase()}
            AND bookings.email IS NULL AND ${isComing}
        ORDER BY starts_at LIMIT ${mostLinks})
      WHERE ${sql.join([sql`true`, ...rateLimits.map(isWithin)], sql` AND `)}
      ON CONFLICT DO NOTHING`),
  });
  refuseTooMany(
    rateLimits,
    counted.map(([row]) => row),
    now,
  );
}
