import { and, desc } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { bookings } from '../../../db/schema';
import { statement } from '../../../db/statement';
import { wasBooked } from '../../../db/states';
import { pageSize } from '../input/limits';
import { aliasOf } from '../people/card-of.server';
import { bookingsOnCards, isOnCard } from '../people/cards.server';
import type { Actor } from '../profile/accounts';
import type { Appointment } from './appointments';
import { appointment, selectBookings } from './appointments.server';

const appointmentsOf = statement<{ me: string; id: string; skip: number }>()(({ me, id, skip }) =>
  selectBookings(bookingsOnCards)
    .where(and(isOnCard(me, aliasOf(me, id)), wasBooked(bookings)))
    .orderBy(desc(bookings.startsAt), desc(bookings.id))
    .limit(pageSize)
    .offset(skip),
);

/** Lists a person's appointments, the latest first, canceled ones too. */
export async function listAppointmentsOf(db: Db, actor: Actor, id: string, page: number): Promise<Appointment[]> {
  const [rows] = await db.run(appointmentsOf({ me: actor.accountId, id, skip: page * pageSize }));
  return rows.map((row) => appointment(row, actor.accountId));
}
