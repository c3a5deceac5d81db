import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../db/client';
import { newId } from '../../db/columns';
import { RuleBroken } from '../../db/errors';
import { accounts, invitations, parties, refusals, templates } from '../../db/schema';
import type { Actor } from './accounts';
import { readAnswers } from './answers';
import { dateWords, localTimeOf } from './clock';
import { conflict, DomainError, invalid, notFound, notLoggedIn } from './errors';
import { fold } from './fold';
import { oneTimeKey } from './keys.server';
import { limits } from './limits';
import { type Invitation, isTakingAnswers, type Party, placesLeft } from './parties';
import type { MeetupInput, PartyAnswer, PartyChange, PartyInput } from './party-input';
import type { Answer, Question, Template } from './questions';
import { stands } from './sessions.server';
import { findTemplateOfParty, noSuchTemplate } from './templates.server';
import { endOfDay, eventInstants, todayIn } from './time';

// Inside a batch two columns of one SQL name overwrite each other, so those of the host get names of their own.
const columns = {
  id: parties.id,
  kind: parties.kind,
  hostId: parties.providerId,
  provider: sql<string>`${accounts.username}`.as('provider'),
  providerName: sql<string>`${accounts.displayName}`.as('provider_name'),
  title: parties.title,
  description: parties.description,
  startsAt: parties.startsAt,
  endsAt: parties.endsAt,
  date: parties.localDate,
  timeZone: parties.timeZone,
  address: parties.address,
  givenUrl: parties.locationUrl,
  templateId: parties.templateId,
  capacity: parties.capacity,
  rsvpBy: parties.rsvpBy,
  rsvpClosesAt: parties.rsvpClosesAt,
  plusOnes: parties.plusOnes,
  hideGoing: parties.hideGoing,
  going: parties.going,
  sequence: parties.sequence,
};

const selectParties = (db: Db) =>
  db.orm.select(columns).from(parties).innerJoin(accounts, eq(accounts.id, parties.providerId));

const selectInvitations = (db: Db) =>
  db.orm
    .select({
      id: invitations.id,
      partyId: invitations.partyId,
      username: sql<string>`coalesce(${accounts.username}, ${invitations.name})`.as('guest_username'),
      name: sql<string>`coalesce(${accounts.displayName}, ${invitations.name})`.as('guest_name'),
      accepted: invitations.accepted,
      guests: invitations.guests,
      answers: invitations.answers,
      answeredAt: invitations.answeredAt,
    })
    .from(invitations)
    .leftJoin(accounts, eq(accounts.id, invitations.accountId));

type Kind = Party['kind'];
const hostedBy = (actor: Actor) => eq(parties.providerId, actor.accountId);
const missing = (kind: Kind) => notFound(kind);

/** A party or meetup with all its invitations, as its host sees it; accepted first, then by name. */
export type Hosted = Party & { invitations: Invitation[] };

const invitationsOf = (db: Db, condition: SQL | undefined) =>
  selectInvitations(db)
    .where(condition)
    .orderBy(sql`${invitations.accepted} DESC NULLS LAST`, asc(invitations.nameFolded));

const withInvitations = (hosted: Party[], all: Invitation[]): Hosted[] =>
  hosted.map((party) => ({ ...party, invitations: all.filter(({ partyId }) => partyId === party.id) }));

const isPast = (date: string, zone: string, now: number) => date < todayIn(zone, now);
const past = () => invalid('date', 'Choose a date that is not in the past.');

const closing = (rsvpBy: string | null, zone: string) => (rsvpBy ? endOfDay(rsvpBy, zone) : null);

type Written = { now: number; key: string };
/** What both kinds are made of; a meetup has names instead of the party's own fields. */
type Draft = Omit<MeetupInput, 'attendees'> & Partial<PartyInput> & { attendees?: string[] };

/**
 * Creates a party, its date and times in the host's zone. Sent again with the same key it creates nothing and answers
 * the same. @throws DomainError invalid (a past date), not_found (the template)
 */
export const createParty = (db: Db, actor: Actor, input: PartyInput, once: Written) =>
  create(db, actor, 'party', input, once);

/** Creates a meetup with a personal link for every name. @throws DomainError invalid (a past date) */
export const createMeetup = (db: Db, actor: Actor, input: MeetupInput, once: Written) =>
  create(db, actor, 'meetup', input, once);

