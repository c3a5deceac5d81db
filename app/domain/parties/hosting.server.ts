import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { invitations, parties, partyMoves } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { inNewZone, isLoggedIn, isZoneOf, selectOwner, selectStanding } from '../accounts/sessions.server';
import { DomainError, invalid, notFound, notLoggedIn } from '../errors';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import { day, type Instant, localTimeOf } from '../time/clock';
import { endOfDay, eventInstants, todayIn } from '../time/zones';
import { insertNames, invitationsOf } from './invitations.server';
import { mapLink, type Party } from './parties';
import { getHosted, getOwnParty, type Hosted, type HostedInShort, type Kind } from './parties.server';
import {
  datesFaults,
  lateRsvpByFault,
  type MeetupInput,
  type PartyChange,
  type PartyInput,
  pastDateFault,
} from './party-input';
import { readReplay, replayOf } from './replays.server';
import { selectParties, stands } from './select.server';

/* What a host does with a party or meetup: create, edit, delete. */

const hostedBy = (actor: Actor) => eq(parties.providerId, actor.accountId);
const isPast = (date: string, zone: string, now: Instant) => date < todayIn(zone, now);

const closing = (rsvpBy: string | null, zone: string) => (rsvpBy ? endOfDay(rsvpBy, zone) : null);

/** What both kinds are made of; a meetup has names instead of the party's own fields. */
type Draft = Omit<MeetupInput, 'attendees'> & Partial<PartyInput> & Partial<Pick<MeetupInput, 'attendees'>>;

/**
 * Creates a party, its date and times in the host's zone. Sent again with the same key it creates nothing and answers
 * the same. @throws DomainError unauthenticated, invalid (dates, another zone was shown), not_found (the template)
 */
export const createParty = (db: Db, actor: Actor, input: PartyInput, once: Written) =>
  create(db, actor, 'party', input, once);

/**
 * As createParty, with a personal link for every name, which goes by mail to those who have an address.
 * @throws DomainError unauthenticated, invalid (dates, another zone was shown), not_found (the template)
 */
export const createMeetup = (db: Db, actor: Actor, input: MeetupInput, once: Written) =>
  create(db, actor, 'meetup', input, once);

async function create(db: Db, actor: Actor, kind: Kind, input: Draft, { now, key }: Written): Promise<HostedInShort> {
  const zone = actor.timeZone;
  const { date, startTime, endTime, templateId = null, rsvpBy = null, attendees = [] } = input;
  const { startsAt, endsAt } = eventInstants({ date, start: startTime, end: endTime, zone });
  const once = oneTimeKey(`${actor.accountId}:Create-${kind}`, key, now);
  const id = newId();
  const wrong = datesFaults({ date, rsvpBy }, todayIn(zone, now));
  const isAllowed = and(isLoggedIn(actor, now), isZoneOf(actor), isCurrentTemplate(actor, templateId));
  const { title, description, address, locationUrl, capacity, plusOnes, hideGoing } = input;
  const { openTo = 'accounts', showOnPage = false } = input;
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
    rsvpClosesAt: closing(rsvpBy, zone),
    plusOnes: plusOnes ?? 0,
    hideGoing,
    openTo,
    showOnPage,
    invited: attendees.length,
    createdAt: now,
  };
  const [, , , , [stored], [owner]] = await db.run(
    // Input that is invalid now may have been valid when this key was first used; then the stored answer is returned.
    once.claim(and(isAllowed, sql`${wrong.length > 0 ? 0 : 1}`) as SQL),
    insertFrom(parties, row, sql`WHERE ${once.isOurs}`),
    insertNames(id, attendees, once.isOurs, now),
    once.store(replayOf(id)),
    once.read(),
    selectOwner(actor, now),
  );
  db.changedPages.add(actor.accountId);
  if (stored) return readReplay(db, actor, kind, stored.replay, now);
  const moved = inNewZone(actor, owner);
  if (moved) return create(db, moved, kind, input, { now, key });
  if (wrong.length > 0) throw new DomainError('invalid', wrong);
  throw noSuchTemplate();
}

