import { msg } from '@lingui/core/macro';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots } from '../../../db/schema';
import type { Built } from '../../../db/statement';
import { conflict, notLoggedIn } from '../errors';
import { selectOwner } from '../login/sessions.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { selectAppointment } from './appointments.server';
import { status } from './status';

/**
 * Sets a mark on a booking of the provider's, and reads it back.
 * @param marked the write, which marks nothing but a booking that stands
 * @throws DomainError not_found, conflict (not booked), unauthenticated
 */
export async function setMark(db: Db, actor: Actor, { id, marked }: { id: string; marked: Built }, now: Instant) {
  const {
    saved: [row],
    owner: [owner],
  } = await db.run({
    marked,
    saved: selectAppointment(id, { booked: ownedBy(actor, bookings), free: ownedBy(actor, slots) }),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!row) throw notFound('appointment');
  if (row.status === status.canceled) throw conflict(msg`This appointment is canceled.`);
  if (row.status === status.open || row.people === null) throw conflict(msg`Nobody has booked this appointment.`);
  return row;
}
