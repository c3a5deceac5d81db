import { and, asc, eq, gt, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, cities, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isBooked, isFull, isOpen, literal } from '../../../db/states';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import { longest } from '../time/longest';
import type { Appointment } from './appointments';
import { appointment, selectAppointment, selectBookings } from './appointments.server';
import { booker } from './columns.server';

const visible = statement<{ id: string; reader: string }>()(({ id, reader }) =>
  selectAppointment(id, {
    booked: or(ownedBy(reader, bookings), eq(bookings.bookerId, reader)),
    free: or(isOpen(slots), sql`(${isFull(slots)} AND ${slots.seats} > 1)`, ownedBy(reader, slots)),
  }),
);

/**
 * Reads an appointment. Anyone may see an open slot or a class; only its client and its provider see a booking.
 * @throws DomainError not_found
 */
export async function getAppointment(db: Db, actor: Actor, id: string): Promise<Appointment> {
  const appointment = await findAppointment(db, actor, id);
  if (!appointment) throw notFound('appointment');
  return appointment;
}

/** Finds where an appointment takes place: the provider's address, else the city; undefined if they gave neither. */
export async function findPlaceOf(db: Db, id: string): Promise<string | undefined> {
  const placeOf = (table: typeof slots | typeof bookings) =>
    orm
      .select({ name: sql<string>`coalesce(${accounts.address}, ${cities.name})`.as('place') })
      .from(table)
      .innerJoin(cities, eq(cities.folded, table.city))
      .innerJoin(accounts, eq(accounts.id, table.providerId))
      .where(hasId(table, id));
  const { booked, free } = await db.run({ booked: placeOf(bookings), free: placeOf(slots) });
  return (booked[0] ?? free[0])?.name;
}

/** Reads a slot of the actor's own. @throws DomainError not_found */
export async function getOwnSlot(db: Db, actor: Actor, id: string): Promise<Appointment> {
  const [[row]] = await db.run(
    selectAppointment(id, { booked: ownedBy(actor, bookings), free: ownedBy(actor, slots) }),
  );
  if (!row) throw notFound('appointment');
  return appointment(row, actor.accountId);
}

/** As getAppointment, but undefined if the actor may see none. */
export async function findAppointment(db: Db, actor: Actor, id: string): Promise<Appointment | undefined> {
  const [[row]] = await db.run(visible({ id, reader: actor.accountId }));
  return row && appointment(row, actor.accountId);
}

const overlapping = statement<{ id: string; reader: string }>()(({ id, reader }) =>
  selectBookings()
    .innerJoin(slots, hasId(slots, id))
    .where(
      and(
        and(eq(booker.id, reader), eq(bookings.bookerId, reader)),
        isBooked(bookings),
        gt(bookings.startsAt, sql`${slots.startsAt} - ${literal(longest.appointment)}`),
        lt(bookings.startsAt, slots.endsAt),
        gt(bookings.endsAt, slots.startsAt),
      ),
    )
    .orderBy(asc(bookings.startsAt)),
);

export async function listOverlapping(db: Db, actor: Actor, id: string): Promise<Appointment[]> {
  const { rows } = await db.run({ rows: overlapping({ id, reader: actor.accountId }) });
  return rows.map((row) => appointment(row, actor.accountId));
}
