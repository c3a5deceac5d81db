import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { invitations, parties } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn, selectOwner } from '../accounts/sessions.server';
import { conflict, DomainError, notFound, notLoggedIn } from '../errors';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import { day, type Instant, type LocalDate } from '../time/clock';
import { endOfDay } from '../time/zones';
import type { Party } from './parties';
import { selectParties } from './select.server';
import { chosenFaults, copyOn, type WeeklyDay, type WeeklyInput } from './weekly';

/* A party or meetup that its host makes again for other weeks. */

type OfHost = { id: string; me: string };
const ownOfEitherKind = statement<OfHost>()(({ id, me }) =>
  selectParties(and(eq(parties.id, id), eq(parties.providerId, me))),
);
const sameTitle = statement<OfHost & { now: Instant; until: Instant }>()(({ id, me, now, until }) =>
  orm
    .select({ date: sql<LocalDate>`local_date`.as('local_date') })
    .from(parties)
    .where(
      sql`provider_id = ${me} AND kind = (SELECT kind FROM parties WHERE id = ${id}) AND starts_at BETWEEN ${now} AND ${until}
        AND deleted_at IS NULL AND title = (SELECT title FROM parties WHERE id = ${id})`,
    ),
);
const withAddress = statement<OfHost>()(({ id, me }) =>
  orm
    .select({ count: sql<number>`count(*)`.as('with_address') })
    .from(invitations)
    .where(
      sql`party_id = (SELECT id FROM parties WHERE id = ${id} AND provider_id = ${me} AND kind = 'meetup')
        AND email IS NOT NULL AND mail_ended_at IS NULL`,
    ),
);

/** A party or meetup that may be repeated. */
export type Repeatable = {
  party: Party;
  /** The days of others with the same title, as long as it is asked for. */
  taken: LocalDate[];
  /** How many of its names get mail. */
  withAddress: number;
};

/**
 * Reads a party or meetup of the actor's own, to repeat it.
 * @param until the day until when to look for others with the same title; null where not at all
 * @throws DomainError not_found (another's, or none)
 */
export async function getRepeatable(
  db: Db,
  actor: Actor,
  { id, until }: { id: string; until: LocalDate | null },
  now: Instant,
): Promise<Repeatable> {
  const whose = { id, me: actor.accountId };
  const [[party], taken, [names]] = await db.run(
    ownOfEitherKind(whose),
    // The day may begin up to half a day later elsewhere.
    sameTitle({ ...whose, now, until: until === null ? now : Date.parse(until) + 2 * day }),
    withAddress(whose),
  );
  if (!party) throw notFound('party');
  return { party, taken: taken.map(({ date }) => date), withAddress: names?.count ?? 0 };
}

const changed = ({ kind }: Party) =>
  conflict(`This ${kind} has changed since this page was made. Please look at it again.`);

/** What a one-time key keeps. */
type Copied = Pick<Party, 'kind'>;

/** A copy as its statements take it. */
function rowOf({ date, startsAt, endsAt, rsvpBy }: WeeklyDay, party: Party) {
  const links = party.kind === 'meetup' ? Array.from({ length: party.invited }, newId) : [];
  return {
    id: newId(),
    date,
    startsAt,
    endsAt,
    rsvpBy,
    closesAt: rsvpBy && endOfDay(rsvpBy, party.timeZone),
    links,
  };
}

/**
 * Makes a party or meetup again for each of these days, at its local times in its zone, with all its facts and the names
 * of its list, each with a new link; nobody has answered yet. All copies, or none. Sent again with the same key it makes
 * none and answers the same.
 * @returns of which kind they are
 * @throws DomainError not_found (the party, the template), conflict (it was changed since it was shown), invalid (days)
 */
