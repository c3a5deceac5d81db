import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn, selectOwner } from '../accounts/sessions.server';
import { conflict, notFound, notLoggedIn } from '../errors';
import type { Instant } from '../time/clock';
import type { Appointment, Mark } from './appointments';
import { appointment, publishedBy, selectAppointments } from './appointments.server';
import { status } from './status';

/** The statement that sets marks on the actor's booked appointments that have begun; it passes over all others. */
function setMarks(actor: Actor, marks: Mark[], now: Instant) {
  const pairs = JSON.stringify(marks.map(({ id, as }) => [id, as]));
  return orm
    .update(bookings)
    .set({
      attendance: sql`(SELECT nullif(value ->> 1, 'unknown') FROM json_each(${pairs}) WHERE value ->> 0 = ${bookings.slotId})`,
    })
    .where(
      and(
        sql`${bookings.number} = 0 AND ${bookings.slotId} IN (SELECT value ->> 0 FROM json_each(${pairs}))`,
        sql`EXISTS (SELECT 1 FROM slots WHERE id = ${bookings.slotId} AND provider_id = ${actor.accountId}
          AND status = ${status.booked} AND starts_at <= ${now})`,
        isLoggedIn(actor, now),
      ),
    );
}

/**
 * Marks whether the booker of the actor's appointment came. It can be changed at any time after the start.
 * @throws DomainError not_found (another's, or none), conflict (not booked, or not begun),
 *   unauthenticated
 */
export async function markAttendance(db: Db, actor: Actor, mark: Mark, now: Instant): Promise<Appointment> {
  const [, [row], [owner]] = await db.run(
    setMarks(actor, [mark], now),
    selectAppointments().where(and(eq(slots.id, mark.id), publishedBy(actor))),
    selectOwner(actor, now),
  );
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!row) throw notFound('appointment');
  if (row.status === status.canceled) throw conflict('This appointment is canceled.');
  if (row.status === status.open) throw conflict('Nobody has booked this appointment.');
  if (row.startsAt > now) throw conflict('This appointment has not started yet.');
  return appointment(row, actor.accountId);
}

/**
 * Marks several of the actor's appointments at once; those that are not booked or have not begun stay as they are.
 * @returns how many of them are marked so now
 * @throws DomainError unauthenticated
 */
export async function markAll(db: Db, actor: Actor, marks: Mark[], now: Instant): Promise<number> {
  const [marked, [owner]] = await db.run(
    setMarks(actor, marks, now).returning({ id: bookings.slotId }),
    selectOwner(actor, now),
  );
  if (!owner?.isLoggedIn) throw notLoggedIn();
  return marked.length;
}
