import { type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { bookings, messages } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import { hasAccess, type LinkOwner } from '../bookings/link-owners.server';
import { isLoggedIn } from '../login/sessions.server';
import { type WithheldMail, withheldMail } from '../mail/withheld-mail';
import { sendWithheld } from '../mail/withheld-mail.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { idsOfBookedMail } from './ways.server';

const withheldOf = (id: Placeholder | string, me: Placeholder | string) => sql`FROM ${bookings}
  CROSS JOIN accounts AS booker ON booker.id = ${bookings.bookerId} AND booker.email_by = ${bookings.providerId}
  CROSS JOIN messages AS withheld ON withheld.account_id = booker.id AND withheld.booking_id = ${bookings.id}
    AND withheld.sender_id = ${bookings.providerId} AND (withheld.mail_state = 'withheld' OR withheld.mail_state = 'waiting')
  WHERE ${hasId(bookings, id)} AND ${ownedBy(me, bookings)}`;

const selectWithheld = statement<{ id: string; me: string }>()(({ id, me }) =>
  orm
    .select({
      withheld: sql<string | null>`(SELECT withheld.mail_state || ' ' || withheld.reason ${withheldOf(id, me)}
        ORDER BY withheld.created_at DESC LIMIT 1)`
        .mapWith(withheldMail)
        .as('withheld'),
    })
    .from(sql`(SELECT 1)`),
);

/** Finds the last mail about a booking if a limit withholds it; null if that mail was sent, or there was none. */
export async function findWithheldBookingMail(db: Db, { accountId }: Actor, id: string): Promise<WithheldMail | null> {
  const { mail } = await db.run({ mail: selectWithheld({ id, me: accountId }) });
  return mail[0]?.withheld ?? null;
}

/**
 * Sends the mails that a limit withheld: now if a new day has begun or the provider has confirmed an address, else the
 * next day.
 * @returns why they are still withheld; null if they are on their way
 * @throws DomainError not_found
 */
export async function sendWithheldBookingMail(
  db: Db,
  actor: Actor,
  id: string,
  now: Instant,
): Promise<WithheldMail | null> {
  const me = actor.accountId;
  const { own, mail } = await db.run({
    sent: sendWithheld(
      sql`${messages.id} IN (SELECT withheld.id ${withheldOf(id, me)}) AND ${isLoggedIn(actor, now)}`,
      now,
    ),
    own: orm
      .select({ id: bookings.id })
      .from(bookings)
      .where(sql`${hasId(bookings, id)} AND ${ownedBy(me)}`),
    mail: selectWithheld({ id, me }),
  });
  if (own.length === 0) throw notFound('booking');
  return mail[0]?.withheld ?? null;
}

/**
 * Sends the mail about the booking that a limit of the reader's address withholds, when `sendWithheldBookingMail` would.
 * The address, the limit and the link count as they are then.
 */
export async function sendWithheldMailByLink(db: Db, owner: LinkOwner, now: Instant): Promise<void> {
  const id = owner.bookingId;
  await db.run(
    sendWithheld(
      sql`${messages.id} IN (SELECT withheld.id FROM ${bookings} CROSS JOIN messages AS withheld
          ON withheld.id IN ${idsOfBookedMail(sql`bookings.booker_id`)} WHERE ${hasId(bookings, id)} AND ${isBooked()})
        AND ${messages.reason} = 'full' AND ${hasAccess(owner, id, now)}`,
      now,
    ),
  );
}
