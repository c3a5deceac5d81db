import { eq, type SQL, sql } from 'drizzle-orm';
import { hasId } from '../../../db/ids';
import { bookings, invitations, messages, parties, wishes } from '../../../db/schema';
import { isBooked, isHeld, isWaiting } from '../../../db/states';
import type { Current } from './kinds/kind';

/** SQL: the reader's own invitation; in a mail to a name of a meetup, that of its link. */
export const isOwnInvitation = sql`${invitations.id} = coalesce(${messages.invitationId}, (SELECT id FROM invitations AS own
  WHERE own.party_id = ${messages.partyId} AND own.invitee = ${messages.accountId}))`;

/** SQL: how a message finds what it is about. */
export const isAbout = {
  booking: hasId(bookings, messages.bookingId),
  event: eq(parties.id, messages.partyId),
  invitation: isOwnInvitation,
  wish: sql`${wishes.providerId} = ${messages.actorId} AND ${wishes.id} = ${messages.data} ->> 'wish'`,
};

const yesOrNo = (condition: SQL) => sql`json(CASE ${condition} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)`;
const ifFound = (id: SQL, fields: SQL) => sql`json(CASE WHEN ${id} IS NOT NULL THEN json_object(${fields}) END)`;

const booking = ifFound(
  sql`${bookings.id}`,
  sql`'isBooked', ${yesOrNo(isBooked(bookings))}, 'isReaders', ${yesOrNo(sql`${bookings.bookerId} = ${messages.accountId}`)},
    'startsAt', ${bookings.startsAt}, 'heldUntil', iif(${isHeld(bookings)}, ${bookings.heldUntil}, NULL)`,
);
const event = ifFound(
  sql`${parties.id}`,
  sql`'isCalledOff', ${yesOrNo(sql`${parties.deletedAt} IS NOT NULL`)}, 'startsAt', ${parties.startsAt}, 'endsAt', ${parties.endsAt}`,
);
const invitation = ifFound(
  sql`${invitations.id}`,
  sql`'isComing', ${yesOrNo(sql`${invitations.accepted}`)}, 'rsvpAt', ${invitations.rsvpAt},
    'isMailEnded', ${yesOrNo(sql`${invitations.mailEndedAt} IS NOT NULL`)}`,
);

// The message is the owner's who invites.
const canJoin = sql`CASE WHEN ${messages.kind} = 'join-shop' THEN EXISTS (SELECT 1 FROM shop_invitations AS shops
  WHERE shops.shop_id = (SELECT shop_id FROM colleagues WHERE account_id = ${messages.accountId} AND role = 'owner')
    AND shops.id = ${messages.invitationId} AND shops.used_by IS NULL AND shops.ends_at > unixepoch() * 1000) ELSE 0 END`;

/** SQL: what a message is about as it stands now, in a query that joins all that it `isAbout`. */
export const current = sql`json_object('booking', ${booking}, 'event', ${event}, 'invitation', ${invitation},
    'isInLine', ${yesOrNo(sql`ifnull(${isWaiting(wishes)}, 0)`)}, 'canJoin', ${yesOrNo(canJoin)})`
  .mapWith((json: string): Current => JSON.parse(json))
  .as('current_state');
