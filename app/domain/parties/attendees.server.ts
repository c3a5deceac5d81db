import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { invitations, parties, refusals } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { conflict, DomainError, invalid, notFound } from '../errors';
import { fold } from '../input/fold';
import { limits } from '../input/limits';
import type { Written } from '../one-time-keys.server';
import { oneTimeKey } from '../one-time-keys.server';
import type { Instant } from '../time/clock';
import { insertNames, selectInvitations } from './invitations.server';
import type { Invitation, Invitee, Party } from './parties';
import type { HostedInShort } from './parties.server';
import { readReplay, replayOf } from './replays.server';
import { selectParties, stands } from './select.server';

/** A meetup by a name's personal link; undefined where there is no such link. */
async function findByLink(db: Db, invitationId: string): Promise<{ party: Party; invitation: Invitation } | undefined> {
  const [[invitation], [party]] = await db.run(
    selectInvitations().where(and(eq(invitations.id, invitationId), isNull(invitations.accountId))),
    selectParties(sql`${parties.id} = (SELECT party_id FROM invitations WHERE id = ${invitationId})`),
  );
  return invitation && party && { party, invitation };
}

/** The refusal of a personal link that there is not, or not any more. */
export const noInvitation = () => new DomainError('not_found', "Sorry, we couldn't find your invitation.");

/** The invitation of a personal link. @throws DomainError not_found */
export async function getInvitation(db: Db, id: string): Promise<Invitation> {
  const found = await findByLink(db, id);
  if (!found) throw noInvitation();
  return found.invitation;
}

/**
 * An invitee's answer by their personal link, which is the key. A repeat answers the same.
 * @param meetupId where given, the meetup that the link must belong to
 * @throws DomainError not_found, conflict (it is over)
 */
export async function rsvpByLink(
  db: Db,
  { id, meetupId, accepted }: { id: string; meetupId?: string; accepted: boolean },
  now: Instant,
): Promise<Invitation> {
  const own = and(
    eq(invitations.id, id),
    isNull(invitations.accountId),
    meetupId === undefined ? undefined : eq(invitations.partyId, meetupId),
  );
  const [, [invitation], [meetup]] = await db.run(
    orm
      .update(invitations)
      .set({ accepted, answeredAt: now })
      .where(
        and(
          own,
          sql`${invitations.accepted} IS NOT ${accepted ? 1 : 0}`,
          sql`EXISTS (SELECT 1 FROM parties
            WHERE id = ${invitations.partyId} AND ends_at > ${now} AND deleted_at IS NULL)`,
        ),
      ),
    selectInvitations().where(own),
    orm
      .select({ endsAt: parties.endsAt })
      .from(parties)
      .where(and(sql`${parties.id} = (SELECT party_id FROM invitations WHERE id = ${id})`, stands)),
  );
  if (!invitation || !meetup) throw noInvitation();
  if (meetup.endsAt <= now) throw conflict('This meetup is over.');
  return invitation;
}

const ownMeetup = (actor: Actor, id: SQL, now: Instant) => sql`EXISTS (SELECT 1 FROM parties
  WHERE id = ${id} AND kind = 'meetup' AND provider_id = ${actor.accountId} AND deleted_at IS NULL) AND ${isLoggedIn(actor, now)}`;

/** Says which of the names that were sent are there already; one that was there may have been removed meanwhile. */
function invitedAlready(there: string[]): string {
  if (there.length === 0) return 'One of these names is invited already.';
  const told = there.slice(0, 3).map((name) => `“${name}”`);
  const more = there.length > told.length ? ` and ${there.length - told.length} more` : '';
  return `${told.join(', ')}${more} ${there.length > 1 ? 'are' : 'is'} invited already.`;
}

/**
 * Gives more names a personal link, all or none; it goes by mail to those who have an address. Sent again with the same key it adds none and answers the same.
 * @throws DomainError not_found, conflict (a name is there already), invalid (too many)
 */
export async function addAttendees(
  db: Db,
  actor: Actor,
  { id, invitees }: { id: string; invitees: Invitee[] },
  { now, key }: Written,
): Promise<HostedInShort> {
  const once = oneTimeKey(`${actor.accountId}:AddAttendees:${id}`, key, now);
  const adding = db.run(
    once.claim(ownMeetup(actor, sql`${id}`, now)),
    insertNames(id, invitees, once.isOurs, now),
    orm
      .update(parties)
      .set({ invited: sql`${parties.invited} + changes()` })
      .where(and(eq(parties.id, id), once.isOurs)),
    once.store(replayOf(id)),
    insertFrom(
      refusals,
      { name: 'too_many_names' },
      sql`FROM parties WHERE id = ${id} AND invited > ${limits.party.names}`,
    ),
    once.read(),
  );
  const [, , , , , [stored]] = await adding.catch(async (error: unknown) => {
    if (!(error instanceof RuleBroken)) throw error;
    if (error.rule === 'too_many_names') {
      throw invalid('attendees', `A meetup can have at most ${limits.party.names} names.`);
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

/** Whether that link is a name's in a meetup of the actor, as a condition. */
const ownLink = (actor: Actor, invitationId: string, now: Instant) => sql`EXISTS (SELECT 1 FROM invitations
  WHERE id = ${invitationId} AND ${ownMeetup(actor, sql`${invitations.partyId}`, now)})`;

/**
 * Takes a name off the list; its link is dead. Sent again with the same key it removes nothing and answers the same.
 * @returns the name
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
  const [, , [removed]] = await db.run(
    once.claim(ownLink(actor, invitationId, now), name),
    orm.delete(invitations).where(and(eq(invitations.id, invitationId), sql`${once.answered('$')} IS NOT NULL`)),
    once.read(),
  );
  if (!removed) throw noInvitation();
  return removed.replay as string;
}

/**
 * Gives a name a new link and keeps the answer; the old link is dead. Where the name has an address it is sent there. Sent again with the same key it changes nothing and
 * answers the same.
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
  const [, , , [invitation]] = await db.run(
    once.claim(ownLink(actor, invitationId, now)),
    orm
      .update(invitations)
      .set({ id, emailAt: sql`iif(email IS NULL, NULL, ${now})` })
      .where(and(eq(invitations.id, invitationId), once.isOurs)),
    once.store(sql`json_quote(${id})`),
    selectInvitations().where(eq(invitations.id, once.stored)),
  );
  if (!invitation) throw noInvitation();
  return invitation;
}

/**
 * Sets where the invitation of a name goes by mail, and sends it there; null: nowhere from now on. The link stays. The
 * same address again changes nothing and sends nothing, also where whoever has it has ended such mail.
 * @throws DomainError not_found
 */
export async function setAttendeeEmail(
  db: Db,
  actor: Actor,
  { id, email: typed }: { id: string; email: string | null },
  now: Instant,
): Promise<Invitation> {
  const email = typed || null;
  const own = and(eq(invitations.id, id), ownLink(actor, id, now));
  const [, [invitation]] = await db.run(
    orm
      .update(invitations)
      .set({ email, emailAt: email === null ? null : now, mailEndedAt: null })
      .where(and(own, sql`${invitations.email} IS NOT ${email}`)),
    selectInvitations().where(own),
  );
  if (!invitation) throw noInvitation();
  return invitation;
}