export async function repeatParty(
  db: Db,
  actor: Actor,
  id: string,
  { dates, templateId, sequence, isMailed }: WeeklyInput,
  { now, key }: Written,
): Promise<Copied> {
  const once = oneTimeKey(`${actor.accountId}:Repeat:${id}`, key, now);
  const [[party], [before]] = await db.run(ownOfEitherKind({ id, me: actor.accountId }), once.read());
  if (before) return before.replay as Copied;
  if (!party) throw notFound('party');
  if (party.sequence !== sequence) throw changed(party);
  const days = dates.map((date) => copyOn(party, date, now));
  const faults = chosenFaults(party, days, now);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  const copies = JSON.stringify(days.map((one) => rowOf(one, party)));
  const isMeetup = party.kind === 'meetup';
  const isAsShown = sql`EXISTS (SELECT 1 FROM parties WHERE id = ${id} AND provider_id = ${actor.accountId}
    AND sequence = ${sequence} AND invited = ${isMeetup ? party.invited : sql`invited`} AND deleted_at IS NULL)`;
  const email = sql`iif(mail_ended_at IS NULL, email, NULL)`;
  const [, , , , , [stored], [owner], [isCurrent]] = await db.run(
    once.claim(sql`${isAsShown} AND ${isLoggedIn(actor, now)} AND ${isCurrentTemplate(actor, templateId)}`),
    insertFrom(
      parties,
      {
        id: sql`copy.value ->> 'id'`,
        kind: parties.kind,
        providerId: parties.providerId,
        title: parties.title,
        description: parties.description,
        startsAt: sql`copy.value ->> 'startsAt'`,
        endsAt: sql`copy.value ->> 'endsAt'`,
        localDate: sql`copy.value ->> 'date'`,
        timeZone: parties.timeZone,
        address: parties.address,
        locationUrl: parties.locationUrl,
        templateId,
        capacity: parties.capacity,
        rsvpBy: sql`copy.value ->> 'rsvpBy'`,
        rsvpClosesAt: sql`copy.value ->> 'closesAt'`,
        plusOnes: parties.plusOnes,
        hideGoing: parties.hideGoing,
        openTo: parties.openTo,
        showOnPage: parties.showOnPage,
        invited: isMeetup ? parties.invited : 0,
        createdAt: now,
      },
      sql`FROM json_each(${copies}) AS copy CROSS JOIN parties WHERE ${parties.id} = ${id} AND ${once.isOurs}`,
    ),
    insertFrom(
      invitations,
      {
        partyId: sql`copy.value ->> 'id'`,
        invitee: sql`names.invitee`,
        id: sql`copy.value ->> ('$.links[' || names.place || ']')`,
        name: sql`names.name`,
        nameSortKey: sql`names.name_sort_key`,
        createdAt: now,
        email: sql`names.email`,
        emailAt: sql`iif(names.email IS NULL, NULL, ${now})`,
      },
      sql`FROM json_each(${copies}) AS copy CROSS JOIN (
          SELECT invitee, name, name_sort_key, iif(${isMailed ? 1 : 0}, ${email}, NULL) AS email,
            row_number() OVER (ORDER BY invitee) - 1 AS place
          FROM invitations WHERE party_id = ${id} AND account_id IS NULL) AS names
        WHERE ${isMeetup ? 1 : 0} AND ${once.isOurs}`,
    ),
    // An address that comes later is not written to at once.
    orm
      .update(invitations)
      .set({
        email: sql`(SELECT own.email FROM invitations AS own WHERE own.party_id = ${id} AND own.invitee = invitations.invitee)`,
      })
      .where(
        sql`${isMeetup && !isMailed ? 1 : 0} AND ${once.isOurs}
          AND party_id IN (SELECT value ->> 'id' FROM json_each(${copies}))
          AND invitee IN (SELECT invitee FROM invitations WHERE party_id = ${id} AND ${email} IS NOT NULL)`,
      ),
    once.store(sql`${JSON.stringify({ kind: party.kind } satisfies Copied)}`),
    once.read(),
    selectOwner(actor, now),
    orm
      .select({ isTemplate: sql<number>`${isCurrentTemplate(actor, templateId)}`.as('is_template') })
      .from(parties)
      .where(sql`id = ${id} AND ${isAsShown}`),
  );
  db.changedPages.add(actor.accountId);
  if (stored) return stored.replay as Copied;
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (isCurrent && !isCurrent.isTemplate) throw noSuchTemplate();
  throw changed(party);
}