async function create(db: Db, actor: Actor, kind: Kind, input: Draft, { now, key }: Written): Promise<Hosted> {
  const zone = actor.timeZone;
  const { date, startTime, endTime, templateId = null, rsvpBy = null, attendees = [] } = input;
  const { startsAt, endsAt } = eventInstants({ date, start: startTime, end: endTime, zone });
  const once = oneTimeKey(db, `${actor.accountId}:Create-${kind}`, key, now);
  const id = newId();
  const isZone = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${actor.accountId} AND time_zone = ${zone})`;
  const row = sql`SELECT ${id}, ${kind}, ${actor.accountId}, ${input.title}, ${input.description}, ${startsAt}, ${endsAt},
    ${date}, ${zone}, ${input.address}, ${input.locationUrl}, ${templateId}, ${input.capacity ?? null}, ${rsvpBy},
    ${closing(rsvpBy, zone)}, ${input.plusOnes ?? 0}, ${input.hideGoing ? 1 : 0}, 0, 0, ${now}`;
  const created = eq(parties.id, once.stored);
  const [, , , , [stored], guests, [owner]] = await db.run(
    // What is refused now may have been answered earlier, when it was still right.
    once.claim(
      and(stands(actor, now), isZone, isCurrent(actor, templateId), sql`${isPast(date, zone, now) ? 0 : 1}`) as SQL,
    ),
    db.orm.insert(parties).select(sql`${row} WHERE ${once.isOurs}`),
    insertNames(db, id, attendees, once.isOurs, now),
    once.answer(sql`json_quote(${id})`),
    selectParties(db).where(created),
    invitationsOf(db, eq(invitations.partyId, once.stored)),
    db.orm
      .select({ timeZone: accounts.timeZone, stands: sql<number>`${stands(actor, now)}`.as('stands') })
      .from(accounts)
      .where(eq(accounts.id, actor.accountId)),
  );
  if (stored) return { ...stored, invitations: guests };
  if (!owner?.stands) throw notLoggedIn();
  // The zone was changed on another device after this one's cookie was made.
  if (owner.timeZone !== zone) {
    return create(db, { ...actor, timeZone: owner.timeZone }, kind, input, { now, key });
  }
  if (isPast(date, zone, now)) throw past();
  throw noSuchTemplate();
}

const isCurrent = (actor: Actor, templateId: string | null) =>
  templateId
    ? sql`EXISTS (SELECT 1 FROM ${templates}
        WHERE ${templates.id} = ${templateId} AND ${templates.providerId} = ${actor.accountId} AND ${templates.retiredAt} IS NULL)`
    : sql`true`;

/** One personal link for every name, in one statement however many there are. */
const insertNames = (db: Db, partyId: string, names: string[], condition: SQL, now: number) =>
  db.orm.insert(invitations).select(sql`
    SELECT value ->> 0, ${partyId}, NULL, value ->> 1, value ->> 2, NULL, 0, '[]', NULL, ${now}
    FROM json_each(${JSON.stringify(names.map((name) => [newId(), name, fold(name)]))}) WHERE ${condition}`);

/** The actor's own parties or meetups, by start. */
export async function listHosted(db: Db, actor: Actor, kind: Kind): Promise<Hosted[]> {
  const mine = and(hostedBy(actor), eq(parties.kind, kind));
  const [hosted, guests] = await db.run(
    selectParties(db).where(mine).orderBy(asc(parties.startsAt), asc(parties.id)),
    invitationsOf(
      db,
      sql`${invitations.partyId} IN (SELECT id FROM parties WHERE provider_id = ${actor.accountId} AND kind = ${kind})`,
    ),
  );
  return withInvitations(hosted, guests);
}

/** Parties that the actor has answered, with the answer, by start. */
export async function listAnswered(db: Db, actor: Actor): Promise<(Party & { own: Invitation })[]> {
  const [answered, own] = await db.run(
    selectParties(db)
      .innerJoin(invitations, and(eq(invitations.partyId, parties.id), eq(invitations.accountId, actor.accountId)))
      .orderBy(asc(parties.startsAt), asc(parties.id)),
    selectInvitations(db).where(eq(invitations.accountId, actor.accountId)),
  );
  return answered.flatMap((party) => {
    const answer = own.find(({ partyId }) => partyId === party.id);
    return answer ? [{ ...party, own: answer }] : [];
  });
}

/** A party or meetup as its host sees it. @throws DomainError not_found (another's, or none) */
export async function getHosted(db: Db, actor: Actor, kind: Kind, id: string): Promise<Hosted> {
  const [[party], guests] = await db.run(
    selectParties(db).where(and(eq(parties.id, id), eq(parties.kind, kind), hostedBy(actor))),
    invitationsOf(db, eq(invitations.partyId, id)),
  );
  if (!party) throw missing(kind);
  return { ...party, invitations: guests };
}

/** A party as whoever has its link sees it, with the reader's own answer and the questions. */
export async function findParty(
  db: Db,
  actor: Actor | null,
  id: string,
): Promise<{ party: Party; own: Invitation | null; template: Template | null } | undefined> {
  const [[[party], own], template] = await Promise.all([
    db.run(
      selectParties(db).where(eq(parties.id, id)),
      selectInvitations(db).where(
        and(eq(invitations.partyId, id), eq(invitations.accountId, actor?.accountId ?? 'nobody')),
      ),
    ),
    findTemplateOfParty(db, id),
  ]);
  return party && { party, own: own[0] ?? null, template: template ?? null };
}

/** Invitations of a party for its host; none for anybody else, or where the session does not stand. */
export async function listInvitationsForHost(db: Db, actor: Actor, id: string, now: number): Promise<Invitation[]> {
  const [rows] = await db.run(
    invitationsOf(
      db,
      and(
        eq(invitations.partyId, id),
        sql`EXISTS (SELECT 1 FROM parties WHERE id = ${id} AND provider_id = ${actor.accountId})`,
        stands(actor, now),
      ),
    ),
  );
  return rows;
}

/**
 * Changes what is given; an absent property stays, null clears. The zone stays that of the party.
 * @throws DomainError not_found, invalid (a past date, a capacity below who is coming)
 */
export async function editParty(
  db: Db,
  actor: Actor,
  kind: Kind,
  { id, change }: { id: string; change: PartyChange },
  now: number,
): Promise<Hosted> {
  const before = await getHosted(db, actor, kind, id);
  const set = changedColumns(before, change, now);
  if (Object.keys(set).length === 0) return before;
  const editing = db.run(
    db.orm
      .update(parties)
      .set({ ...set, sequence: sql`${parties.sequence} + 1` })
      .where(and(eq(parties.id, id), hostedBy(actor), stands(actor, now), isCurrent(actor, set.templateId ?? null)))
      .returning({ id: parties.id }),
    selectParties(db).where(and(eq(parties.id, id), hostedBy(actor))),
    invitationsOf(db, eq(invitations.partyId, id)),
  );
  const [updated, [party], guests] = await editing.catch((error: unknown) => {
    if (error instanceof RuleBroken && error.rule === 'party_has_room') {
      throw invalid('capacity', `${before.going} people are coming already, so the capacity can't be less.`);
    }
    throw error;
  });
  if (!party) throw missing(kind);
  if (updated.length === 0) throw noSuchTemplate();
  return { ...party, invitations: guests };
}

