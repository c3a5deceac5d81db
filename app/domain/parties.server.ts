import { and, asc, eq, is, SQL, sql } from 'drizzle-orm';
import { type Db, orm, statement } from '../../db/client';
import { newId } from '../../db/columns';
import { RuleBroken } from '../../db/errors';
import { accounts, invitations, parties } from '../../db/schema';
import type { Actor } from './accounts';
import { type Instant, localTimeOf } from './clock';
import { DomainError, invalid, notFound } from './errors';
import { insertNames, invitationsOf, selectInvitations } from './invitations.server';
import { oneTimeKey } from './keys.server';
import type { Invitation, Invited, Party } from './parties';
import { type MeetupInput, type PartyChange, type PartyInput, pastDateFault } from './party-input';
import type { Answer, Template } from './questions';
import { inNewZone, isZoneOf, selectOwner, stands } from './sessions.server';
import { findTemplateOfParty, isCurrentTemplate, noSuchTemplate } from './templates.server';
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
  invited: parties.invited,
  sequence: parties.sequence,
};

/** Parties and meetups with their host. */
export const selectParties = () =>
  orm.select(columns).from(parties).innerJoin(accounts, eq(accounts.id, parties.providerId));

type Kind = Party['kind'];
const hostedBy = (actor: Actor) => eq(parties.providerId, actor.accountId);
/** The refusal where there is no such party or meetup, or it is somebody else's. */
export const missing = (kind: Kind) => notFound(kind);

/** A party or meetup with all its invitations, as its host sees it; accepted first, then by name. */
export type Hosted = Party & { invitations: Invitation[] };
/** As much of it as the API says. */
export type HostedInShort = Party & { invitations: Invited[] };

const isPast = (date: string, zone: string, now: Instant) => date < todayIn(zone, now);
const past = () => new DomainError('invalid', [pastDateFault]);

const closing = (rsvpBy: string | null, zone: string) => (rsvpBy ? endOfDay(rsvpBy, zone) : null);

/** When something is written, and the one-time key under which it is written once. */
export type Written = { now: Instant; key: string };
/** What both kinds are made of; a meetup has names instead of the party's own fields. */
type Draft = Omit<MeetupInput, 'attendees'> & Partial<PartyInput> & { attendees?: string[] };

/**
 * Creates a party, its date and times in the host's zone. Sent again with the same key it creates nothing and answers
 * the same. @throws DomainError unauthenticated, invalid (a past date), not_found (the template)
 */
export const createParty = (db: Db, actor: Actor, input: PartyInput, once: Written) =>
  create(db, actor, 'party', input, once);

/**
 * As createParty, with a personal link for every name.
 * @throws DomainError unauthenticated, invalid (a past date), not_found (the template)
 */
export const createMeetup = (db: Db, actor: Actor, input: MeetupInput, once: Written) =>
  create(db, actor, 'meetup', input, once);

async function create(db: Db, actor: Actor, kind: Kind, input: Draft, { now, key }: Written): Promise<HostedInShort> {
  const zone = actor.timeZone;
  const { date, startTime, endTime, templateId = null, rsvpBy = null, attendees = [] } = input;
  const { startsAt, endsAt } = eventInstants({ date, start: startTime, end: endTime, zone });
  const once = oneTimeKey(`${actor.accountId}:Create-${kind}`, key, now);
  const id = newId();
  const isAllowed = and(stands(actor, now), isZoneOf(actor), isCurrentTemplate(actor, templateId));
  const row = sql`SELECT ${id}, ${kind}, ${actor.accountId}, ${input.title}, ${input.description}, ${startsAt}, ${endsAt},
    ${date}, ${zone}, ${input.address}, ${input.locationUrl}, ${templateId}, ${input.capacity ?? null}, ${rsvpBy},
    ${closing(rsvpBy, zone)}, ${input.plusOnes ?? 0}, ${input.hideGoing ? 1 : 0}, 0, ${attendees.length}, 0, ${now}`;
  const [, , , , [stored], [owner]] = await db.run(
    // Input that is invalid now may have been valid when this key was first used; then the stored answer is returned.
    once.claim(and(isAllowed, sql`${isPast(date, zone, now) ? 0 : 1}`) as SQL),
    orm.insert(parties).select(sql`${row} WHERE ${once.isOurs}`),
    insertNames(id, attendees, once.isOurs, now),
    once.answer(asAnswer(id)),
    once.read(),
    selectOwner(actor, now),
  );
  if (stored) return fromAnswer(stored.answer);
  const moved = inNewZone(actor, owner);
  if (moved) return create(db, moved, kind, input, { now, key });
  if (isPast(date, zone, now)) throw past();
  throw noSuchTemplate();
}

