import { type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { bookings, messages } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import { hasAccess, type LinkHolder } from '../bookings/link-holders.server';
import { notFound } from '../errors';
import { isLoggedIn } from '../login/sessions.server';
import { type HeldMail, heldMail } from '../mail/held-mail';
import { sendHeld } from '../mail/held-mail.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { idsOfBookedMail } from './ways.server';

const heldOf = (id: Placeholder | string, me: Placeholder | string) => sql`FROM ${bookings}
  CROSS JOIN accounts AS booker ON booker.id = ${bookings.bookerId} AND booker.email_by = ${bookings.providerId}
  CROSS JOIN messages AS held ON held.account_id = booker.id AND held.booking_id = ${bookings.id}
    AND held.sender_id = ${bookings.providerId} AND (held.mail_state = 'held' OR held.mail_state = 'waiting')
  WHERE ${hasId(bookings, id)} AND ${ownedBy(me, bookings)}`;

const selectHeld = statement<{ id: string; me: string }>()(({ id, me }) =>
  orm
    .select({
      held: sql<string | null>`(SELECT held.mail_state || ' ' || held.reason ${heldOf(id, me)}
        ORDER BY held.created_at DESC LIMIT 1)`
        .mapWith(heldMail)
        .as('held'),
    })
    .from(sql`(SELECT 1)`),
);

/** Finds the last mail about a booking if a limit holds it back; null if that mail was sent, or there was none. */
export async function findHeldBookingMail(db: Db, { accountId }: Actor, id: string): Promise<HeldMail | null> {
  const { mail } = await db.run({ mail: selectHeld({ id, me: accountId }) });
  return mail[0]?.held ?? null;
}

/**
 * Sends the mails that a limit held back: now if a new day has begun or the provider has confirmed an address, else the
 * next day.
 * @returns why they are still held; null if they are on their way
 * @throws DomainError not_found
 */
export async function sendHeldBookingMail(db: Db, actor: Actor, id: string, now: Instant): Promise<HeldMail | null> {
  const me = actor.accountId;
  const { own, mail } = await db.run({
    sent: sendHeld(sql`${messages.id} IN (SELECT held.id ${heldOf(id, me)}) AND ${isLoggedIn(actor, now)}`, now),
    own: orm
      .select({ id: bookings.id })
      .from(bookings)
      .where(sql`${hasId(bookings, id)} AND ${ownedBy(me)}`),
    mail: selectHeld({ id, me }),
  });
  if (own.length === 0) throw notFound('booking');
  return mail[0]?.held ?? null;
}

/**
 * Sends the mail about the booking that a limit of the reader's address holds back, when `sendHeldBookingMail` would.
 * The address, the limit and the link count as they are then.
 */
export async function sendHeldMailByLink(db: Db, holder: LinkHolder, now: Instant): Promise<void> {
  const id = holder.bookingId;
  await db.run(
    sendHeld(
      sql`${messages.id} IN (SELECT held.id FROM ${bookings} CROSS JOIN messages AS held
          ON held.id IN ${idsOfBookedMail(sql`bookings.booker_id`)} WHERE ${hasId(bookings, id)} AND ${isBooked()})
        AND ${messages.reason} = 'full' AND ${hasAccess(holder, id, now)}`,
      now,
    ),
  );
}
