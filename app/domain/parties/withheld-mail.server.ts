import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { invitations, messages } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isLoggedIn } from '../login/sessions.server';
import { sendWithheld } from '../mail/withheld-mail.server';
import { rsvpMail } from '../messages/event-ways.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { noInvitation } from './attendees.server';
import { selectInvitations } from './invitations.server';
import type { Invitation } from './parties';
import type { RsvpLinkOwner } from './rsvps.server';

/**
 * Sends a mail to a name that a limit withheld: now if a new day has begun or the host has confirmed an address since,
 * else the next day. A repeat changes nothing.
 * @throws DomainError not_found
 */
export async function sendWithheldMail(db: Db, actor: Actor, invitationId: string, now: Instant): Promise<Invitation> {
  const own = and(
    eq(invitations.id, invitationId),
    sql`EXISTS (SELECT 1 FROM parties WHERE id = ${invitations.partyId} AND ${ownedBy(actor)})`,
    isLoggedIn(actor, now),
  );
  const withheldMailId = orm.select({ id: invitations.withheldMail }).from(invitations).where(own);
  const {
    invitation: [invitation],
  } = await db.run({
    mail: sendWithheld(sql`${messages.id} IN ${withheldMailId}`, now),
    invitation: selectInvitations().where(own),
  });
  if (!invitation) throw noInvitation();
  return invitation;
}

async function sendRsvpMail(db: Db, own: SQL, now: Instant): Promise<void> {
  await db.run(
    sendWithheld(
      sql`${messages.id} = (SELECT ${rsvpMail.id} FROM ${invitations} WHERE ${own}) AND ${messages.reason} = 'full'`,
      now,
    ),
  );
}

/** Sends the mail about an RSVP that a limit of the guest's address withholds, when `sendWithheldMail` would. */
export const sendMailOfRsvp = (db: Db, { linkHash }: RsvpLinkOwner, now: Instant): Promise<void> =>
  sendRsvpMail(db, sql`link_hash = ${linkHash}`, now);

/** Does as `sendMailOfRsvp` for a meetup's name, whose link has this id. */
export const sendMailOfName = (db: Db, id: string, now: Instant): Promise<void> =>
  sendRsvpMail(db, sql`invitations.id = ${id} AND invitations.account_id IS NULL`, now);
