import { msg, plural } from '@lingui/core/macro';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { invitations, parties, refusals, replacedInvitations } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict, DomainError, invalid } from '../errors';
import { fold } from '../input/fold';
import { limits } from '../input/limits';
import { isLoggedIn } from '../login/sessions.server';
import { storedAddress } from '../mail/addresses.server';
import { notFound } from '../not-found';
import type { Written } from '../one-time-keys.server';
import { oneTimeKey } from '../one-time-keys.server';
import type { Actor } from '../profile/accounts';
import { providerWords } from '../profile/former';
import type { Instant } from '../time/clock';
import { withCommas } from '../words/joined';
import type { Language } from '../words/languages';
import type { Words } from '../words/words';
import { insertNames, selectInvitations } from './invitations.server';
import type { Invitation, Invitee, Party } from './parties';
import type { HostedSummary } from './parties.server';
import { type Contact, noContact, tooManyNames } from './party-input';
import { readReplay, replayOf } from './replays.server';
import { contactFaults } from './rsvp-rules';
import { isStillOn, selectParties } from './select.server';

async function findByLink(db: Db, invitationId: string): Promise<{ party: Party; invitation: Invitation } | undefined> {
  const {
    invitation: [invitation],
    party: [party],
  } = await db.run({
    invitation: selectInvitations().where(and(eq(invitations.id, invitationId), isNull(invitations.accountId))),
    party: selectParties(sql`${parties.id} = (SELECT party_id FROM invitations WHERE id = ${invitationId})`),
  });
  return invitation && party && { party, invitation };
}

export const noInvitation = () => new DomainError('not_found', msg`Sorry, we couldn't find your invitation.`);

/** The error for people whose link the host has replaced. */
export function replacedInvitation(name: string): DomainError {
  const host = providerWords(name);
  return new DomainError(
    'not_found',
    msg`This link was replaced by ${host}. The new link shows your invitation: please ask them for it.`,
  );
}

/** Reads an invitation. @throws DomainError not_found */
export async function getInvitation(db: Db, id: string): Promise<Invitation> {
  const link = await findByLink(db, id);
  if (!link) throw noInvitation();
  return link.invitation;
}

/**
 * Stores somebody's RSVP by their personal link. A repeat returns the same.
 * @param meetupId the meetup that the link must belong to
 * @param lang in which they read and answer
 * @throws DomainError not_found, conflict (it is over), invalid (the host asks for an e-mail or phone)
 */
export async function rsvpByLink(
  db: Db,
  {
    id,
    meetupId,
    accepted,
    lang,
    contact = noContact,
  }: { id: string; meetupId?: string; accepted: boolean; lang?: Language; contact?: Contact },
  now: Instant,
): Promise<Invitation> {
  const own = and(
    eq(invitations.id, id),
    isNull(invitations.accountId),
    meetupId === undefined ? undefined : eq(invitations.partyId, meetupId),
  );
  const isComing = accepted ? 1 : 0;
  const { email, phone } = contact;
  // We store only the contact that the host asks for.
  const hostAsks = (column: 'ask_email' | 'ask_phone', is: SQL) =>
    sql`EXISTS (SELECT 1 FROM parties WHERE id = ${invitations.partyId} AND ${sql.identifier(column)} ${is})`;
  const isNewEmail = sql`(${email} IS NOT NULL AND ${email} IS NOT email AND ${hostAsks('ask_email', sql`<> 'no'`)})`;
  const isNewPhone = sql`(${phone} IS NOT NULL AND ${phone} IS NOT phone AND ${hostAsks('ask_phone', sql`<> 'no'`)})`;
  const {
    invitation: [invitation],
    meetup: [meetup],
  } = await db.run({
    saved: orm
      .update(invitations)
      .set({
        accepted,
        lang,
        rsvpAt: sql`iif(accepted IS ${isComing}, rsvp_at, ${now})`,
        phone: sql`iif(${isNewPhone}, ${phone}, phone)`,
        ...ownAddress(email, isNewEmail),
      })
      .where(
        and(
          own,
          sql`(${invitations.accepted} IS NOT ${isComing} OR ${isNewEmail} OR ${isNewPhone})`,
          sql`EXISTS (SELECT 1 FROM parties
            WHERE id = ${invitations.partyId} AND ends_at > ${now} AND deleted_at IS NULL AND (NOT ${isComing}
              OR (ask_email <> 'required' OR ${email} IS NOT NULL OR ${invitations.email} IS NOT NULL)
                AND (ask_phone <> 'required' OR ${phone} IS NOT NULL OR ${invitations.phone} IS NOT NULL)))`,
        ),
      ),
    invitation: selectInvitations().where(own),
    meetup: orm
      .select({ endsAt: parties.endsAt, askEmail: parties.askEmail, askPhone: parties.askPhone })
      .from(parties)
      .where(and(sql`${parties.id} = (SELECT party_id FROM invitations WHERE id = ${id})`, isStillOn)),
  });
  if (!invitation || !meetup) throw noInvitation();
  if (meetup.endsAt <= now) throw conflict(msg`This meetup is over.`);
  if (invitation.accepted !== accepted)
    throw new DomainError('invalid', contactFaults(meetup, invitation, contact, true));
  return invitation;
}

