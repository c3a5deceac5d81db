import { and, asc, eq, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ValueTooLarge } from '../../../db/errors';
import { ownedBy } from '../../../db/owned-by';
import { accounts, invitations, parties } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { findTemplateOfParty } from '../bookings/template-of.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { Parts } from '../streamed-list';
import type { Template } from '../templates/questions';
import type { Instant } from '../time/clock';
import { findInvitations, listInvitations, ownColumns, packedOfMany, unpackOfMany } from './invitations.server';
import { getManyGuests, listInParts, type ManyGuests, type PartyWithGuests } from './large.server';
import type { Invitation, Invited, Party } from './parties';
import { isStillOn, partyColumns, selectParties } from './select.server';

// Parties that were called off are in letters.server.ts.

export type Kind = Party['kind'];

export type Hosted = Party & { invitations: Invitation[] };
export type HostedSummary = Party & { invitations: Invited[] };

const hostedOf = statement<{ me: string; kind: Kind }>()(({ me, kind }) =>
  selectParties(and(ownedBy(me, parties), eq(parties.kind, kind))).orderBy(asc(parties.startsAt), asc(parties.id)),
);

// If there are more, they are read in parts.
const partiesAtOnce = 200;

type HostKey = { me: string; kind: Kind };
const firstHosted = statement<HostKey>()(({ me, kind }) =>
  selectParties(and(ownedBy(me, parties), eq(parties.kind, kind)))
    .orderBy(asc(parties.startsAt), asc(parties.id))
    .limit(partiesAtOnce + 1),
);
// All guests are one text; the database refuses it if there are too many.
const guestsOfHosted = statement<HostKey>()(({ me, kind }) =>
  orm
    .select({ text: packedOfMany.as('text') })
    .from(invitations)
    .where(sql`party_id IN (SELECT id FROM parties WHERE ${ownedBy(me)} AND kind = ${kind} AND deleted_at IS NULL)`),
);

/** Lists a host's parties; undefined if they are too large to be in memory at once. */
async function listFewHosted(db: Db, host: HostKey): Promise<HostedSummary[] | undefined> {
  try {
    const [hosted, [row]] = await db.run(firstHosted(host), guestsOfHosted(host));
    if (hosted.length > partiesAtOnce) return undefined;
    const byParty = new Map<string, Invited[]>(hosted.map(({ id }) => [id, []]));
    for (const guest of unpackOfMany(row?.text ?? '[]')) byParty.get(guest.partyId)?.push(guest);
    return hosted.map((party) => ({ ...party, invitations: byParty.get(party.id) ?? [] }));
  } catch (error) {
    if (error instanceof ValueTooLarge) return undefined;
    throw error;
  }
}

export async function listHosted(db: Db, actor: Actor, kind: Kind): Promise<Party[]> {
  const [hosted] = await db.run(hostedOf({ me: actor.accountId, kind }));
  return hosted;
}

/** Lists the actor's own parties or meetups with invitations, by start. Many are read in parts. */
export async function listHostedWithInvitations(
  db: Db,
  actor: Actor,
  kind: Kind,
): Promise<HostedSummary[] | Parts<PartyWithGuests>> {
  const few = await listFewHosted(db, { me: actor.accountId, kind });
  return few ?? listInParts(db, actor, and(ownedBy(actor, parties), eq(parties.kind, kind)));
}

const rsvpsOf = statement<{ me: string }>()(({ me }) =>
  orm
    .select(partyColumns)
    .from(invitations)
    .innerJoin(parties, eq(parties.id, invitations.partyId))
    .innerJoin(accounts, eq(accounts.id, parties.providerId))
    .where(and(eq(invitations.accountId, me), isStillOn))
    .limit(partiesAtOnce + 1),
);

export const byStart = (party: Party, other: Party) =>
  party.startsAt - other.startsAt || (party.id < other.id ? -1 : 1);

/**
 * Lists the actor's own parties with invitations, and those that the actor has answered, by start. Many are read in
 * parts.
 */
export async function listHostedOrRsvped(db: Db, actor: Actor): Promise<HostedSummary[] | Parts<PartyWithGuests>> {
  const me = actor.accountId;
  const [hosted, [partiesWithRsvp]] = await Promise.all([
    actor.role === 'Provider' ? listFewHosted(db, { me, kind: 'party' }) : [],
    db.run(rsvpsOf({ me })),
  ]);
  if (hosted && partiesWithRsvp.length <= partiesAtOnce) {
    return [...hosted, ...partiesWithRsvp.map((party) => ({ ...party, invitations: [] }))].sort(byStart);
  }
  const isOwn = and(ownedBy(me, parties), eq(parties.kind, 'party'));
  return listInParts(
    db,
    actor,
    or(isOwn, sql`${parties.id} IN (SELECT party_id FROM invitations WHERE account_id = ${me})`),
  );
}

const ownById = statement<{ id: string; me: string; kind: Kind }>()(({ id, me, kind }) =>
  selectParties(and(eq(parties.id, id), eq(parties.kind, kind), ownedBy(me, parties))),
);

/** Reads a party or meetup of the actor's own. @throws DomainError not_found */
export async function getOwnParty(db: Db, actor: Actor, kind: Kind, id: string): Promise<Party> {
  const [[party]] = await db.run(ownById({ id, me: actor.accountId, kind }));
  if (!party) throw notFound(kind);
  return party;
}

/** Reads a party or meetup of the actor's own, with its invitations. @throws DomainError not_found */
export async function getHosted(db: Db, actor: Actor, kind: Kind, id: string, now: Instant): Promise<Hosted> {
  const [party, rows] = await Promise.all([getOwnParty(db, actor, kind, id), listInvitations(db, actor, id, now)]);
  return { ...party, invitations: rows };
}

/** Lists a party's guests for the host, in parts if they are many or wrote much. For others there are none. */
export async function listGuests(db: Db, actor: Actor, id: string, now: Instant): Promise<Invited[] | ManyGuests> {
  return (await findInvitations(db, actor, id, now)) ?? getManyGuests(db, id);
}

const byId = statement<{ id: string }>()(({ id }) => selectParties(eq(parties.id, id)));
export const ownRsvp = statement<{ id: string; me: string }>()(({ id, me }) =>
  orm
    .select(ownColumns)
    .from(invitations)
    .where(and(eq(invitations.partyId, id), eq(invitations.invitee, me))),
);

/** Finds a party for anybody with its link. */
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
