import { and, asc, eq, gt, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { bookings, cities, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { notFound } from '../errors';
import { day } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, booker, isIn, publishedBy, selectAppointments } from './appointments.server';
import { status } from './status';

const visible = statement<{ id: string; reader: string }>()(({ id, reader }) =>
  selectAppointments().where(
    and(eq(slots.id, id), or(isIn(status.open), eq(slots.providerId, reader), eq(bookings.bookerId, reader))),
  ),
);

/**
 * Reads an appointment: anyone may see an open one, only its booker and its provider a booked or canceled one.
 * @throws DomainError not_found
 */
export async function getAppointment(db: Db, actor: Actor, id: string): Promise<Appointment> {
  const found = await findAppointment(db, actor, id);
  if (!found) throw notFound('appointment');
  return found;
}

/** Reads the name of the city of a slot; undefined where there is no such slot. */
export async function findCityOf(db: Db, id: string): Promise<string | undefined> {
  const [[city]] = await db.run(
    orm
      .select({ name: cities.name })
      .from(slots)
      .innerJoin(cities, eq(cities.folded, slots.city))
      .where(eq(slots.id, id)),
  );
  return city?.name;
}

/** Reads a slot of the actor's own, in any state. @throws DomainError not_found */
export async function getOwnSlot(db: Db, actor: Actor, id: string): Promise<Appointment> {
  const [[row]] = await db.run(selectAppointments().where(and(eq(slots.id, id), publishedBy(actor))));
  if (!row) throw notFound('appointment');
  return appointment(row, actor.accountId);
}

/** As getAppointment, but undefined where the actor may see none. */
export async function findAppointment(db: Db, actor: Actor, id: string): Promise<Appointment | undefined> {
  const [[row]] = await db.run(visible({ id, reader: actor.accountId }));
  return row && appointment(row, actor.accountId);
}

const overlapping = statement<{ id: string; reader: string }>()(({ id, reader }) => {
  const wanted = alias(slots, 'wanted');
  return selectAppointments()
    .innerJoin(wanted, eq(wanted.id, id))
    .where(
      and(
        // SQLite reads the booker's account once, as in `isInAgenda`.
        and(eq(booker.id, reader), eq(bookings.bookerId, reader)),
        sql`${bookings.isCanceled} = 0`,
        gt(bookings.startsAt, sql`${wanted.startsAt} - ${sql.raw(String(day))}`),
        lt(bookings.startsAt, wanted.endsAt),
        gt(slots.endsAt, wanted.startsAt),
      ),
    )
    .orderBy(asc(bookings.startsAt));
});

/** Lists the actor's booked appointments that overlap this open slot. */
export async function listOverlapping(db: Db, actor: Actor, id: string): Promise<Appointment[]> {
  const [rows] = await db.run(overlapping({ id, reader: actor.accountId }));
  return rows.map((row) => appointment(row, actor.accountId));
}