/**
 * Changes what is given; an absent property stays, null clears. The zone stays that of the party. What somebody else has
 * changed since it was read stays too: then the change is made to that.
 * @throws DomainError not_found, invalid (dates, a capacity below who is coming), unauthenticated
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
  const editing = db.run(
    orm
      .update(parties)
      .set({ ...set, sequence: sql`${parties.sequence} + 1`, changedAt: now })
      .where(
        and(
          and(eq(parties.id, id), eq(parties.sequence, before.sequence), hostedBy(actor), stands),
          and(isLoggedIn(actor, now), isCurrentTemplate(actor, set.templateId ?? null)),
        ),
      )
      .returning({ id: parties.id }),
    selectParties(and(eq(parties.id, id), hostedBy(actor))),
    invitationsOf(eq(invitations.partyId, id)),
    selectStanding(actor, now),
    ...(isMove(set) ? [rememberMove(before, now)] : []),
  );
  const [updated, [party], rows, [standing]] = await editing.catch((error: unknown) => {
    if (error instanceof RuleBroken && error.rule === 'party_has_room') {
      throw invalid('capacity', `${before.going} people are coming already, so the capacity can't be less.`);
    }
    throw error;
  });
  if (!party) throw notFound(kind);
  db.changedPages.add(actor.accountId);
  if (updated.length > 0) return { ...party, invitations: rows };
  if (!standing?.isLoggedIn) throw notLoggedIn();
  if (party.sequence !== before.sequence) return editParty(db, actor, kind, { id, change }, now);
  throw noSuchTemplate();
}

const isMove = (set: object) => ['startsAt', 'address', 'locationUrl'].some((part) => part in set);

/** Keeps when and where a party was before the update that this statement follows, where somebody comes. */
const rememberMove = ({ id, startsAt, endsAt, date, address, locationUrl }: Party, now: Instant) =>
  insertFrom(
    partyMoves,
    { partyId: id, movedAt: now, startsAt, endsAt, localDate: date, address, locationUrl },
    sql`FROM parties WHERE id = ${id} AND going > 0 AND changes() > 0`,
  ).onConflictDoNothing();

/** The columns that a change really changes, with the instants that follow from dates and times. */
function changedColumns(before: Party, change: PartyChange, now: Instant): Partial<typeof parties.$inferInsert> {
  const zone = before.timeZone;
  const date = change.date ?? before.date;
  const rsvpBy = ifChanged(change.rsvpBy, before.rsvpBy);
  const isOtherDate = date !== before.date;
  if (isOtherDate && isPast(date, zone, now)) throw new DomainError('invalid', [pastDateFault]);
  // A last day that is past is allowed here: it ends the answers.
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
    // A client may send back the search link that it was shown; that is not a link of the host's own.
    locationUrl:
      change.locationUrl === mapLink(before) ? before.locationUrl : ifChanged(change.locationUrl, before.locationUrl),
    templateId: ifChanged(change.templateId, before.templateId),
    capacity: ifChanged(change.capacity, before.capacity),
    rsvpBy,
    plusOnes: change.plusOnes === undefined ? before.plusOnes : (change.plusOnes ?? 0),
    hideGoing: change.hideGoing ?? before.hideGoing,
    openTo: change.openTo ?? before.openTo,
    showOnPage: change.showOnPage ?? before.showOnPage,
  };
  const names = Object.keys(after) as (keyof typeof after)[];
  const changed = Object.fromEntries(
    names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]),
  );
  return {
    ...changed,
    ...(after.rsvpBy !== before.rsvpBy && { rsvpClosesAt: closing(after.rsvpBy, zone) }),
    ...(isMoved && { localDate: date, ...eventInstants({ date, start, end, zone }) }),
  };
}

const ifChanged = <Value>(changed: Value | undefined, before: Value): Value =>
  changed === undefined ? before : changed;

/**
 * Deletes a party or meetup, with all answers. Its guests find until it has passed that it was called off, and why, where
 * the host says so; the hourly job forgets it then. Sent again with the same key it deletes nothing and answers the same.
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
  const isOurs = sql`${once.answered('$')} IS NOT NULL`;
  const [, , , [deleted]] = await db.run(
    once.claim(
      sql`EXISTS (SELECT 1 FROM parties WHERE id = ${id} AND kind = ${kind} AND provider_id = ${actor.accountId}
        AND deleted_at IS NULL) AND ${isLoggedIn(actor, now)}`,
      sql`json_quote(${id})`,
    ),
    orm
      .update(invitations)
      .set({ answers: [] })
      .where(and(eq(invitations.partyId, id), sql`answers <> '[]'`, isOurs)),
    orm
      .update(parties)
      .set({ deletedAt: now, cancelReason: reason, sequence: sql`${parties.sequence} + 1` })
      .where(and(eq(parties.id, id), isOurs)),
    once.read(),
  );
  if (!deleted) throw notFound(kind);
  db.changedPages.add(actor.accountId);
}

/** How long a party that was called off is kept after its end, in milliseconds: 30 days. */
const calledOffFor = 30 * day;

/** Deletes for good what was called off and has passed. */
export async function forgetCalledOff(db: Db, now: Instant): Promise<void> {
  const passed = sql`SELECT id FROM parties WHERE deleted_at IS NOT NULL AND ends_at <= ${now - calledOffFor}`;
  await db.run(
    // Then the trigger that counts the invitations need not count each of them.
    orm.update(parties).set({ invited: 0 }).where(sql`id IN (${passed})`),
    orm.delete(invitations).where(sql`party_id IN (${passed})`),
    orm.delete(partyMoves).where(sql`party_id IN (${passed})`),
    orm.delete(parties).where(sql`id IN (${passed})`),
  );
}
