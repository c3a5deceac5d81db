import { msg, plural } from '@lingui/core/macro';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { invitations, parties, partyMoves } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { endBrokenHolds, runAfterHolds } from '../bookings/holds.server';
import { DomainError, invalid, notLoggedIn } from '../errors';
import { inNewZone, isLoggedIn, isZoneOf, selectIsLoggedIn, selectOwner } from '../login/sessions.server';
import { notFound } from '../not-found';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import type { Actor } from '../profile/accounts';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import { day, type Instant, localTimeOf } from '../time/clock';
import { endOfDay, eventInstants, todayIn } from '../time/zones';
import { insertNames, invitationsOf } from './invitations.server';
import { mapLink, type Party } from './parties';
import { getHosted, getOwnParty, type Hosted, type HostedSummary, type Kind } from './parties.server';
import {
  datesFaults,
  lateRsvpByFault,
  type MeetupInput,
  type PartyChange,
  type PartyInput,
  pastDateFault,
} from './party-input';
import { readReplay, replayOf } from './replays.server';
import { isStillOn, selectParties } from './select.server';

const isPast = (date: string, zone: string, now: Instant) => date < todayIn(zone, now);

const closesAt = (rsvpBy: string | null, zone: string) => (rsvpBy ? endOfDay(rsvpBy, zone) : null);

/** A meetup has names; a party has a few more fields instead. */
type Draft = Omit<MeetupInput, 'attendees'> & Partial<PartyInput> & Partial<Pick<MeetupInput, 'attendees'>>;

/**
 * Creates a party. With the same key again it creates nothing.
 * @throws DomainError unauthenticated, invalid (dates, zone), not_found (the template)
 */
export const createParty = (db: Db, actor: Actor, input: PartyInput, once: Written) =>
  create(db, actor, 'party', input, once);

/**
 * Creates a meetup as createParty creates a party, and mails a personal link to each name.
 * @throws DomainError as createParty
 */
export const createMeetup = (db: Db, actor: Actor, input: MeetupInput, once: Written) =>
  create(db, actor, 'meetup', input, once);

async function create(db: Db, actor: Actor, kind: Kind, input: Draft, { now, key }: Written): Promise<HostedSummary> {
  const zone = actor.timeZone;
  const { date, startTime, endTime, templateId = null, rsvpBy = null, attendees = [] } = input;
  const { startsAt, endsAt } = eventInstants({ date, start: startTime, end: endTime, zone });
  const once = oneTimeKey(`${actor.accountId}:Create-${kind}`, key, now);
  const id = newId();
  const faults = datesFaults({ date, rsvpBy }, todayIn(zone, now));
  const isAllowed = and(isLoggedIn(actor, now), isZoneOf(actor), isCurrentTemplate(actor, templateId));
  const { title, description, address, locationUrl, capacity, plusOnes, hideGoing } = input;
  const { openTo = 'accounts', showOnPage = false, askEmail = 'optional', askPhone = 'no' } = input;
  const row = {
    id,
    kind,
    providerId: actor.accountId,
    title,
    description,
    startsAt,
    endsAt,
    localDate: date,
    timeZone: zone,
    address,
    locationUrl,
    templateId,
    capacity,
    rsvpBy,
    rsvpClosesAt: closesAt(rsvpBy, zone),
    plusOnes: plusOnes ?? 0,
    hideGoing,
    openTo,
    showOnPage,
    askEmail,
    askPhone,
    invited: attendees.length,
    createdAt: now,
  };
  const {
    stored: [stored],
    owner: [owner],
  } = await runAfterHolds(db, now, {
    // Input that is invalid now may have been valid when the key was first used: then the first result is returned.
    used: once.use(and(isAllowed, sql`${faults.length > 0 ? 0 : 1}`) as SQL),
    party: insertFrom(parties, row, sql`WHERE ${once.isOurs}`),
    droppedHolds: endBrokenHolds(sql`(${actor.accountId})`, now),
    names: insertNames(id, attendees, once.isOurs, now),
    result: once.store(replayOf(id)),
    stored: once.read(),
    owner: selectOwner(actor, now),
  });
  if (stored) return readReplay(db, actor, kind, stored.replay, now);
  const moved = inNewZone(actor, owner);
  if (moved) return create(db, moved, kind, input, { now, key });
  if (faults.length > 0) throw new DomainError('invalid', faults);
  throw noSuchTemplate();
}

