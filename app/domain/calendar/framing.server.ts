import { and, eq, gt } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, bookings, cities, wishes } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { hasWishId } from '../bookings/holds.server';
import { fold } from '../input/fold';
import { bookingKeyOf, bookingOfKey, type Links, wishOfKey } from '../links.server';
import { linkSeedOf } from '../people/client-columns.server';
import { hour, type Instant } from '../time/clock';

/** Whose page another site shows: a provider's own, or that of a personal link. */
export type Framed = { username: string } | { bookingKey: string } | { wishKey: string };

/** Whom the page is about, and the origins of the sites that may show it. */
export type Framing = { name: string; location: string; sites: string[] };

const columns = { name: accounts.displayName, location: cities.name, sites: accounts.embedOn };

const byUsername = statement<{ username: string }>()(({ username }) =>
  orm
    .select(columns)
    .from(accounts)
    .innerJoin(cities, eq(cities.folded, accounts.city))
    .where(eq(accounts.usernameFolded, username)),
);

// Somebody may still look at what they have just booked, or type an address for its mail.
const justMadeFor = hour;

const selectByBooking = (id: string, now: Instant) =>
  orm
    .select({ ...columns, linkSeed: linkSeedOf.as('link_seed') })
    .from(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .innerJoin(cities, eq(cities.folded, accounts.city))
    .where(and(hasId(bookings, id), gt(bookings.bookedAt, now - justMadeFor)));

const selectByWish = (id: string, now: Instant) =>
  orm
    .select({ ...columns, linkSeed: wishes.linkSeed })
    .from(wishes)
    .innerJoin(accounts, eq(accounts.id, wishes.providerId))
    .innerJoin(cities, eq(cities.folded, accounts.city))
    .where(and(hasWishId(id), gt(wishes.askedAt, now - justMadeFor)));

/** Reads who may show a page in a frame; null for a page of nobody, and for a personal link that was not just made. */
export async function findFraming(db: Db, links: Links, framed: Framed, now: Instant): Promise<Framing | null> {
  if ('username' in framed) {
    const [[row]] = await db.run(byUsername({ username: fold(framed.username.trim()) }));
    return row ?? null;
  }
  // Only who has the whole key learns that there is such a booking or wish.
  if ('bookingKey' in framed) {
    const [[row]] = await db.run(selectByBooking(bookingOfKey(framed.bookingKey), now));
    return row?.linkSeed && bookingKeyOf(links, row.linkSeed) === framed.bookingKey ? row : null;
  }
  const { own, id } = wishOfKey(framed.wishKey);
  const [[row]] = await db.run(selectByWish(id, now));
  return row && own && links.keyOf(row.linkSeed) === own ? row : null;
}
