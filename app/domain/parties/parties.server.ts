import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ValueTooLarge } from '../../../db/errors';
import { accounts, invitations, parties } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { notFound } from '../errors';
import type { Template } from '../templates/questions';
import { findTemplateOfParty } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import { invitationsOf, listInvitations, ownColumns, packedInShort, unpackInShort } from './invitations.server';
import type { Invitation, Invited, Party } from './parties';

/*
 * Reads parties and meetups that stand: for the host, for anyone with the link, for anyone who has replied. Those that were
 * called off are for letters.server.ts alone.
 */

// Inside a batch two columns with one SQL name overwrite each other, so the host's columns get names of their own.
/** What is read of a party, with its host's names. */
export const partyColumns = {
  id: parties.id,
  kind: parties.kind,
  providerId: parties.providerId,
  // Nobody's, where the provider has deleted the account.
  provider: sql<string>`coalesce(${accounts.username}, '')`.as('provider'),
  providerName: sql<string>`${accounts.displayName}`.as('provider_name'),
  title: parties.title,
  description: parties.description,
  startsAt: parties.startsAt,
  endsAt: parties.endsAt,
  date: parties.localDate,
  timeZone: parties.timeZone,
  address: parties.address,
  locationUrl: parties.locationUrl,
  templateId: parties.templateId,
  capacity: parties.capacity,
  rsvpBy: parties.rsvpBy,
  rsvpClosesAt: parties.rsvpClosesAt,
  plusOnes: parties.plusOnes,
  hideGoing: parties.hideGoing,
  openTo: parties.openTo,
  showOnPage: parties.showOnPage,
  going: parties.going,
  invited: parties.invited,
  sequence: parties.sequence,
};

/** The condition of a party or meetup that its host has not called off. */
export const stands = isNull(parties.deletedAt);

/** Selects parties and meetups that stand, with their host. */
export const selectParties = (condition: SQL | undefined) =>
  orm
    .select(partyColumns)
    .from(parties)
    .innerJoin(accounts, eq(accounts.id, parties.providerId))
    .where(and(condition, stands));

export type Kind = Party['kind'];

/** A party or meetup with all its invitations, for its host; accepted first, then by name. */
export type Hosted = Party & { invitations: Invitation[] };
/** The part of it that the API returns. */
export type HostedInShort = Party & { invitations: Invited[] };

const hostedOf = statement<{ me: string; kind: Kind }>()(({ me, kind }) =>
  selectParties(and(eq(parties.providerId, me), eq(parties.kind, kind))).orderBy(
    asc(parties.startsAt),
    asc(parties.id),
  ),
);

/** SQL: the invitations of a party as one text. */
export const packedInvitations = sql<string>`(SELECT ${packedInShort} FROM invitations WHERE party_id = ${parties.id})`;

const hostedWithInvitations = statement<{ me: string; kind: Kind }>()(({ me, kind }) =>
  orm
    .select({ ...partyColumns, packed: packedInvitations.as('packed') })
    .from(parties)
    .innerJoin(accounts, eq(accounts.id, parties.providerId))
    .where(and(eq(parties.providerId, me), eq(parties.kind, kind), stands))
    .orderBy(asc(parties.startsAt), asc(parties.id)),
);

/** Lists the actor's own parties or meetups, by start. */
export async function listHosted(db: Db, actor: Actor, kind: Kind): Promise<Party[]> {
  const [hosted] = await db.run(hostedOf({ me: actor.accountId, kind }));
  return hosted;
}

const invitationsRowByRow = statement<{ me: string; kind: Kind }>()(({ me, kind }) =>
  invitationsOf(sql`party_id IN (SELECT id FROM parties WHERE provider_id = ${me} AND kind = ${kind})`),
);