const hostedOf = statement<{ me: string; kind: Kind }>()(({ me, kind }) =>
  selectParties()
    .where(and(eq(parties.providerId, me), eq(parties.kind, kind)))
    .orderBy(asc(parties.startsAt), asc(parties.id)),
);

/** A party's invitations as one JSON text: a host may have thousands, and a row for each costs ten times as much. */
const packed = sql<string>`(
  SELECT json_group_array(
    json_array(id, coalesce(username, name), accepted, json(nullif(answers, '[]')))
    ORDER BY accepted DESC NULLS LAST, name_folded)
  FROM invitations WHERE party_id = ${parties.id})`;

type Packed = [id: string, username: string, accepted: 0 | 1 | null, answers: Answer[] | null];

const unpacked = (rows: Packed[], partyId: string): Invited[] =>
  rows.map(([id, username, accepted, answers]) => ({
    id,
    partyId,
    username,
    accepted: accepted === null ? null : accepted === 1,
    answers: answers ?? [],
  }));

/**
 * A party with its invitations as it is at that moment, for a one-time key to keep: the same is answered again, whatever
 * has become of the party. Its columns in their order, because D1 takes no more than 32 arguments to a function.
 */
export const asAnswer = (id: string) => {
  const values = Object.values(columns).map((column) => (is(column, SQL.Aliased) ? column.sql : column));
  return sql`(SELECT json_array(${sql.join([...values, sql`json(${packed})`], sql`, `)})
    FROM ${parties} JOIN ${accounts} ON ${accounts.id} = ${parties.providerId} WHERE ${parties.id} = ${id})`;
};

/** What `asAnswer` has kept. */
export function fromAnswer(answer: unknown): HostedInShort {
  const values = answer as unknown[];
  const party = Object.fromEntries(Object.keys(columns).map((name, place) => [name, values[place]])) as Party;
  const invitations = unpacked(values.at(-1) as Packed[], party.id);
  return { ...party, hideGoing: Boolean(party.hideGoing), invitations };
}

const hostedWithInvitations = statement<{ me: string; kind: Kind }>()(({ me, kind }) =>
  orm
    .select({ ...columns, packed: packed.as('packed') })
    .from(parties)
    .innerJoin(accounts, eq(accounts.id, parties.providerId))
    .where(and(eq(parties.providerId, me), eq(parties.kind, kind)))
    .orderBy(asc(parties.startsAt), asc(parties.id)),
);

/** The actor's own parties or meetups, by start. */
export async function listHosted(db: Db, actor: Actor, kind: Kind): Promise<Party[]> {
  const [hosted] = await db.run(hostedOf({ me: actor.accountId, kind }));
  return hosted;
}

/** As listHosted, with all invitations. */
export async function listHostedWithInvitations(db: Db, actor: Actor, kind: Kind): Promise<HostedInShort[]> {
  const [rows] = await db.run(hostedWithInvitations({ me: actor.accountId, kind }));
  return rows.map(({ packed: text, ...party }) => ({ ...party, invitations: unpacked(JSON.parse(text), party.id) }));
}

const answeredBy = statement<{ me: string }>()(({ me }) =>
  orm
    .select({ ...columns, own: { accepted: invitations.accepted, guests: invitations.guests } })
    .from(invitations)
    .innerJoin(parties, eq(parties.id, invitations.partyId))
    .innerJoin(accounts, eq(accounts.id, parties.providerId))
    .where(eq(invitations.accountId, me)),
);

const byStart = (one: Party, other: Party) => one.startsAt - other.startsAt || (one.id < other.id ? -1 : 1);

/** Parties that the actor has answered, with the answer, by start. */
export async function listAnswered(
  db: Db,
  actor: Actor,
): Promise<(Party & { own: Pick<Invitation, 'accepted' | 'guests'> })[]> {
  const [rows] = await db.run(answeredBy({ me: actor.accountId }));
  return rows.sort(byStart);
}

/** Parties that the actor hosts, with all invitations, and those they have answered, without any, by start. */
export async function listHostedOrAnswered(
  db: Db,
  actor: Actor,
): Promise<{ party: Party; invitations: Invited[]; isHost: boolean }[]> {
  const [hosted, answered] = await Promise.all([
    actor.role === 'Provider' ? listHostedWithInvitations(db, actor, 'party') : [],
    listAnswered(db, actor),
  ]);
  return [
    ...hosted.map((party) => ({ party, invitations: party.invitations, isHost: true })),
    ...answered.map((party) => ({ party, invitations: [], isHost: false })),
  ].sort((one, other) => byStart(one.party, other.party));
}

