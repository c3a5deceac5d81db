import { msg } from '@lingui/core/macro';
import { and, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { bookings, replacedLinks } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isBooked, isMadeForSomebody, wasBooked } from '../../../db/states';
import { conflict, type DomainError, notLoggedIn } from '../errors';
import { insertGuest, type Newcomer } from '../guests/guests.server';
import type { Links, NewLink } from '../links.server';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import { notFound } from '../not-found';
import { keyLength } from '../one-time-keys.server';
import { type CardBooker, insertBooker } from '../people/booker.server';
import { entryOf, linkSeedOf } from '../people/client-columns.server';
import type { Actor } from '../profile/accounts';
import { day, type Instant } from '../time/clock';
import { asOne, findTemplateOfWanted, findWanted, ownInShop, type Wanted } from './anyone.server';
import type { Appointment } from './appointments';
import { appointment, type Row, selectBookings } from './appointments.server';
import { claim, wouldBeGranted } from './claim.server';
import { type CheckedAnswers, claimOf } from './claim-request.server';
import {
  barredFrom,
  type Claimed,
  checkedAnswers,
  claimedBy,
  lacksAddress,
  type SubmittedAnswers,
  selectClaimed,
} from './claimed.server';
import { runAfterHolds } from './holds.server';
import { nobodyFree, questionsChanged } from './refusals';
import { status } from './status';

export type WalkIn = {
  newcomer: Newcomer;
  note: string | null;
  phone: string | null;
  /** Where it takes place, if that is at the client's. */
  address?: string | null;
  /** Left out if the person is named, not chosen from the provider's cards. */
  card?: CardBooker;
  link: NewLink;
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
  }: Pick<Newcomer, 'displayName' | 'email'> &
    Pick<WalkIn, 'note' | 'phone' | 'address' | 'submitted'> & { id: string; key: string },
): WalkIn {
  const id = links.repeatableIdOf('walk-in', accountId, slotId, key);
  // A shop sends nothing, but who typed the address does.
  const emailBy = (isShop && memberId) || accountId;
  const newcomer = { id, displayName, email, emailBy, timeZone, edgeZone: null, lang, origin: null };
  return { newcomer, note, phone, address, link: links.make(id), codeHash: links.codeHashOf(id), submitted };
}

type Taken = { service: string | null; people: number };

/** Reads the time that a provider books for somebody, if it is theirs. @throws DomainError not_found */
function ownOf(rows: Claimed[], actor: Actor, bookerId: string): Claimed {
  const row = claimedBy(rows, bookerId);
  if (row?.providerId !== actor.accountId) throw notFound('appointment');
  return row;
}

async function readAnswersFor(
  db: Db,
  actor: Actor,
  wanted: Wanted,
  asking: { accountId: string; personId: string | null; service: string | null; people: number; isBound: false },
  submitted: SubmittedAnswers,
  now: Instant,
): Promise<CheckedAnswers> {
  if ('anyone' in wanted) {
    const questions = await findTemplateOfWanted(db, wanted, asking.service);
    return checkedAnswers({ own: undefined, barred: undefined, questions }, submitted);
  }
  const [[slot], questions] = await Promise.all([
    db.run(selectClaimed(wanted.id, asking, now)),
    findTemplateOfWanted(db, wanted, asking.service),
  ]);
  const row = ownOf(slot, actor, asking.accountId);
  const own = row.bookerId === asking.accountId ? row : undefined;
  return checkedAnswers({ own, barred: barredFrom(row, { isGuest: false }), questions }, submitted);
}

/**
 * Books a free slot of the actor's, or with anyone in the shop that the actor acts for, for a new guest. The guest's id is made from the one-time key, so a repeat within a day returns the
 * same booking, but not its link: the provider sees that once.
 * @throws DomainError not_found, conflict (taken, canceled or begun), invalid (the answers, or no address), unauthenticated
 */