/**
 * Changes a party or meetup. An absent field stays, null clears it. What other people change at the same time stays.
 * @throws DomainError not_found, invalid (dates, a capacity below the number of people who come), unauthenticated
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
  if (Object.keys(set).length === 0) return getHosted(db, actor, kind, id, now);
  const mayEdit = and(
    and(eq(parties.id, id), eq(parties.sequence, before.sequence), ownedBy(actor, parties), isStillOn),
    and(isLoggedIn(actor, now), isCurrentTemplate(actor, set.templateId ?? null)),
  ) as SQL;
  const editing = runAfterHolds(db, now, {
    remembered: isMove(set) ? rememberMove(before, mayEdit, now) : undefined,
    updated: orm
      .update(parties)
      .set({ ...set, sequence: sql`${parties.sequence} + 1`, changedAt: now })
      .where(mayEdit)
      .returning({ id: parties.id }),
    droppedHolds: isMove(set) ? endBrokenHolds(sql`(${actor.accountId})`, now) : undefined,
    party: selectParties(and(eq(parties.id, id), ownedBy(actor, parties))),
    rows: invitationsOf(eq(invitations.partyId, id)),
    session: selectIsLoggedIn(actor, now),
  });
  const {
    updated,
    party: [party],
    rows,
    session: [session],
  } = await editing.catch((error: unknown) => {
    if (error instanceof RuleBroken && error.rule === 'party_has_room') {
      const { going } = before;
      throw invalid(
        'capacity',
        msg`${plural({ going }, { one: '# person is', other: '# people are' })} coming already, so the capacity can't be less.`,
      );
    }
    throw error;
  });
  if (!party) throw notFound(kind);
  if (updated.length > 0) return { ...party, invitations: rows };
  if (!session?.isLoggedIn) throw notLoggedIn();
  if (party.sequence !== before.sequence) return editParty(db, actor, kind, { id, change }, now);
  throw noSuchTemplate();
}

const isMove = (set: object) => ['startsAt', 'address', 'locationUrl'].some((part) => part in set);

// Stands before the statement that moves the party, under the same condition.
const rememberMove = ({ id, startsAt, endsAt, date, address, locationUrl }: Party, mayEdit: SQL, now: Instant) =>
  insertFrom(
    partyMoves,
    { partyId: id, movedAt: now, startsAt, endsAt, localDate: date, address, locationUrl },
    sql`FROM parties WHERE ${parties.going} > 0 AND ${mayEdit}`,
  ).onConflictDoNothing();

/** The columns that change, and the instants that follow from dates and times. */
function changedColumns(before: Party, change: PartyChange, now: Instant): Partial<typeof parties.$inferInsert> {
  const zone = before.timeZone;
  const date = change.date ?? before.date;
  const rsvpBy = ifChanged(change.rsvpBy, before.rsvpBy);
  const isOtherDate = date !== before.date;
  if (isOtherDate && isPast(date, zone, now)) throw new DomainError('invalid', [pastDateFault]);
  // Here the last day for RSVPs may be past: so a host ends them.
  if ((isOtherDate || rsvpBy !== before.rsvpBy) && rsvpBy && rsvpBy > date) {
    throw new DomainError('invalid', [lateRsvpByFault]);
  }
  const start = change.startTime ?? localTimeOf(before.startsAt, zone);
  const end = change.endTime ?? localTimeOf(before.endsAt, zone);
  const isMoved =
    date !== before.date || start !== localTimeOf(before.startsAt, zone) || end !== localTimeOf(before.endsAt, zone);
  const after = {
    title: change.title ?? before.title,
    description: ifChanged(change.description, before.description),
    address: ifChanged(change.address, before.address),
    // A client may send back the map search that we offered, which is not a link of the host's.
    locationUrl:
      change.locationUrl === mapLink(before) ? before.locationUrl : ifChanged(change.locationUrl, before.locationUrl),
    templateId: ifChanged(change.templateId, before.templateId),
    capacity: ifChanged(change.capacity, before.capacity),
    rsvpBy,
    plusOnes: change.plusOnes === undefined ? before.plusOnes : (change.plusOnes ?? 0),
    hideGoing: change.hideGoing ?? before.hideGoing,
    openTo: change.openTo ?? before.openTo,
    showOnPage: change.showOnPage ?? before.showOnPage,
    askEmail: change.askEmail ?? before.askEmail,
    askPhone: change.askPhone ?? before.askPhone,
  };
  const names = Object.keys(after) as (keyof typeof after)[];
  const changed = Object.fromEntries(
    names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]),
  );
  return {
    ...changed,
    ...(after.rsvpBy !== before.rsvpBy && { rsvpClosesAt: closesAt(after.rsvpBy, zone) }),
    ...(isMoved && { localDate: date, ...eventInstants({ date, start, end, zone }) }),
  };
}

const ifChanged = <Value>(changed: Value | undefined, before: Value): Value =>
  changed === undefined ? before : changed;

/**
 * Calls a party or meetup off and deletes all RSVPs. Until it would have ended, its guests read that it is called
 * off, and why. With the same key again nothing changes.
 * @throws DomainError not_found
 */
export async function deleteParty(
  db: Db,
  actor: Actor,
  kind: Kind,
  { id, reason }: { id: string; reason: string | null },
  { now, key }: Written,
): Promise<void> {
  const once = oneTimeKey(`${actor.accountId}:Delete:${kind}:${id}`, key, now);
  const isOurs = sql`${once.result('$')} IS NOT NULL`;
  const {
    deleted: [deleted],
  } = await db.run({
    used: once.use(
      sql`EXISTS (SELECT 1 FROM parties WHERE id = ${id} AND kind = ${kind} AND ${ownedBy(actor)}
        AND deleted_at IS NULL) AND ${isLoggedIn(actor, now)}`,
      sql`json_quote(${id})`,
    ),
    answers: orm
      .update(invitations)
      .set({ answers: [], phone: null })
      .where(and(eq(invitations.partyId, id), sql`(answers <> '[]' OR phone IS NOT NULL)`, isOurs)),
    party: orm
      .update(parties)
      .set({ deletedAt: now, cancelReason: reason, sequence: sql`${parties.sequence} + 1` })
      .where(and(eq(parties.id, id), isOurs)),
    deleted: once.read(),
  });
  if (!deleted) throw notFound(kind);
}

const calledOffFor = 30 * day;

/** Deletes parties and meetups that were called off and would have ended thirty days ago. */
export async function forgetCalledOff(db: Db, now: Instant): Promise<void> {
  const passed = sql`SELECT id FROM parties WHERE deleted_at IS NOT NULL AND ends_at <= ${now - calledOffFor}`;
  await db.run(
    // Without this, the trigger would count down once for each invitation.
    orm.update(parties).set({ invited: 0 }).where(sql`id IN (${passed})`),
    orm.delete(invitations).where(sql`party_id IN (${passed})`),
    orm.delete(partyMoves).where(sql`party_id IN (${passed})`),
    orm.delete(parties).where(sql`id IN (${passed})`),
  );
}