/** The columns that a change really changes, with the instants that follow from dates and times. */
function changedColumns(before: Party, change: PartyChange, now: number): Partial<typeof parties.$inferInsert> {
  const zone = before.timeZone;
  const date = change.date ?? before.date;
  if (date !== before.date && isPast(date, zone, now)) throw past();
  const start = change.startTime ?? localTimeOf(before.startsAt, zone);
  const end = change.endTime ?? localTimeOf(before.endsAt, zone);
  const isMoved =
    date !== before.date || start !== localTimeOf(before.startsAt, zone) || end !== localTimeOf(before.endsAt, zone);
  const after = {
    title: change.title ?? before.title,
    description: kept(change.description, before.description),
    address: kept(change.address, before.address),
    locationUrl: kept(change.locationUrl, before.givenUrl),
    templateId: kept(change.templateId, before.templateId),
    capacity: kept(change.capacity, before.capacity),
    rsvpBy: kept(change.rsvpBy, before.rsvpBy),
    plusOnes: change.plusOnes === undefined ? before.plusOnes : (change.plusOnes ?? 0),
    hideGoing: change.hideGoing ?? before.hideGoing,
  };
  const old: typeof after = { ...before, locationUrl: before.givenUrl };
  const names = Object.keys(after) as (keyof typeof after)[];
  const changed = Object.fromEntries(
    names.filter((name) => after[name] !== old[name]).map((name) => [name, after[name]]),
  );
  return {
    ...changed,
    ...(after.rsvpBy !== before.rsvpBy && { rsvpClosesAt: closing(after.rsvpBy, zone) }),
    ...(isMoved && { localDate: date, ...eventInstants({ date, start, end, zone }) }),
  };
}