/** As listHosted, with all invitations. */
export async function listHostedWithInvitations(db: Db, actor: Actor, kind: Kind): Promise<HostedInShort[]> {
  const whose = { me: actor.accountId, kind };
  try {
    const [rows] = await db.run(hostedWithInvitations(whose));
    return rows.map(({ packed: text, ...party }) => ({
      ...party,
      invitations: unpackInShort(JSON.parse(text), party.id),
    }));
  } catch (error) {
    if (!(error instanceof ValueTooLarge)) throw error;
    const [hosted, rows] = await db.run(hostedOf(whose), invitationsRowByRow(whose));
    const byParty = new Map<string, Invited[]>(hosted.map(({ id }) => [id, []]));
    for (const row of rows) byParty.get(row.partyId)?.push(row);
    return hosted.map((party) => ({ ...party, invitations: byParty.get(party.id) ?? [] }));
  }
}

const rsvpsOf = statement<{ me: string }>()(({ me }) =>
  orm
    .select(partyColumns)
    .from(invitations)
    .innerJoin(parties, eq(parties.id, invitations.partyId))
    .innerJoin(accounts, eq(accounts.id, parties.providerId))
    .where(and(eq(invitations.accountId, me), stands)),
);

/** Sorts parties by start. */
export const byStart = (one: Party, other: Party) => one.startsAt - other.startsAt || (one.id < other.id ? -1 : 1);

/**
 * Lists the parties that the actor hosts, with all invitations, and those that they have replied to, without any, by
 * start.
 */
export async function listHostedOrRsvped(
  db: Db,
  actor: Actor,
): Promise<{ party: Party; invitations: Invited[]; isHost: boolean }[]> {
  const [hosted, [answered]] = await Promise.all([
    actor.role === 'Provider' ? listHostedWithInvitations(db, actor, 'party') : [],
    db.run(rsvpsOf({ me: actor.accountId })),
  ]);
  return [
    ...hosted.map((party) => ({ party, invitations: party.invitations, isHost: true })),
    ...answered.map((party) => ({ party, invitations: [], isHost: false })),
  ].sort((one, other) => byStart(one.party, other.party));
}

const ownById = statement<{ id: string; me: string; kind: Kind }>()(({ id, me, kind }) =>
  selectParties(and(eq(parties.id, id), eq(parties.kind, kind), eq(parties.providerId, me))),
);

/**
 * Reads a party or meetup of the actor's own, without invitations. @throws DomainError not_found (another's, or none)
 */
export async function getOwnParty(db: Db, actor: Actor, kind: Kind, id: string): Promise<Party> {
  const [[party]] = await db.run(ownById({ id, me: actor.accountId, kind }));
  if (!party) throw notFound(kind);
  return party;
}

/** Reads a party or meetup for its host. @throws DomainError not_found (another's, or none) */
export async function getHosted(db: Db, actor: Actor, kind: Kind, id: string, now: Instant): Promise<Hosted> {
  const [party, rows] = await Promise.all([getOwnParty(db, actor, kind, id), listInvitations(db, actor, id, now)]);
  return { ...party, invitations: rows };
}

const byId = statement<{ id: string }>()(({ id }) => selectParties(eq(parties.id, id)));
/** Makes the statement that reads an account's own RSVP to a party. */
export const ownRsvp = statement<{ id: string; me: string }>()(({ id, me }) =>
  orm
    .select(ownColumns)
    .from(invitations)
    .where(and(eq(invitations.partyId, id), eq(invitations.invitee, me))),
);

/** Finds a party for anyone with its link, with the reader's own RSVP and the questions. */
export async function findParty(
  db: Db,
  actor: Pick<Actor, 'accountId'> | null,
  id: string,
): Promise<{ party: Party; own: Invitation | null; template: Template | null } | undefined> {
  const [[[party]], own, template] = await Promise.all([
    db.run(byId({ id })),
    actor ? db.run(ownRsvp({ id, me: actor.accountId })) : undefined,
    findTemplateOfParty(db, id),
  ]);
  return party && { party, own: own?.[0][0] ?? null, template: template ?? null };
}
