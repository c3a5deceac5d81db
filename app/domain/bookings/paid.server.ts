import { msg } from '@lingui/core/macro';
import { and, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import { conflict, notFound, notLoggedIn } from '../errors';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, selectAppointment } from './appointments.server';
import { status } from './status';

/**
 * Notes whether a deposit has come. The note can be changed at any time, and goes along when the booking moves.
 * @throws DomainError not_found, conflict (not booked), unauthenticated
 */
export async function markPaid(
  db: Db,
  actor: Actor,
  { id, paid }: { id: string; paid: boolean },
  now: Instant,
): Promise<Appointment> {
  const {
    saved: [row],
    owner: [owner],
  } = await db.run({
    marked: orm
      .update(bookings)
      .set({ paid })
      .where(
        and(
          and(hasId(bookings, id), ownedBy(actor, bookings), isBooked(bookings)),
          sql`${bookings.paid} <> ${Number(paid)}`,
          isLoggedIn(actor, now),
        ),
      ),
    saved: selectAppointment(id, { booked: ownedBy(actor, bookings), free: ownedBy(actor, slots) }),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!row) throw notFound('appointment');
  if (row.status === status.canceled) throw conflict(msg`This appointment is canceled.`);
  if (row.status === status.open || row.people === null) throw conflict(msg`Nobody has booked this appointment.`);
  return appointment(row, actor.accountId);
}
