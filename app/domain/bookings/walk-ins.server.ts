import { msg } from '@lingui/core/macro';
import { and, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { hasId } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { bookings, replacedLinks } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isBooked, isMadeForSomebody, wasBooked } from '../../../db/states';
import { conflict, notLoggedIn } from '../errors';
import { insertGuest, type NewGuest } from '../guests/guests.server';
import type { Links } from '../links.server';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import { notFound } from '../not-found';
import { keyLength } from '../one-time-keys.server';
import { type CardBooker, insertBooker } from '../people/booker.server';
import { entryOf, linkSourceOf } from '../people/client-columns.server';
import { type Actor, isOwnedBy } from '../profile/accounts';
import type { SubmittedAnswers } from '../templates/answers';
import { day, type Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, selectBookings } from './appointments.server';
import { wouldBeGranted } from './claim.server';
import { claimOfOne, readAnswersFor, sendClaim, type Wanted } from './claim-one.server';
import { barredFrom, type FoundTime, lacksAddress } from './found-time.server';
import { nobodyFree, questionsChanged } from './refusals';
import { status } from './status';

export type WalkIn = {
  newGuest: NewGuest;
  note: string | null;
  phone: string | null;
  /** Where it takes place, if that is at the client's. */
  address?: string | null;
  /** Left out if the person is named, not chosen from the provider's cards. */
  card?: CardBooker;
  linkSeed: string;
  codeHash: string;
  /** The answers; null if the client answers later. */
  submitted: SubmittedAnswers | null;
};

/** A walk-in's booking. Id, link and code follow from the one-time key. */
export function walkInOf(
  links: Links,
  { accountId, timeZone, lang, isShop, memberId }: Actor,
  {
    id: slotId,
    key,
    displayName,
    email,
    phone,
    address,
    note,
    submitted,
  }: Pick<NewGuest, 'displayName' | 'email'> &
    Pick<WalkIn, 'note' | 'phone' | 'address' | 'submitted'> & { id: string; key: string },
): WalkIn {
  const id = links.repeatableIdOf('walk-in', accountId, slotId, key);
  // A shop sends nothing, but who typed the address does.
  const emailBy = (isShop && memberId) || accountId;
  const newGuest = { id, displayName, email, emailBy, timeZone, edgeZone: null, lang, origin: null };
  return { newGuest, note, phone, address, linkSeed: id, codeHash: links.codeHashOf(id), submitted };
}

/**
 * Books a free slot of the actor's, or with anyone in the shop that the actor acts for, for a new guest. The guest's id is made
 * from the one-time key, so a repeat within a day returns the same booking, but not its link: the provider sees that once.
 * @throws DomainError not_found, conflict (taken, canceled or begun), invalid (the answers, or no address), unauthenticated
 */
export async function bookFor(
  db: Db,
  actor: Actor,
  { service = null, people = 1, ...wanted }: Wanted & { service?: string | null; people?: number },
  { newGuest, note: privateNote, phone, address = null, card, linkSeed, codeHash, submitted }: WalkIn,
  now: Instant,
): Promise<Appointment & { bookedAt: Instant }> {
  const accountId = newGuest.id;
  const personId = card?.personId ?? null;
  const one = { wanted, accountId, personId, service, people, isBound: false };
  const whyBarred = (time: FoundTime) =>
    'id' in wanted && !isOwnedBy(actor, time) ? notFound('appointment') : barredFrom(time, { isGuest: false });
  const answered = submitted && (await readAnswersFor(db, one, { submitted, barredFrom: whyBarred }, now));
  const somebody = { accountId, personId };
  const ready = claimOfOne(
    one,
    { asker: actor, somebody, seed: linkSeed, codeHash, given: { phone, address, privateNote }, answered },
    now,
  );
  const isGranted = sql`${wouldBeGranted(ready)} AND ${isLoggedIn(actor, now)}`;
  const made = card
    ? insertBooker(actor, newGuest, card, isGranted, now)
    : { guest: insertGuest(newGuest, isGranted, now) };
  const { own, time } = await sendClaim(db, one, ready, made, now);
  const isRepeat = (bookedAt: Instant) =>
    'shopTime' in wanted || (own && isOwnedBy(actor, own) && bookedAt > now - keyLength);
  if (own?.bookedAt && isRepeat(own.bookedAt))
    return {
      ...appointment(own, own.providerId),
      bookedAt: own.bookedAt,
      linkSource: own.bookedAt === now ? own.linkSource : null,
    };
  if (!time) throw notFound('appointment');
  const barred = whyBarred(time) ?? lacksAddress(time.where, address);
  if (barred) throw barred;
  if ('shopTime' in wanted) throw nobodyFree();
  throw answered && time.templateId !== answered.templateId ? questionsChanged() : notLoggedIn();
}

