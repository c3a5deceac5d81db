import { eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { bookings, cities, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { notFound, notLoggedIn } from '../errors';
import { hashOfKey } from '../links.server';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, selectAppointments } from './appointments.server';

/** Whoever has a booking's personal link: they act for its booker, in that one booking. */
export type LinkHolder = { accountId: string; linkHash: string };

/** Who acts in a booking: someone who is logged in, or who has its link. */
export type Booker = Actor | LinkHolder;

/** SQL: whoever acts in this slot's booking still may. Their session stands, or the link that they have is the booking's. */
export const stillMay = (who: Booker, slotId: string, now: Instant) =>
  'linkHash' in who
    ? sql`EXISTS (SELECT 1 FROM bookings WHERE slot_id = ${slotId} AND number = 0 AND link_hash = ${who.linkHash})`
    : isLoggedIn(who, now);

/** Reads, in the batch of a write that checks it, whether whoever acts in this slot's booking still may. */
export const selectMay = (who: Booker, slotId: string, now: Instant) =>
  orm
    .select({ may: sql<number>`${stillMay(who, slotId, now)}`.as('may') })
    .from(slots)
    .where(eq(slots.id, slotId));

/** Their session has ended, or the link is no longer the booking's. */
export const mayNoLonger = (who: Booker) => ('linkHash' in who ? notFound('booking') : notLoggedIn());

const byLink = statement<{ hash: string }>()(({ hash }) =>
  selectAppointments('bookings').where(eq(bookings.linkHash, hash)),
);

/** A booking as its personal link shows it, and as whom its holder acts there. */
export type Linked = { appointment: Appointment; holder: LinkHolder };

/** Finds the booking that a personal link's key opens. @throws DomainError not_found */
export async function getByKey(db: Db, key: string): Promise<Linked> {
  const linkHash = hashOfKey(key);
  const [[row]] = await db.run(byLink({ hash: linkHash }));
  if (!row?.bookerId) throw notFound('booking');
  return { appointment: appointment(row, row.bookerId), holder: { accountId: row.bookerId, linkHash } };
}

const cityByLink = statement<{ hash: string }>()(({ hash }) =>
  orm
    .select({ name: cities.name })
    .from(bookings)
    .innerJoin(slots, eq(slots.id, bookings.slotId))
    .innerJoin(cities, eq(cities.folded, slots.city))
    .where(eq(bookings.linkHash, hash)),
);

/** Reads the name of the city of the booking that a personal link's key opens; undefined where it opens none. */
export async function findCityByKey(db: Db, key: string): Promise<string | undefined> {
  const [[city]] = await db.run(cityByLink({ hash: hashOfKey(key) }));
  return city?.name;
}