const kept = <Value>(changed: Value | undefined, before: Value): Value => (changed === undefined ? before : changed);

/** Deletes a party or meetup with its invitations. @throws DomainError not_found */
export async function deleteParty(db: Db, actor: Actor, kind: Kind, id: string, now: number): Promise<void> {
  const mine = sql`EXISTS (SELECT 1 FROM parties
    WHERE id = ${id} AND kind = ${kind} AND provider_id = ${actor.accountId}) AND ${stands(actor, now)}`;
  const [, deleted] = await db.run(
    db.orm.delete(invitations).where(and(eq(invitations.partyId, id), mine)),
    db.orm
      .delete(parties)
      .where(and(eq(parties.id, id), mine))
      .returning({ id: parties.id }),
  );
  if (deleted.length === 0) throw missing(kind);
}

/**
 * A guest's answer: one for each account and party, the latest counts. The database counts the people and decides who
 * was too late. A repeat answers the same.
 * @throws DomainError not_found, forbidden (the host), conflict (over, closed, full), invalid (guests, answers)
 */
export async function answerParty(
  db: Db,
  actor: Actor,
  { id, accepted, guests }: PartyAnswer,
  sent: (questions: Question[]) => Answer[],
  now: number,
): Promise<Invitation> {
  const found = await findParty(db, actor, id);
  if (found?.party.kind !== 'party') throw missing('party');
  const { party, own, template } = found;
  if (party.hostId === actor.accountId)
    throw new DomainError('forbidden', 'This is your own party: you are coming anyway.');
  if (!isTakingAnswers(party, now)) {
    if (own && own.accepted === accepted && own.guests === (accepted ? guests : 0)) return own;
    throw tooLate(party, now);
  }
  if (accepted && guests > party.plusOnes) throw invalid('guests', plusOneWords(party.plusOnes));
  const answers = accepted ? readAnswers(template?.questions ?? [], sent(template?.questions ?? [])) : [];
  const row = sql`SELECT ${newId()}, ${parties.id}, ${accounts.id}, ${accounts.displayName}, ${accounts.displayFolded},
    ${accepted ? 1 : 0}, ${accepted ? guests : 0}, ${JSON.stringify(answers)}, ${now}, ${now}`;
  const answering = db.run(
    db.orm
      .insert(invitations)
      .select(sql`${row} FROM ${parties}, ${accounts}
        WHERE ${parties.id} = ${id} AND ${accounts.id} = ${actor.accountId} AND ${parties.endsAt} > ${now}
          AND (${parties.rsvpClosesAt} IS NULL OR ${parties.rsvpClosesAt} > ${now}) AND ${stands(actor, now)}`)
      .onConflictDoUpdate({
        target: [invitations.partyId, invitations.accountId],
        targetWhere: sql`account_id IS NOT NULL`,
        set: {
          accepted: sql`excluded.accepted`,
          guests: sql`excluded.guests`,
          // Who says no and then yes again need not type it all twice.
          answers: sql`CASE WHEN excluded.accepted = 1 THEN excluded.answers ELSE answers END`,
          answeredAt: now,
        },
      }),
    selectInvitations(db).where(and(eq(invitations.partyId, id), eq(invitations.accountId, actor.accountId))),
  );
  const [, [answer]] = await answering.catch((error: unknown) => {
    if (error instanceof RuleBroken && error.rule === 'party_has_room') throw full(party, own);
    throw error;
  });
  if (!answer) throw missing('party');
  return answer;
}

const plusOneWords = (plusOnes: number) =>
  plusOnes === 0 ? 'This party is for invited guests only, without plus-ones.' : `You can bring at most ${plusOnes}.`;

function tooLate({ endsAt, rsvpBy }: Party, now: number) {
  if (endsAt <= now || !rsvpBy) return conflict('This party is over.');
  return conflict(`Answers were welcome until ${dateWords(rsvpBy).full}.`);
}

function full(party: Party, own: Invitation | null) {
  const held = own?.accepted ? 1 + own.guests : 0;
  const left = (placesLeft(party) ?? 0) + held;
  if (left === 0) return conflict('This party is full.');
  return conflict(`There is not enough room: ${left === 1 ? 'one place is' : `${left} places are`} left.`);
}

