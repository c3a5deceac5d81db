import { msg } from '@lingui/core/macro';
import { and, lte, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasIdAmong } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { bookings } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import { conflict, notLoggedIn } from '../errors';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import type { Appointment, Mark } from './appointments';
import { appointment } from './appointments.server';
import { setMark } from './marks.server';

function setMarks(actor: Actor, marks: Mark[], now: Instant) {
  const pairs = JSON.stringify(marks.map(({ id, as }) => [id, as]));
  const ids = JSON.stringify(marks.map(({ id }) => id));
  const attendance = sql`(SELECT nullif(value ->> 1, 'unknown') FROM json_each(${pairs}) WHERE value ->> 0 = ${bookings.id})`;
  return orm
    .update(bookings)
    .set({ attendance })
    .where(
      and(
        and(hasIdAmong(bookings, sql`${ids}`), ownedBy(actor, bookings)),
        and(isBooked(bookings), lte(bookings.startsAt, now)),
        sql`${bookings.attendance} IS NOT ${attendance}`,
        isLoggedIn(actor, now),
      ),
    );
}

/**
 * Marks whether the client came; the mark can be changed at any time after the start.
 * @throws DomainError not_found, conflict (not booked, or not begun), unauthenticated
 */
export async function markAttendance(db: Db, actor: Actor, mark: Mark, now: Instant): Promise<Appointment> {
  const row = await setMark(db, actor, { id: mark.id, marked: setMarks(actor, [mark], now) }, now);
  if (row.startsAt > now) throw conflict(msg`This appointment has not started yet.`);
  return appointment(row, actor.accountId);
}

/**
 * Marks several appointments. It skips those that are not booked or have not begun.
 * @returns how many marks have changed
 */
export async function markAll(db: Db, actor: Actor, marks: Mark[], now: Instant): Promise<number> {
  const {
    marked,
    owner: [owner],
  } = await db.run({
    marked: setMarks(actor, marks, now).returning({ id: bookings.id }),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  return marked.length;
}
