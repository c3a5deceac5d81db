import { msg } from '@lingui/core/macro';
import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { orm } from '../../../db/statement';
import { isToCome, isWaiting, literal, readState } from '../../../db/states';
import { invalid } from '../errors';
import { email } from '../input/fields';
import { type Origin, type RateLimit, tryWithin } from '../login/throttles.server';
import { hashOfAddress } from '../mail/addresses.server';
import { day, type Instant, minute } from '../time/clock';
import { wouldBeWithheld } from './ways.server';

// Whoever has lost a personal link asks for it by their address. The response doesn't tell who has booked.

/** As many links a day, so that a stranger who asks leaves room for other mail. */
const mostLinks = 5;

export const linksAreSent = msg`If appointments, places in line or answers to parties belong to this address, a mail with the link of each is on its way.`;

export const lostLinks = z.object({ email });

/**
 * Mails the links of the next appointments, places in line and answers to parties to the address that they belong to:
 * each once a day, and within all limits of mail. If there are none, it looks and takes the same.
 * @throws DomainError too_many, invalid (nothing was typed)
 */
export async function sendLinks(
  db: Db,
  { email: address }: z.output<typeof lostLinks>,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<void> {
  if (address === null) throw invalid('email', msg`Type your e-mail address.`);
  const hash = hashOfAddress(address);
  const rateLimits: RateLimit[] = origin
    ? [
        { bucket: `links:${hash}`, limit: 10, window: 15 * minute },
        { bucket: `links-from:${origin.address}`, limit: 30, window: 15 * minute },
      ]
    : [];
  const { count, isAllowed, refuse } = tryWithin(rateLimits, now);
  const today = Math.floor(now / day);
  const isComing = sql`${isToCome(now, 'bookings')} AND bookings.link_seed IS NOT NULL`;
  const booked = sql`'booked' AS kind, bookings.id AS thing, bookings.booker_id AS reader, bookings.id AS booking,
    NULL AS party, NULL AS actor, '{}' AS data, bookings.starts_at AS at, bookings.email AS email, bookings.email_hash AS hash`;
  const inLine = sql`'wish', wishes.id, wishes.account_id, NULL, NULL, wishes.provider_id,
    coalesce((SELECT data FROM messages WHERE id = 'wish:' || wishes.id), json_object('wish', wishes.id)),
    wishes.from_at, NULL, NULL`;
  const rsvp = sql`'answered', invitations.id, invitations.account_id, NULL, parties.id, NULL,
    json_object('isComing', invitations.accepted, 'brings', invitations.plus_ones), parties.starts_at, invitations.email, invitations.email_hash`;
  const ofGuest = sql`CROSS JOIN parties ON parties.id = invitations.party_id AND parties.ends_at > ${now} AND parties.deleted_at IS NULL
    WHERE invitations.link_hash IS NOT NULL`;
  // What a limit withholds is no mail here: a provider who typed the address would read of what they didn't ask for.
  const isMailable = sql`(client.email_confirmed_at IS NOT NULL OR NOT ${wouldBeWithheld({
    kind: sql`'booked'`,
    hash: sql`client.email_hash`,
    sender: sql`client.email_by`,
  })})`;
  const isAddressOf = (thing: 'bookings' | 'client' | 'invitations') =>
    sql`${sql.identifier(thing)}.email_hash = ${hash} AND lower(${sql.identifier(thing)}.email) = ${address.toLowerCase()}`;
  const isTheirs = sql`${isAddressOf('client')} AND ${isMailable}`;
  const { counted } = await db.run({
    counted: count,
    // The address of one booking or answer goes before that of its guest, as in all mail about it.
    mails: orm.run(sql`INSERT INTO notices
        (kind, once, account_id, booking_id, party_id, actor_id, data, at, is_read, email, email_hash)
      SELECT kind, 'link:' || ${today} || ':' || thing, reader, booking, party, actor, data, ${now}, ${literal(readState.noNews)}, email, hash FROM (
        SELECT ${booked} FROM bookings
          WHERE ${isAddressOf('bookings')} AND ${isComing}
        UNION ALL
        SELECT ${booked} FROM accounts AS client CROSS JOIN bookings ON bookings.booker_id = client.id
          WHERE ${isTheirs} AND bookings.email IS NULL AND ${isComing}
        UNION ALL
        SELECT ${inLine} FROM accounts AS client CROSS JOIN wishes ON wishes.account_id = client.id
          WHERE ${isTheirs} AND ${isWaiting('wishes')} AND wishes.until_at > ${now}
        UNION ALL
        SELECT ${rsvp} FROM invitations ${ofGuest} AND ${isAddressOf('invitations')}
        UNION ALL
        SELECT ${rsvp} FROM accounts AS client CROSS JOIN invitations ON invitations.account_id = client.id
          ${ofGuest} AND ${isTheirs} AND invitations.email IS NULL
        ORDER BY at LIMIT ${mostLinks})
      WHERE ${isAllowed}`),
  });
  refuse(counted);
}