const selectOwn = (id: string, actor: Actor) =>
  selectBookings().where(and(hasId(bookings, id), ownedBy(actor, bookings), wasBooked(bookings)));

const isOwnBooking = (id: string, actor: Actor, now: Instant) =>
  and(hasId(bookings, id), ownedBy(actor, bookings), wasBooked(bookings), isLoggedIn(actor, now));

/** Sets the provider's private note on a booking. @throws DomainError not_found, unauthenticated */
export async function setNote(
  db: Db,
  actor: Actor,
  { id, note }: { id: string; note: string | null },
  now: Instant,
): Promise<Appointment> {
  const {
    saved: [row],
    owner: [owner],
  } = await db.run({
    noted: orm
      .update(bookings)
      .set({ privateNote: note })
      .where(isOwnBooking(id, actor, now)),
    saved: selectOwn(id, actor),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!row) throw notFound('booking');
  return appointment(row, actor.accountId);
}

/**
 * Gives a booking a new personal link, and ends the old link and its code. The provider sees the new link once.
 * @throws DomainError not_found, conflict (canceled)
 */
export async function replaceBookingLink(
  db: Db,
  links: Links,
  actor: Actor,
  id: string,
  now: Instant,
): Promise<Appointment> {
  const linkSeed = newId();
  const codeHash = links.codeHashOf(linkSeed);
  const isReplaced = and(isOwnBooking(id, actor, now), isBooked(bookings));
  const {
    saved: [row],
  } = await db.run({
    remembered: insertFrom(
      replacedLinks,
      { bookingId: entryOf, linkSeed: bookings.linkSeed, forgetAt: sql`starts_at + ${30 * day}` },
      sql`FROM bookings WHERE ${isReplaced} AND link_seed IS NOT NULL AND link_seed <> ${linkSeed}`,
    ).onConflictDoNothing(),
    replaced: orm
      .update(bookings)
      // If the provider made the booking, it keeps having a code.
      .set({ linkSeed, codeHash: sql`iif(${isMadeForSomebody()}, ${codeHash}, NULL)` })
      .where(isReplaced),
    saved: selectOwn(id, actor),
  });
  if (!row) throw notFound('booking');
  if (row.status !== status.booked) throw conflict(msg`This appointment is canceled.`);
  // The session ended just now, so nothing was written: the link in the row is the old one.
  if (!row.linkSource?.startsWith(`${linkSeed} `)) throw notLoggedIn();
  return { ...appointment(row, actor.accountId), linkSource: row.linkSource };
}

const linkOfOwn = statement<{ id: string; me: string }>()(({ id, me }) =>
  orm
    .select({ seed: bookings.linkSeed, linkSource: linkSourceOf.as('link_source'), codeHash: bookings.codeHash })
    .from(bookings)
    .where(and(hasId(bookings, id), ownedBy(me, bookings), wasBooked(bookings))),
);

/** A personal link that was just made. The code is null once it was used. */
export type MadeLink = { linkSource: string; code: string | null };

export async function findMadeLink(db: Db, links: Links, { accountId }: Actor, id: string): Promise<MadeLink | null> {
  const [[row]] = await db.run(linkOfOwn({ id, me: accountId }));
  if (!row?.seed || !row.linkSource) return null;
  return {
    linkSource: row.linkSource,
    code: row.codeHash === links.codeHashOf(row.seed) ? links.codeOf(row.seed) : null,
  };
}
