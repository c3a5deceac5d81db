import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { bookings, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { insertGuest, type Newcomer } from '../accounts/guests.server';
import { isLoggedIn, selectOwner } from '../accounts/sessions.server';
import { conflict, notFound, notLoggedIn } from '../errors';
import type { Links, NewLink } from '../links.server';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, publishedBy, selectAppointments } from './appointments.server';
import { type Claimed, claimSlot } from './claiming.server';
import { started } from './deadline';
import { gone } from './refusals';
import { status } from './status';

/* What a provider does with bookings by hand: for whoever walks in or calls, the notes on them, and their links. */

/** Someone for whom a provider books: a new guest without a session. */
export type WalkIn = { newcomer: Newcomer; note: string | null; link: NewLink; claimHash: string };

/** Someone for whom this provider books this slot: who they are, and their link and code, follow from the one-time key. */
export function walkInOf(
  links: Links,
  { accountId, timeZone }: Actor,
  {
    id: slotId,
    key,
    displayName,
    email,
    note,
  }: Pick<Newcomer, 'displayName' | 'email'> & {
    id: string;
    key: string;
    note: string | null;
  },
): WalkIn {
  const id = links.guestIdOf('walk-in', accountId, slotId, key);
  const newcomer = { id, displayName, email, timeZone, edgeZone: null, origin: null };
  return { newcomer, note, link: links.make(id), claimHash: links.codeHashOf(id) };
}

/** SQL: the slot is the actor's own, open and to come. */
const isOwnOpen = (id: string, actor: Actor, now: Instant) => sql`EXISTS (
  SELECT 1 FROM slots WHERE id = ${id} AND provider_id = ${actor.accountId} AND status = 0 AND starts_at > ${now})`;

/**
 * Books an open slot of the provider's own for somebody who has no part in it: a new guest. The newcomer's id is made of
 * the one-time key, so a repeat returns the same. The provider sees the link in what is returned, and never again.
 * @throws DomainError not_found (another's slot, or none), conflict (booked or canceled, or it has begun)
 */
export async function bookFor(
  db: Db,
  actor: Actor,
  id: string,
  { newcomer, note, link, claimHash }: WalkIn,
  now: Instant,
): Promise<Appointment> {
  const results = await db.run(
    insertGuest(newcomer, sql`${isOwnOpen(id, actor, now)} AND ${isLoggedIn(actor, now)}`, now),
    ...claimSlot({
      id,
      accountId: newcomer.id,
      actorId: actor.accountId,
      sessionId: actor.sessionId,
      now,
      answers: null,
      privateNote: note,
      link,
      claimHash,
    }),
  );
  const [row] = results.at(-1) as Claimed[];
  if (row?.providerId !== actor.accountId) throw notFound('appointment');
  db.changedPages.add(row.providerId);
  if (row.bookerId === newcomer.id) return { ...appointment(row, actor.accountId), linkSeed: row.linkSeed };
  if (row.status !== status.open) throw gone();
  throw row.startsAt <= now ? started() : notLoggedIn();
}

const selectOwn = (id: string, actor: Actor) =>
  selectAppointments().where(and(eq(bookings.slotId, id), publishedBy(actor)));

const ofOwnSlot = (id: string, actor: Actor, now: Instant) =>
  and(
    sql`${bookings.slotId} = ${id} AND ${bookings.number} = 0`,
    sql`EXISTS (SELECT 1 FROM slots WHERE id = ${id} AND provider_id = ${actor.accountId})`,
    isLoggedIn(actor, now),
  );

/** Sets the provider's private note on a booking of theirs; null takes it away. @throws DomainError not_found, unauthenticated */
export async function setNote(
  db: Db,
  actor: Actor,
  { id, note }: { id: string; note: string | null },
  now: Instant,
): Promise<Appointment> {
  const [, [row], [owner]] = await db.run(
    orm
      .update(bookings)
      .set({ privateNote: note })
      .where(ofOwnSlot(id, actor, now)),
    selectOwn(id, actor),
    selectOwner(actor, now),
  );
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!row) throw notFound('booking');
  return appointment(row, actor.accountId);
}

/**
 * Gives a booking of the provider's a new personal link; the old one is dead, and so is its code, if it had one. The
 * provider sees the new one in what is returned, and never again.
 * @param codeHash of the code for the new link
 * @throws DomainError not_found, conflict (canceled)
 */
export async function replaceBookingLink(
  db: Db,
  actor: Actor,
  { id, link, codeHash }: { id: string; link: NewLink; codeHash: string },
  now: Instant,
): Promise<Appointment> {
  const [, [row]] = await db.run(
    orm
      .update(bookings)
      // Only who was booked by the provider has a code; they stay known by that.
      .set({ linkHash: link.hash, linkSeed: link.seed, claimHash: sql`iif(claim_hash IS NULL, NULL, ${codeHash})` })
      .where(and(ofOwnSlot(id, actor, now), eq(bookings.isCanceled, false))),
    selectOwn(id, actor),
  );
  if (!row) throw notFound('booking');
  if (row.status !== status.booked) throw conflict('This appointment is canceled.');
  // The session has ended meanwhile: nothing was written, and the key that stands is the guest's.
  if (row.linkSeed !== link.seed) throw notLoggedIn();
  return { ...appointment(row, actor.accountId), linkSeed: row.linkSeed };
}

const linkOfOwn = statement<{ id: string; me: string }>()(({ id, me }) =>
  orm
    .select({ seed: bookings.linkSeed, claimHash: bookings.claimHash })
    .from(bookings)
    .innerJoin(slots, eq(slots.id, bookings.slotId))
    .where(and(eq(bookings.slotId, id), eq(bookings.number, 0), eq(slots.providerId, me))),
);

/** A link to be shown right after it was made: its seed, and the code for it on paper; null where there is none, or it is spent. */
export type MadeLink = { seed: string; code: string | null };

/** Finds the link of a booking of the provider's, to be shown right after it was made; null where there is none. */
export async function findMadeLink(db: Db, links: Links, { accountId }: Actor, id: string): Promise<MadeLink | null> {
  const [[row]] = await db.run(linkOfOwn({ id, me: accountId }));
  if (!row?.seed) return null;
  return { seed: row.seed, code: row.claimHash === links.codeHashOf(row.seed) ? links.codeOf(row.seed) : null };
}
