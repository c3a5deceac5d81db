import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { invitations, messages } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isLoggedIn } from '../login/sessions.server';
import { sendHeld } from '../mail/held-mail.server';
import { answeredMail } from '../messages/event-ways.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { noInvitation } from './attendees.server';
import { selectInvitations } from './invitations.server';
import type { Invitation } from './parties';
import type { AnswerHolder } from './rsvps.server';

/**
 * Sends a mail to a name that a limit held back: now if a new day has begun or the host has confirmed an address since,
 * else the next day. A repeat changes nothing.
 * @throws DomainError not_found
 */
export async function sendHeldMail(db: Db, actor: Actor, invitationId: string, now: Instant): Promise<Invitation> {
  const own = and(
    eq(invitations.id, invitationId),
    sql`EXISTS (SELECT 1 FROM parties WHERE id = ${invitations.partyId} AND ${ownedBy(actor)})`,
    isLoggedIn(actor, now),
  );
  const heldMailId = orm.select({ id: invitations.heldMail }).from(invitations).where(own);
  const {
    invitation: [invitation],
  } = await db.run({
    mail: sendHeld(sql`${messages.id} IN ${heldMailId}`, now),
    invitation: selectInvitations().where(own),
  });
  if (!invitation) throw noInvitation();
  return invitation;
}

async function sendAnsweredMail(db: Db, own: SQL, now: Instant): Promise<void> {
  await db.run(
    sendHeld(
      sql`${messages.id} = (SELECT ${answeredMail.id} FROM ${invitations} WHERE ${own}) AND ${messages.reason} = 'full'`,
      now,
    ),
  );
}

/** Sends the mail about an answer that a limit of the guest's address holds back, when `sendHeldMail` would. */
export const sendMailOfAnswer = (db: Db, { linkHash }: AnswerHolder, now: Instant): Promise<void> =>
  sendAnsweredMail(db, sql`link_hash = ${linkHash}`, now);

/** Does as `sendMailOfAnswer` for a meetup's name, whose link has this id. */
export const sendMailOfName = (db: Db, id: string, now: Instant): Promise<void> =>
  sendAnsweredMail(db, sql`invitations.id = ${id} AND invitations.account_id IS NULL`, now);