const ownById = statement<{ id: string; me: string; kind: Kind }>()(({ id, me, kind }) =>
  selectParties().where(and(eq(parties.id, id), eq(parties.kind, kind), eq(parties.providerId, me))),
);

/** A party or meetup of the actor's own, without its invitations. @throws DomainError not_found (another's, or none) */
export async function getOwnParty(db: Db, actor: Actor, kind: Kind, id: string): Promise<Party> {
  const [[party]] = await db.run(ownById({ id, me: actor.accountId, kind }));
  if (!party) throw missing(kind);
  return party;
}

/** A party or meetup as its host sees it. @throws DomainError not_found (another's, or none) */
export async function getHosted(db: Db, actor: Actor, kind: Kind, id: string): Promise<Hosted> {
  const [party, [guests]] = await Promise.all([
    getOwnParty(db, actor, kind, id),
    db.run(invitationsOf(eq(invitations.partyId, id))),
  ]);
  return { ...party, invitations: guests };
}

const byId = statement<{ id: string }>()(({ id }) => selectParties().where(eq(parties.id, id)));
const ownAnswer = statement<{ id: string; me: string }>()(({ id, me }) =>
  selectInvitations().where(and(eq(invitations.partyId, id), eq(invitations.invitee, me))),
);

/** A party as whoever has its link sees it, with the reader's own answer and the questions. */
export async function findParty(
  db: Db,
  actor: Actor | null,
  id: string,
): Promise<{ party: Party; own: Invitation | null; template: Template | null } | undefined> {
  const [[[party]], own, template] = await Promise.all([
    db.run(byId({ id })),
    actor ? db.run(ownAnswer({ id, me: actor.accountId })) : undefined,
    findTemplateOfParty(db, id),
  ]);
  return party && { party, own: own?.[0][0] ?? null, template: template ?? null };
}

/**
 * Changes what is given; an absent property stays, null clears. The zone stays that of the party. What somebody else has
 * changed since it was read stays too: then the change is made to that.
 * @throws DomainError not_found, invalid (a past date, a capacity below who is coming)
 */
export async function editParty(
  db: Db,
  actor: Actor,
  kind: Kind,
  { id, change }: { id: string; change: PartyChange },
  now: Instant,
): Promise<Hosted> {
  const before = await getOwnParty(db, actor, kind, id);
  const set = changedColumns(before, change, now);
  if (Object.keys(set).length === 0) return getHosted(db, actor, kind, id);
  const editing = db.run(
    orm
      .update(parties)
      .set({ ...set, sequence: sql`${parties.sequence} + 1` })
      .where(
        and(
          and(eq(parties.id, id), eq(parties.sequence, before.sequence), hostedBy(actor)),
          and(stands(actor, now), isCurrentTemplate(actor, set.templateId ?? null)),
        ),
      )
      .returning({ id: parties.id }),
    selectParties().where(and(eq(parties.id, id), hostedBy(actor))),
    invitationsOf(eq(invitations.partyId, id)),
  );
  const [updated, [party], guests] = await editing.catch((error: unknown) => {
    if (error instanceof RuleBroken && error.rule === 'party_has_room') {
      throw invalid('capacity', `${before.going} people are coming already, so the capacity can't be less.`);
    }
    throw error;
  });
  if (!party) throw missing(kind);
  if (updated.length > 0) return { ...party, invitations: guests };
  if (party.sequence !== before.sequence) return editParty(db, actor, kind, { id, change }, now);
  throw noSuchTemplate();
}

/** The columns that a change really changes, with the instants that follow from dates and times. */
function changedColumns(before: Party, change: PartyChange, now: Instant): Partial<typeof parties.$inferInsert> {
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

/**
 * Deletes a party or meetup with its invitations. Sent again with the same key it deletes nothing and answers the same.
 * @throws DomainError not_found
 */
export async function deleteParty(db: Db, actor: Actor, kind: Kind, id: string, { now, key }: Written): Promise<void> {
  const once = oneTimeKey(`${actor.accountId}:Delete:${kind}:${id}`, key, now);
  const [, , , , , [deleted]] = await db.run(
    once.claim(sql`EXISTS (SELECT 1 FROM parties
      WHERE id = ${id} AND kind = ${kind} AND provider_id = ${actor.accountId}) AND ${stands(actor, now)}`),
    orm
      .update(parties)
      .set({ invited: 0 })
      .where(and(eq(parties.id, id), once.isOurs)),
    orm.delete(invitations).where(and(eq(invitations.partyId, id), once.isOurs)),
    orm.delete(parties).where(and(eq(parties.id, id), once.isOurs)),
    once.answer(sql`json_quote(${id})`),
    once.read(),
  );
  if (!deleted) throw missing(kind);
}
