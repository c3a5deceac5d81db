import { and, asc, desc, eq, gt, type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { bookings, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { type Page, pageOf, pageSize } from '../input/fields';
import { day, type Instant } from '../time/clock';
import type { ListedAppointment, OwnLine } from './appointments';
import { booker, isIn, isOfSlot, ownLineColumns, selectLines } from './appointments.server';
import { status } from './status';

/* What somebody had and has no more, until it would have been over. What was moved they still have. */

type Values = { me: string; now: Instant; skip: number };
type Given = { [Name in keyof Values]: Placeholder };

/** SQL: a slot with this start may not be over; a slot lasts a day at most. */
const mayNotBeOver = (startsAt: unknown, now: Placeholder) => sql`${startsAt} > ${now} - ${sql.raw(String(day))}`;

/**
 * The canceled appointments of a provider that start next, at most so many. Of all of them the index is read, to find out
 * which were canceled last.
 */
const inQuestion = sql.raw('500');
const page = sql.raw(String(pageSize + 1));

const ofProvider = statement<Values>()(({ me, now, skip }: Given) =>
  orm
    .select(ownLineColumns)
    .from(sql`(
      SELECT id AS chosen FROM (
        SELECT id, canceled_at FROM slots
        WHERE provider_id = ${me} AND was_booked = 1 AND moved_to IS NULL AND ${mayNotBeOver(sql`starts_at`, now)} AND ends_at > ${now}
        ORDER BY starts_at LIMIT ${inQuestion})
      ORDER BY canceled_at DESC, id DESC LIMIT ${page} OFFSET ${skip})`)
    .crossJoin(slots)
    .innerJoin(bookings, and(isOfSlot, sql`${slots.id} = chosen`))
    .innerJoin(booker, eq(booker.id, bookings.bookerId))
    .orderBy(desc(slots.canceledAt), desc(slots.id)),
);

/** Lists what was booked with the provider, is canceled and not over yet: the newest cancellation first. */
export async function listCancellations(
  db: Db,
  { accountId }: Actor,
  page: number,
  now: Instant,
): Promise<Page<OwnLine>> {
  const [rows] = await db.run(ofProvider({ me: accountId, now, skip: page * pageSize }));
  return pageOf(rows);
}

const calledOff = statement<Values>()(({ me, now, skip }: Given) =>
  selectLines('bookings')
    .where(
      and(
        // Repeated on `booker`, so that SQLite reads that account once.
        and(eq(booker.id, me), eq(bookings.bookerId, me)),
        sql`${bookings.isCalledOff} = 1`,
        mayNotBeOver(bookings.startsAt, now),
        gt(slots.endsAt, now),
      ),
    )
    .orderBy(asc(bookings.startsAt), asc(bookings.slotId))
    .limit(pageSize + 1)
    .offset(skip),
);

/** Lists what the consumer had booked until its provider canceled it, and what is not over yet, by start. */
export async function listCalledOff(
  db: Db,
  { accountId }: Actor,
  page: number,
  now: Instant,
): Promise<Page<ListedAppointment>> {
  const [rows] = await db.run(calledOff({ me: accountId, now, skip: page * pageSize }));
  return pageOf(rows);
}

const withdrawn = statement<Values>()(({ me, now, skip }: Given) =>
  orm
    .select({ ...ownLineColumns, bookerName: sql<null>`NULL`.as('booker_name') })
    .from(slots)
    .where(
      and(
        and(eq(slots.providerId, me), isIn(status.canceled), sql`${slots.wasBooked} = 0`),
        and(mayNotBeOver(slots.startsAt, now), gt(slots.endsAt, now)),
      ),
    )
    .orderBy(asc(slots.startsAt), asc(slots.id))
    .limit(pageSize + 1)
    .offset(skip),
);

/** Lists the open slots that the provider has withdrawn and that are not over yet, by start. */
export async function listWithdrawn(db: Db, { accountId }: Actor, page: number, now: Instant): Promise<Page<OwnLine>> {
  const [rows] = await db.run(withdrawn({ me: accountId, now, skip: page * pageSize }));
  return pageOf(rows);
}