/** The address that somebody typed at their own link. From then on mail goes there. */
const ownAddress = (email: string | null, condition: SQL) => ({
  email: sql`iif(${condition}, ${email}, email)`,
  emailHash: sql`iif(${condition}, ${storedAddress(email).emailHash}, email_hash)`,
  emailIsOwn: sql`iif(${condition}, 1, email_is_own)`,
  mailEndedAt: sql`iif(${condition}, NULL, mail_ended_at)`,
  withheldMail: sql`iif(${condition}, NULL, withheld_mail)`,
});

const ownMeetup = (actor: Actor, id: SQL, now: Instant) => sql`EXISTS (SELECT 1 FROM parties
  WHERE id = ${id} AND kind = 'meetup' AND ${ownedBy(actor)} AND deleted_at IS NULL) AND ${isLoggedIn(actor, now)}`;

/** Says which names are on the list already. @param invitedNames those names; none if they were removed since */
function invitedAlready(invitedNames: string[]): Words {
  if (invitedNames.length === 0) return msg`One of these names is invited already.`;
  const first = invitedNames.slice(0, 3);
  const more = invitedNames.length - first.length;
  const quoted = first.map((name) => msg`“${name}”`);
  const names = more > 0 ? withCommas(quoted) : { list: quoted };
  if (more > 0)
    return msg`${names} and ${plural({ more }, { one: '# more are', other: '# more are' })} invited already.`;
  return first.length > 1 ? msg`${names} are invited already.` : msg`${names} is invited already.`;
}

/**
 * Adds names, all or none, and mails a link to those with an address. With the same key again it adds none.
 * @throws DomainError not_found, conflict (a name is there already), invalid (too many)
 */
export async function addAttendees(
  db: Db,
  actor: Actor,
  { id, invitees }: { id: string; invitees: Invitee[] },
  { now, key }: Written,
): Promise<HostedSummary> {
  const once = oneTimeKey(`${actor.accountId}:AddAttendees:${id}`, key, now);
  const adding = db.run({
    used: once.use(ownMeetup(actor, sql`${id}`, now)),
    names: insertNames(id, invitees, once.isOurs, now),
    counted: orm
      .update(parties)
      .set({ invited: sql`${parties.invited} + ${invitees.length}` })
      .where(and(eq(parties.id, id), once.isOurs)),
    result: once.store(replayOf(id)),
    bounded: insertFrom(
      refusals,
      { name: 'too_many_names' },
      sql`FROM parties WHERE id = ${id} AND invited > ${limits.party.names}`,
    ),
    stored: once.read(),
  });
  const {
    stored: [stored],
  } = await adding.catch(async (error: unknown) => {
    if (!(error instanceof RuleBroken)) throw error;
    if (error.rule === 'too_many_names') {
      throw invalid('attendees', tooManyNames);
    }
    if (error.rule !== 'invitations.party_id, invitations.invitee') throw error;
    const folded = JSON.stringify(invitees.map(({ name }) => fold(name)));
    const [there] = await db.run(
      selectInvitations().where(sql`party_id = ${id} AND invitee IN (SELECT value FROM json_each(${folded}))`),
    );
    throw new DomainError('conflict', [{ field: 'attendees', message: invitedAlready(there.map(({ name }) => name)) }]);
  });
  if (!stored) throw notFound('meetup');
  return readReplay(db, actor, 'meetup', stored.replay, now);
}

