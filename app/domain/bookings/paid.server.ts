import { and, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { bookings } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import { isLoggedIn } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment } from './appointments.server';
import { setMark } from './marks.server';

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
  const marked = orm
    .update(bookings)
    .set({ paid })
    .where(
      and(
        and(hasId(bookings, id), ownedBy(actor, bookings), isBooked(bookings)),
        sql`${bookings.paid} <> ${Number(paid)}`,
        isLoggedIn(actor, now),
      ),
    );
  return appointment(await setMark(db, actor, { id, marked }, now), actor.accountId);
}
