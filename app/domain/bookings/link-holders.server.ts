import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId, providerOf } from '../../../db/ids';
import { accounts, bookings, cities, replacedLinks } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { DomainError, notFound, notLoggedIn } from '../errors';
import { providerWords } from '../leaving/former';
import { bookingKeyOf, bookingOfKey, type Links } from '../links.server';
import { isLoggedIn } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, bookedColumns, booker, linkSeedOf } from './appointments.server';
import { lastOfChain } from './moves.server';

/** Whoever has a booking's personal link: they act for its booker, in that one booking. */
export type LinkHolder = { accountId: string; bookingId: string; linkSeed: string };

/** Who acts in a booking: someone who is logged in, or who has its link. */
export type Booker = Actor | LinkHolder;

/** SQL: whoever acts in this booking still may. Their session stands, or the link that they have is the booking's. */
export const stillMay = (who: Booker, id: string, now: Instant) =>
  'linkSeed' in who
    ? sql`EXISTS (SELECT 1 FROM ${bookings} WHERE ${hasId(bookings, id)} AND ${linkSeedOf} = ${who.linkSeed})`
    : isLoggedIn(who, now);

/** Reads, in the batch of a write that checks it, whether whoever acts in this booking still may. */
export const selectMay = (who: Booker, id: string, now: Instant) =>
  orm.select({ may: sql<number>`${stillMay(who, id, now)}`.as('may') }).from(sql`(SELECT 1)`);

/** Their session has ended, or the link is no longer the booking's. */
export const noLongerAllowed = (who: Booker) => ('linkSeed' in who ? notFound('booking') : notLoggedIn());

const byLink = statement<{ id: string }>()(({ id }) =>
  orm
    .select(bookedColumns)
    .from(lastOfChain(id))
    .crossJoin(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .innerJoin(booker, eq(booker.id, bookings.bookerId))
    .where(and(hasId(bookings, sql`last_id`), sql`${bookings.status} > 0`)),
);

const replacedOf = statement<{ id: string }>()(({ id }) =>
  orm
    .select({
      seed: replacedLinks.linkSeed,
      name: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('replacer'),
    })
    .from(replacedLinks)
    .innerJoin(accounts, eq(accounts.id, providerOf(replacedLinks.bookingId)))
    .where(eq(replacedLinks.bookingId, id)),
);

/** Tells people whose link was replaced why it opens nothing. The whole old key is asked for, so a guess learns nothing. */
const replacedBy = (name: string) =>
  new DomainError(
    'not_found',
    `This link was replaced by ${providerWords(name)}. The new link shows your appointment: please ask them for it.`,
  );

/** A booking as its personal link shows it, and as whom its holder acts there. */
export type Linked = { appointment: Appointment; holder: LinkHolder };

/** Finds the booking that a personal link's key opens. @throws DomainError not_found, which says where the link was replaced */
export async function getByKey(db: Db, links: Links, key: string): Promise<Linked> {
  const id = bookingOfKey(key);
  const {
    booked: [row],
    replaced,
  } = await db.run({ booked: byLink({ id }), replaced: replacedOf({ id }) });
  if (!row?.bookerId || !row.linkSeed || bookingKeyOf(links, row.linkSeed) !== key) {
    const replacer = replaced.find(({ seed }) => bookingKeyOf(links, `${seed} ${id}`) === key);
    throw replacer ? replacedBy(replacer.name) : notFound('booking');
  }
  const holder = { accountId: row.bookerId, bookingId: row.id, linkSeed: row.linkSeed };
  return { appointment: appointment(row, row.bookerId), holder };
}

const placeByLink = statement<{ id: string }>()(({ id }) =>
  orm
    .select({ name: sql<string>`coalesce(${accounts.address}, ${cities.name})`.as('place') })
    .from(lastOfChain(id))
    .crossJoin(bookings)
    .innerJoin(cities, eq(cities.folded, bookings.city))
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .where(hasId(bookings, sql`last_id`)),
);

/** Reads where the booking is that a personal link's key names; undefined where it names none. */
export async function findPlaceByKey(db: Db, key: string): Promise<string | undefined> {
  const [[place]] = await db.run(placeByLink({ id: bookingOfKey(key) }));
  return place?.name;
}
