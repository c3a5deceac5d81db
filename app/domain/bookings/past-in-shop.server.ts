import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, bookings, formerColleagues } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { wasBooked } from '../../../db/states';
import { type Page, pageOf } from '../input/fields';
import { fold } from '../input/fold';
import { pageSize } from '../input/limits';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { FormerColleague } from '../shop/colleagues';
import { isFormerOf, selectFormer } from '../shop/former-colleagues.server';
import type { Appointment } from './appointments';
import { bookedColumns } from './columns.server';
import { status } from './status';

/** What the desk reads of an appointment of somebody who has left: when, whose, what for, and what became of it. */
export type PastAppointment = Pick<
  Appointment,
  'id' | 'startsAt' | 'endsAt' | 'date' | 'timeZone' | 'status' | 'bookerName' | 'attendance'
> & { service: string | null };

const { id, startsAt, endsAt, date, timeZone, status: state, bookerName, attendance } = bookedColumns;
const service = bookings.serviceName;
const columns = { id, startsAt, endsAt, date, timeZone, status: state, bookerName, attendance, service };

/**
 * Lists the appointments that somebody who has left had in the actor's shop: booked there, and begun before they left, the
 * latest first. One that was moved is where it went.
 * @throws DomainError not_found (the actor is not at its desk, or nobody of that name has left)
 */
export async function listPastOf(
  db: Db,
  actor: Actor,
  { username, page }: { username: string; page: number },
): Promise<Page<PastAppointment> & { who: FormerColleague }> {
  const isThem = eq(accounts.usernameFolded, fold(username.trim()));
  const {
    who: [who],
    rows,
  } = await db.run({
    who: selectFormer(actor, isThem),
    rows: orm
      .select(columns)
      .from(formerColleagues)
      .innerJoin(accounts, eq(accounts.id, formerColleagues.accountId))
      .innerJoin(bookings, eq(bookings.providerId, formerColleagues.accountId))
      .where(
        and(
          isFormerOf(actor),
          isThem,
          lt(bookings.startsAt, formerColleagues.leftAt),
          // Found by the book and its starts, not by the index of what is new in the shop.
          sql`+${bookings.shopId} = ${formerColleagues.shopId}`,
          wasBooked(bookings),
          isNull(bookings.movedTo),
        ),
      )
      .orderBy(desc(bookings.startsAt), desc(bookings.id))
      .limit(pageSize + 1)
      .offset(page * pageSize),
  });
  if (!who) throw notFound('provider');
  const { rows: past, hasMore } = pageOf(rows);
  return {
    who,
    rows: past.map((row) => ({ ...row, attendance: row.status === status.booked ? row.attendance : null })),
    hasMore,
  };
}