export async function bookFor(
  db: Db,
  actor: Actor,
  { service = null, people = 1, ...wanted }: Wanted & Partial<Taken>,
  { newcomer, note: privateNote, phone, address: place, card, link, codeHash, submitted }: WalkIn,
  now: Instant,
): Promise<Appointment & { bookedAt: Instant }> {
  const accountId = newcomer.id;
  const personId = card?.personId ?? null;
  const asking = { accountId, personId, service, people, isBound: false } as const;
  const { id, anyone } = asOne(wanted);
  const answered = submitted && (await readAnswersFor(db, actor, wanted, asking, submitted, now));
  const somebody = { accountId, personId };
  const times = [{ id, link, codeHash }];
  const request = claimOf(
    { times, anyone, booker: actor, somebody, service, people, phone, place, privateNote, answered },
    now,
  );
  const isGranted = sql`${wouldBeGranted(request)} AND ${isLoggedIn(actor, now)}`;
  const { slot, mine } = await runAfterHolds(db, now, {
    ...(card ? insertBooker(actor, newcomer, card, isGranted, now) : { guest: insertGuest(newcomer, isGranted, now) }),
    claimed: claim(request),
    slot: anyone ? undefined : selectClaimed(id, asking, now),
    mine: anyone && ownInShop({ ...anyone, accountId }),
  });
  const booked = (row: Row, bookedAt: Instant) => ({
    ...appointment(row, row.providerId),
    bookedAt,
    linkSeed: bookedAt === now ? row.linkSeed : null,
  });
  if (anyone) {
    const [own] = mine ?? [];
    if (own?.bookedAt) return booked(own, own.bookedAt);
    throw await whyNobody(db, { anyone }, asking, place, now);
  }
  const row = ownOf(slot ?? [], actor, accountId);
  if (row.bookerId === accountId && row.bookedAt !== null && row.bookedAt > now - keyLength)
    return booked(row, row.bookedAt);
  const barred = barredFrom(row, { isGuest: false });
  if (barred) throw barred;
  const lacked = lacksAddress(row.where, place);
  if (lacked) throw lacked;
  throw answered && row.templateId !== answered.templateId ? questionsChanged() : notLoggedIn();
}

/** Why nobody in the shop was booked for a guest. */
async function whyNobody(
  db: Db,
  wanted: Wanted,
  { accountId, service, people }: { accountId: string } & Taken,
  address: string | null | undefined,
  now: Instant,
): Promise<DomainError> {
  const row = await findWanted(db, wanted, { accountId, service, people, terms: null }, now);
  if (!row) return notFound('appointment');
  return barredFrom(row, { isGuest: false }) ?? lacksAddress(row.where, address) ?? nobodyFree();
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
 * @param codeHash hash of the code for the new link
 * @throws DomainError not_found, conflict (canceled)
 */
export async function replaceBookingLink(
  db: Db,
  actor: Actor,
  { id, link, codeHash }: { id: string; link: NewLink; codeHash: string },
  now: Instant,
): Promise<Appointment> {
  const isReplaced = and(isOwnBooking(id, actor, now), isBooked(bookings));
  const {
    saved: [row],
  } = await db.run({
    remembered: insertFrom(
      replacedLinks,
      { bookingId: entryOf, linkSeed: bookings.linkSeed, forgetAt: sql`starts_at + ${30 * day}` },
      sql`FROM bookings WHERE ${isReplaced} AND link_seed IS NOT NULL AND link_seed <> ${link.seed}`,
    ).onConflictDoNothing(),
    replaced: orm
      .update(bookings)
      // If the provider made the booking, it keeps having a code.
      .set({ linkSeed: link.seed, codeHash: sql`iif(${isMadeForSomebody()}, ${codeHash}, NULL)` })
      .where(isReplaced),
    saved: selectOwn(id, actor),
  });
  if (!row) throw notFound('booking');
  if (row.status !== status.booked) throw conflict(msg`This appointment is canceled.`);
  // The session ended just now, so nothing was written: the link in the row is the old one.
  if (!row.linkSeed?.startsWith(`${link.seed} `)) throw notLoggedIn();
  return { ...appointment(row, actor.accountId), linkSeed: row.linkSeed };
}

const linkOfOwn = statement<{ id: string; me: string }>()(({ id, me }) =>
  orm
    .select({ seed: bookings.linkSeed, linkSeed: linkSeedOf.as('whole_seed'), codeHash: bookings.codeHash })
    .from(bookings)
    .where(and(hasId(bookings, id), ownedBy(me, bookings), wasBooked(bookings))),
);

/** A personal link that was just made. The code is null once it was used. */
export type MadeLink = { linkSeed: string; code: string | null };

export async function findMadeLink(db: Db, links: Links, { accountId }: Actor, id: string): Promise<MadeLink | null> {
  const [[row]] = await db.run(linkOfOwn({ id, me: accountId }));
  if (!row?.seed || !row.linkSeed) return null;
  return { linkSeed: row.linkSeed, code: row.codeHash === links.codeHashOf(row.seed) ? links.codeOf(row.seed) : null };
}