/** A meetup by a name's personal link; undefined where there is no such link. */
export async function findByLink(
  db: Db,
  invitationId: string,
): Promise<{ party: Party; invitation: Invitation } | undefined> {
  const [[invitation], [party]] = await db.run(
    selectInvitations(db).where(and(eq(invitations.id, invitationId), isNull(invitations.accountId))),
    selectParties(db).where(
      sql`${parties.id} = (SELECT party_id FROM invitations WHERE id = ${invitationId} AND account_id IS NULL)`,
    ),
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
export async function answerInvitation(
  db: Db,
  { id, meetupId, accepted }: { id: string; meetupId?: string; accepted: boolean },
  now: number,
): Promise<Invitation> {
  const own = and(
    eq(invitations.id, id),
    isNull(invitations.accountId),
    meetupId === undefined ? undefined : eq(invitations.partyId, meetupId),
  );
  const [, [invitation], open] = await db.run(
    db.orm
      .update(invitations)
      .set({ accepted, answeredAt: now })
      .where(
        and(
          own,
          sql`${invitations.accepted} IS NOT ${accepted ? 1 : 0}`,
          sql`EXISTS (SELECT 1 FROM parties WHERE id = ${invitations.partyId} AND ends_at > ${now})`,
        ),
      ),
    selectInvitations(db).where(own),
    db.orm
      .select({ id: parties.id })
      .from(parties)
      .where(and(sql`${parties.id} = (SELECT party_id FROM invitations WHERE id = ${id})`, gt(parties.endsAt, now))),
  );
  if (!invitation) throw noInvitation();
  if (open.length === 0) throw conflict('This meetup is over.');
  return invitation;
}

const ownMeetup = (actor: Actor, id: SQL, now: number) => sql`EXISTS (SELECT 1 FROM parties
  WHERE id = ${id} AND kind = 'meetup' AND provider_id = ${actor.accountId}) AND ${stands(actor, now)}`;

/**
 * Gives more names a personal link, all or none.
 * @throws DomainError not_found, conflict (a name is there already), invalid (too many)
 */
export async function addAttendees(
  db: Db,
  actor: Actor,
  { id, names }: { id: string; names: string[] },
  { now, key }: Written,
): Promise<Hosted> {
  const once = oneTimeKey(db, `${actor.accountId}:AddAttendees:${id}`, key, now);
  const mine = and(eq(parties.id, id), eq(parties.kind, 'meetup'), hostedBy(actor));
  const adding = db.run(
    once.claim(ownMeetup(actor, sql`${id}`, now)),
    insertNames(db, id, names, once.isOurs, now),
    once.answer(sql`'true'`),
    db.orm.insert(refusals).select(sql`SELECT 'too_many_names'
      WHERE (SELECT count(*) FROM invitations WHERE party_id = ${id}) > ${limits.party.names}`),
    selectParties(db).where(mine),
    invitationsOf(db, eq(invitations.partyId, id)),
  );
  const [, , , , [meetup], guests] = await adding.catch((error: unknown) => {
    if (!(error instanceof RuleBroken)) throw error;
    if (error.rule === 'too_many_names') {
      throw invalid('attendees', `A meetup can have at most ${limits.party.names} names.`);
    }
    throw new DomainError('conflict', [{ field: 'attendees', message: 'One of these names is invited already.' }]);
  });
  if (!meetup) throw missing('meetup');
  return { ...meetup, invitations: guests };
}

/** Takes a name off the list; its link is dead. @throws DomainError not_found */
export async function removeAttendee(db: Db, actor: Actor, invitationId: string, now: number): Promise<void> {
  const [removed] = await db.run(
    db.orm
      .delete(invitations)
      .where(and(eq(invitations.id, invitationId), ownMeetup(actor, sql`${invitations.partyId}`, now)))
      .returning({ id: invitations.id }),
  );
  if (removed.length === 0) throw noInvitation();
}

/** Gives a name a new link and keeps the answer; the old link is dead. @throws DomainError not_found */
export async function replaceLink(db: Db, actor: Actor, invitationId: string, now: number): Promise<Invitation> {
  const id = newId();
  const [, [invitation]] = await db.run(
    db.orm
      .update(invitations)
      .set({ id })
      .where(and(eq(invitations.id, invitationId), ownMeetup(actor, sql`${invitations.partyId}`, now))),
    selectInvitations(db).where(eq(invitations.id, id)),
  );
  if (!invitation) throw noInvitation();
  return invitation;
}