const ownLink = (actor: Actor, invitationId: string, now: Instant) => sql`EXISTS (SELECT 1 FROM invitations
  WHERE id = ${invitationId} AND ${ownMeetup(actor, sql`${invitations.partyId}`, now)})`;

/**
 * Takes a name off the list and ends its link. With the same key again it removes nothing.
 * @throws DomainError not_found
 */
export async function removeAttendee(
  db: Db,
  actor: Actor,
  invitationId: string,
  { now, key }: Written,
): Promise<string> {
  const once = oneTimeKey(`${actor.accountId}:RemoveAttendee:${invitationId}`, key, now);
  const name = sql`(SELECT json_quote(name) FROM invitations WHERE id = ${invitationId})`;
  const {
    removed: [removed],
  } = await db.run({
    used: once.use(ownLink(actor, invitationId, now), name),
    name: orm.delete(invitations).where(and(eq(invitations.id, invitationId), sql`${once.result('$')} IS NOT NULL`)),
    removed: once.read(),
  });
  if (!removed) throw noInvitation();
  return removed.replay as string;
}

/**
 * Gives a name a new link, and mails it if there is an address. The RSVP stays. With the same key again nothing
 * changes.
 * @throws DomainError not_found
 */
export async function replaceLink(
  db: Db,
  actor: Actor,
  invitationId: string,
  { now, key }: Written,
): Promise<Invitation> {
  const id = newId();
  const once = oneTimeKey(`${actor.accountId}:ReplaceLink:${invitationId}`, key, now);
  const {
    invitation: [invitation],
  } = await db.run({
    used: once.use(ownLink(actor, invitationId, now)),
    remembered: insertFrom(
      replacedInvitations,
      { id: invitationId, partyId: parties.id, forgetAt: parties.endsAt },
      sql`FROM parties WHERE id = (SELECT party_id FROM invitations WHERE id = ${invitationId}) AND ${once.isOurs}`,
    ).onConflictDoNothing(),
    replaced: orm
      .update(invitations)
      .set({ id, emailAt: sql`iif(email IS NULL, NULL, ${now})` })
      .where(and(eq(invitations.id, invitationId), once.isOurs)),
    result: once.store(sql`json_quote(${id})`),
    invitation: selectInvitations().where(eq(invitations.id, once.stored)),
  });
  if (!invitation) throw noInvitation();
  return invitation;
}

/**
 * Sets a name's address and mails the invitation there. Null ends mail to the name. If the address stays the same,
 * nothing is sent, even if its owner has unsubscribed.
 * @throws DomainError not_found
 */
export async function setAttendeeEmail(
  db: Db,
  actor: Actor,
  { id, email }: { id: string; email: string | null },
  now: Instant,
): Promise<Invitation> {
  const own = and(eq(invitations.id, id), ownLink(actor, id, now));
  const ended = sql`(SELECT ended_at FROM mail_contacts
    WHERE sender_id = ${actor.accountId} AND email_hash = ${storedAddress(email).emailHash})`;
  const {
    invitation: [invitation],
  } = await db.run({
    changed: orm
      .update(invitations)
      .set({
        ...storedAddress(email),
        emailAt: email === null ? null : now,
        emailIsOwn: false,
        mailEndedAt: ended,
        withheldMail: null,
      })
      .where(and(own, sql`${invitations.email} IS NOT ${email}`)),
    invitation: selectInvitations().where(own),
  });
  if (!invitation) throw noInvitation();
  return invitation;
}
