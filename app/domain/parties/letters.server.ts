import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, invitations, parties, replacedInvitations } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { findTemplateOfParty } from '../bookings/template-of.server';
import { type Page, pageOf } from '../input/fields';
import { pageSize } from '../input/limits';
import { withheldMail } from '../mail/withheld-mail';
import { guestEmail, rsvpMail, toldGuest } from '../messages/event-ways.server';
import { isMailed } from '../messages/ways';
import type { Actor } from '../profile/accounts';
import type { Template } from '../templates/questions';
import { day, type Instant } from '../time/clock';
import { replacedInvitation } from './attendees.server';
import { ownColumns } from './invitations.server';
import { type Before, type Invitation, movedFrom, type Party } from './parties';
import { partyColumns } from './select.server';

export type PartyLetter = {
  party: Party;
  calledOffAt: Instant | null;
  cancelReason: string | null;
  /** The time and place when this guest said yes; null if nothing has changed since. */
  was: Before | null;
};

const withDeletion = { ...partyColumns, calledOffAt: parties.deletedAt, cancelReason: parties.cancelReason };
export const selectLetters = () =>
  orm.select(withDeletion).from(parties).innerJoin(accounts, eq(accounts.id, parties.providerId));

// The time and place of the party when the guest answered; null if it has not moved since.
const firstMove = sql`(SELECT json_object('startsAt', starts_at, 'endsAt', ends_at, 'date', local_date,
    'address', address, 'locationUrl', location_url)
  FROM party_moves WHERE party_id = invitations.party_id AND moved_at >= invitations.rsvp_at
  ORDER BY moved_at LIMIT 1)`;
const movedSinceRsvp = (condition: SQL) =>
  sql<Before | null>`iif(${condition}, ${firstMove}, NULL)`.mapWith(JSON.parse).as('was');

const hostId = sql`(SELECT provider_id FROM parties WHERE parties.id = invitations.party_id)`;

export const selectOwn = () =>
  orm
    .select({
      ...ownColumns,
      email: guestEmail.as('written_to'),
      isMailed: toldGuest(hostId).mapWith(isMailed).as('is_mailed'),
      withheld: rsvpMail.withheld.mapWith(withheldMail).as('withheld_rsvp'),
      was: movedSinceRsvp(sql`invitations.accepted`),
    })
    .from(invitations);

const partyById = statement<{ id: string }>()(({ id }) =>
  selectLetters().where(and(eq(parties.id, id), eq(parties.kind, 'party'))),
);
const ownOf = statement<{ id: string; me: string }>()(({ id, me }) =>
  selectOwn().where(and(eq(invitations.partyId, id), eq(invitations.invitee, me))),
);

/** Finds a party for anybody with its link, called off or not. */
export async function findPartyLetter(
  db: Db,
  actor: Pick<Actor, 'accountId'> | null,
  id: string,
): Promise<(PartyLetter & { own: Invitation | null; template: Template | null }) | undefined> {
  const [[[found]], own, template] = await Promise.all([
    db.run(partyById({ id })),
    actor ? db.run(ownOf({ id, me: actor.accountId })) : undefined,
    findTemplateOfParty(db, id),
  ]);
  if (!found) return undefined;
  const { calledOffAt, cancelReason, ...party } = found;
  const { was = null, ...invitation } = own?.[0][0] ?? {};
  const rsvp = 'id' in invitation ? (invitation as Invitation) : null;
  return { party, calledOffAt, cancelReason, was: movedFrom(party, rsvp, was), own: rsvp, template: template ?? null };
}

/**
 * Finds a meetup by a name's personal link, called off or not.
 * @throws DomainError not_found, which says if the link was replaced
 */
export async function findMeetupLetter(
  db: Db,
  invitationId: string,
): Promise<(PartyLetter & { invitation: Invitation }) | undefined> {
  const {
    own: [own],
    found: [found],
    replaced: [replaced],
  } = await db.run({
    own: selectOwn().where(and(eq(invitations.id, invitationId), isNull(invitations.accountId))),
    found: selectLetters().where(sql`${parties.id} = (SELECT party_id FROM invitations WHERE id = ${invitationId})`),
    replaced: orm
      .select({ host: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('replacer') })
      .from(replacedInvitations)
      .innerJoin(parties, eq(parties.id, replacedInvitations.partyId))
      .innerJoin(accounts, eq(accounts.id, parties.providerId))
      .where(eq(replacedInvitations.id, invitationId)),
  });
  if (replaced && !own) throw replacedInvitation(replaced.host);
  if (!own || !found) return undefined;
  const { calledOffAt, cancelReason, ...party } = found;
  const { was, ...invitation } = own;
  return { party, calledOffAt, cancelReason, was: movedFrom(party, invitation, was), invitation };
}

// A party lasts a day at most, or an hour more when the clocks change.
const longest = sql.raw(String(2 * day));

type Which = 'coming' | 'past';
const rsvpsOf = statementBy<Which, { me: string; now: Instant; skip: number }>()((period, { me, now, skip }) =>
  orm
    .select({
      ...withDeletion,
      accepted: invitations.accepted,
      brings: sql<number>`${invitations.plusOnes}`.as('brings'),
      // A party that was never edited has not moved, so we don't look for its moves, which would read a row for each
      // guest.
      was: movedSinceRsvp(sql`invitations.accepted AND parties.sequence > 0`),
    })
    .from(invitations)
    // CROSS JOIN keeps this order: invitations are found by the start of their party.
    .crossJoin(parties)
    .crossJoin(accounts)
    .where(
      sql`${invitations.accountId} = ${me} AND ${parties.id} = ${invitations.partyId} AND ${accounts.id} = ${parties.providerId}
        AND ${
          period === 'coming'
            ? sql`${invitations.partyStartsAt} > ${now} - ${longest} AND ${parties.endsAt} > ${now}`
            : sql`${invitations.partyStartsAt} <= ${now} AND ${parties.endsAt} <= ${now} AND ${parties.deletedAt} IS NULL`
        }`,
    )
    .orderBy(...[invitations.partyStartsAt, invitations.partyId].map(period === 'coming' ? asc : desc))
    .limit(pageSize + 1)
    .offset(skip),
);

export type Rsvped = PartyLetter & { own: Pick<Invitation, 'accepted' | 'plusOnes'> };

/**
 * Lists the parties that the actor has answered: coming ones by start, or past ones, the latest first. A party that was
 * called off is listed until it would have ended.
 */
export async function listRsvps(
  db: Db,
  actor: Actor,
  { which, page }: { which: Which; page: number },
  now: Instant,
): Promise<Page<Rsvped>> {
  const [rows] = await db.run(rsvpsOf(which, { me: actor.accountId, now, skip: page * pageSize }));
  return pageOf(
    rows.map(({ calledOffAt, cancelReason, accepted, brings, was, ...party }) => {
      const own = { accepted, plusOnes: brings };
      return { party, calledOffAt, cancelReason, was: movedFrom(party, own, was), own };
    }),
  );
}
