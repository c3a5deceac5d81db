import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, bookings } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isBooked, literal } from '../../../db/states';
import type { Actor } from '../profile/accounts';
import type { Where } from '../services/where';
import type { ShopInShort } from '../shop/in-shop';
import { shopOfBooking } from '../shop/in-shop.server';
import type { Instant, LocalDate } from '../time/clock';
import { longest } from '../time/longest';

export type NextAppointment = {
  id: string;
  providerName: string;
  shop: ShopInShort | null;
  startsAt: Instant;
  endsAt: Instant;
  date: LocalDate;
  timeZone: string;
  service: string | null;
  address: string | null;
  phone: string | null;
  where: Where | null;
  place: string | null;
};

const next = statement<{ me: string; now: Instant }>()(({ me, now }) =>
  orm
    .select({
      id: bookings.id,
      providerName: accounts.displayName,
      shop: shopOfBooking,
      startsAt: bookings.startsAt,
      endsAt: bookings.endsAt,
      date: bookings.localDate,
      timeZone: bookings.timeZone,
      service: bookings.serviceName,
      address: accounts.address,
      phone: accounts.phone,
      where: bookings.where,
      place: bookings.place,
    })
    .from(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .where(
      and(
        eq(bookings.bookerId, me),
        sql`${isBooked(bookings)} AND ${bookings.startsAt} > ${now} - ${literal(longest.appointment)}`,
        gt(bookings.endsAt, now),
      ),
    )
    .orderBy(bookings.startsAt)
    .limit(1),
);

export async function findNextAppointment(db: Db, actor: Actor, now: Instant): Promise<NextAppointment | null> {
  const { rows } = await db.run({ rows: next({ me: actor.accountId, now }) });
  const [row] = rows;
  if (!row) return null;
  const { shop, address, phone } = row;
  return { ...row, address: address ?? shop?.address ?? null, phone: phone ?? shop?.phone ?? null };
}
