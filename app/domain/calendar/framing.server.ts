import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, bookings, wishes } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { hasWishId } from '../bookings/holds.server';
import { fold } from '../input/fold';
import { bookingKeyOf, bookingOfKey, type Links, wishOfKey } from '../links.server';
import { linkSourceOf } from '../people/client-columns.server';
import { hour, type Instant } from '../time/clock';

/** Whose page another site shows: a provider's own, or that of a personal link. */
export type Framed = { username: string } | { bookingKey: string } | { wishKey: string };

/** Whom the page is about, and the origins of the sites that may show it. */
export type Framing = { name: string; location: string; sites: string[] };

const columns = {
  name: accounts.displayName,
  location: sql<string>`(SELECT name FROM cities WHERE folded = accounts.city)`.as('location'),
  own: accounts.embedOn,
  ofShop: sql<string[] | null>`(SELECT shop.embed_on FROM colleagues CROSS JOIN accounts AS shop
    WHERE colleagues.account_id = accounts.id AND shop.id = colleagues.shop_id)`
    .mapWith(accounts.embedOn)
    .as('sites_of_shop'),
};

/** The sites of a shop show its people too: whoever books there is booked with one of them. */
const framingOf = ({
  name,
  location,
  own,
  ofShop,
}: {
  name: string;
  location: string;
  own: string[];
  ofShop: string[] | null;
}): Framing => ({
  name,
  location,
  sites: [...new Set([...own, ...(ofShop ?? [])])],
});

const byUsername = statement<{ username: string }>()(({ username }) =>
  orm.select(columns).from(accounts).where(eq(accounts.usernameFolded, username)),
);

// Somebody may still look at what they have just booked, or type an address for its mail.
const justMadeFor = hour;

const selectByBooking = (id: string, now: Instant) =>
  orm
    .select({ ...columns, linkSource: linkSourceOf.as('link_source') })
    .from(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .where(and(hasId(bookings, id), gt(bookings.bookedAt, now - justMadeFor)));

const selectByWish = (id: string, now: Instant) =>
  orm
    .select({ ...columns, linkSeed: wishes.linkSeed })
    .from(wishes)
    .innerJoin(accounts, eq(accounts.id, wishes.providerId))
    .where(and(hasWishId(id), gt(wishes.askedAt, now - justMadeFor)));

/** Reads who may show a page in a frame; null for a page of nobody, and for a personal link that was not just made. */
export async function findFraming(db: Db, links: Links, framed: Framed, now: Instant): Promise<Framing | null> {
  if ('username' in framed) {
    const [[row]] = await db.run(byUsername({ username: fold(framed.username.trim()) }));
    return row ? framingOf(row) : null;
  }
  // Only who has the whole key learns that there is such a booking or wish.
  if ('bookingKey' in framed) {
    const [[row]] = await db.run(selectByBooking(bookingOfKey(framed.bookingKey), now));
    return row?.linkSource && bookingKeyOf(links, row.linkSource) === framed.bookingKey ? framingOf(row) : null;
  }
  const { own, id } = wishOfKey(framed.wishKey);
  const [[row]] = await db.run(selectByWish(id, now));
  return row && own && links.keyOf(row.linkSeed) === own ? framingOf(row) : null;
}
