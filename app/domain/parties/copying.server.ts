import { msg } from '@lingui/core/macro';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { invitations, parties } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { endBrokenHolds, runAfterHolds } from '../bookings/holds.server';
import { conflict, DomainError, notLoggedIn } from '../errors';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import { notFound } from '../not-found';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import type { Actor } from '../profile/accounts';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import { day, type Instant, type LocalDate } from '../time/clock';
import { endOfDay } from '../time/zones';
import type { Party } from './parties';
import { selectParties } from './select.server';
import { chosenFaults, copyOn, type WeeklyDay, type WeeklyInput } from './weekly';

type OfHost = { id: string; me: string };
const selectOwnParty = statement<OfHost>()(({ id, me }) =>
  selectParties(and(eq(parties.id, id), ownedBy(me, parties))),
);
const selectDaysOfSameTitle = statement<OfHost & { now: Instant; until: Instant }>()(({ id, me, now, until }) =>
  orm
    .select({ date: sql<LocalDate>`local_date`.as('local_date') })
    .from(parties)
    .where(
      sql`${ownedBy(me)} AND kind = (SELECT kind FROM parties WHERE id = ${id}) AND starts_at BETWEEN ${now} AND ${until}
        AND deleted_at IS NULL AND title = (SELECT title FROM parties WHERE id = ${id})`,
    ),
);
const countAddresses = statement<OfHost>()(({ id, me }) =>
  orm
    .select({ count: sql<number>`count(*)`.as('with_address') })
    .from(invitations)
    .where(
      sql`party_id = (SELECT id FROM parties WHERE id = ${id} AND ${ownedBy(me)} AND kind = 'meetup')
        AND email IS NOT NULL AND mail_ended_at IS NULL`,
    ),
);

type Repeatable = {
  party: Party;
  taken: LocalDate[]; // the days of other events that the host gave this title
  withAddress: number;
};

/**
 * Reads a party to copy.
 * @param until the last day to look for other events with the same title; null for none
 * @throws DomainError not_found
 */
export async function getRepeatable(
  db: Db,
  actor: Actor,
  { id, until }: { id: string; until: LocalDate | null },
  now: Instant,
): Promise<Repeatable> {
  const own = { id, me: actor.accountId };
  const {
    party: [party],
    taken,
    addresses: [addresses],
  } = await db.run({
    party: selectOwnParty(own),
    // In another zone, a day may begin up to half a day later.
    taken: selectDaysOfSameTitle({ ...own, now, until: until === null ? now : Date.parse(until) + 2 * day }),
    addresses: countAddresses(own),
  });
  if (!party) throw notFound('party');
  return { party, taken: taken.map(({ date }) => date), withAddress: addresses?.count ?? 0 };
}

const hasChanged = ({ kind }: Party) =>
  conflict(
    kind === 'party'
      ? msg`This party has changed since this page was made. Please look at it again.`
      : msg`This meetup has changed since this page was made. Please look at it again.`,
  );

type Copied = Pick<Party, 'kind'>;

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
 * Copies a party or meetup to each of these days, at the same local times, with its facts and names. Each name gets a
 * new link and has not answered. All copies are made, or none. With the same key again it makes none.
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
  const {
    party: [party],
    replayed: [replayed],
  } = await db.run({ party: selectOwnParty({ id, me: actor.accountId }), replayed: once.read() });
  if (replayed) return replayed.replay as Copied;
  if (!party) throw notFound('party');
  if (party.sequence !== sequence) throw hasChanged(party);
  const days = dates.map((date) => copyOn(party, date, now));
  const faults = chosenFaults(party, days, now);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  const copies = JSON.stringify(days.map((copyDay) => rowOf(copyDay, party)));
  const isMeetup = party.kind === 'meetup';
  const isAsShown = sql`EXISTS (SELECT 1 FROM parties WHERE id = ${id} AND ${ownedBy(actor)}
    AND sequence = ${sequence} AND invited = ${isMeetup ? party.invited : sql`invited`} AND deleted_at IS NULL)`;
  const email = sql`iif(mail_ended_at IS NULL, email, NULL)`;
  const ofOriginal = (column: 'email' | 'email_hash' | 'email_is_own') => sql`(SELECT own.${sql.identifier(column)}
    FROM invitations AS own WHERE own.party_id = ${id} AND own.invitee = invitations.invitee)`;
  const {
    stored: [stored],
    owner: [owner],
    original: [original],
  } = await runAfterHolds(db, now, {
    used: once.use(sql`${isAsShown} AND ${isLoggedIn(actor, now)} AND ${isCurrentTemplate(actor, templateId)}`),
    copies: insertFrom(
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
        askEmail: parties.askEmail,
        askPhone: parties.askPhone,
        invited: isMeetup ? parties.invited : 0,
        createdAt: now,
      },
      sql`FROM json_each(${copies}) AS copy CROSS JOIN parties WHERE ${parties.id} = ${id} AND ${once.isOurs}`,
    ),
    droppedHolds: endBrokenHolds(sql`(${actor.accountId})`, now),
    names: insertFrom(
      invitations,
      {
        partyId: sql`copy.value ->> 'id'`,
        invitee: sql`names.invitee`,
        id: sql`copy.value ->> ('$.links[' || names.place || ']')`,
        name: sql`names.name`,
        nameSortKey: sql`names.name_sort_key`,
        createdAt: now,
        email: sql`names.email`,
        emailHash: sql`iif(names.email IS NULL, NULL, names.email_hash)`,
        emailIsOwn: sql`names.email IS NOT NULL AND names.email_is_own`,
        emailAt: sql`iif(names.email IS NULL, NULL, ${now})`,
      },
      sql`FROM json_each(${copies}) AS copy CROSS JOIN (
          SELECT invitee, name, name_sort_key, email_hash, email_is_own, iif(${isMailed ? 1 : 0}, ${email}, NULL) AS email,
            row_number() OVER (ORDER BY invitee) - 1 AS place
          FROM invitations WHERE party_id = ${id} AND account_id IS NULL) AS names
        WHERE ${isMeetup ? 1 : 0} AND ${once.isOurs}`,
    ),
    // Addresses are added afterwards, so that no trigger mails the link.
    addresses: orm
      .update(invitations)
      .set({
        email: ofOriginal('email'),
        emailHash: ofOriginal('email_hash'),
        emailIsOwn: ofOriginal('email_is_own'),
      })
      .where(
        sql`${isMeetup && !isMailed ? 1 : 0} AND ${once.isOurs}
          AND party_id IN (SELECT value ->> 'id' FROM json_each(${copies}))
          AND invitee IN (SELECT invitee FROM invitations WHERE party_id = ${id} AND ${email} IS NOT NULL)`,
      ),
    result: once.store(sql`${JSON.stringify({ kind: party.kind } satisfies Copied)}`),
    stored: once.read(),
    owner: selectOwner(actor, now),
    original: orm
      .select({ isTemplate: sql<number>`${isCurrentTemplate(actor, templateId)}`.as('is_template') })
      .from(parties)
      .where(sql`id = ${id} AND ${isAsShown}`),
  });
  if (stored) return stored.replay as Copied;
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (original && !original.isTemplate) throw noSuchTemplate();
  throw hasChanged(party);
}
