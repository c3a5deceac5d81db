import { and, asc, desc, eq, gt, inArray, lt, lte, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../db/client';
import { accounts, bookings, cities, slots } from '../../db/schema';
import type { Actor } from './accounts';
import type { AgendaFilter, Appointment } from './appointments';
import { conflict, notFound } from './errors';
import { type Page, pageOf, pageSize } from './fields';
import { type Status, status } from './status';

const day = 24 * 60 * 60 * 1000;

const booker = alias(accounts, 'booker');

// Inside a batch two columns of one SQL name overwrite each other, so those of joined tables get names of their own.
const columns = {
  id: slots.id,
  provider: sql<string>`${accounts.username}`.as('provider'),
  providerName: sql<string>`${accounts.displayName}`.as('provider_name'),
  location: sql<string>`${cities.name}`.as('location'),
  username: sql<string | null>`${booker.username}`.as('booker'),
  bookerName: sql<string | null>`${booker.displayName}`.as('booker_name'),
  startsAt: slots.startsAt,
  endsAt: slots.endsAt,
  date: slots.localDate,
  timeZone: slots.timeZone,
  status: slots.status,
  notes: slots.notes,
  templateId: slots.templateId,
  answers: bookings.answers,
  bookerId: bookings.bookerId,
  answeredAt: bookings.answeredAt,
  canceledAt: slots.canceledAt,
};

/** Slots with all that an appointment shows; conditions may name `accounts` (the provider), `bookings` and `slots`. */
export const selectAppointments = (db: Db) =>
  db.orm
    .select(columns)
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .innerJoin(cities, eq(cities.folded, slots.city))
    .leftJoin(bookings, eq(bookings.slotId, slots.id))
    .leftJoin(booker, eq(booker.id, bookings.bookerId));

export type Row = Awaited<ReturnType<typeof selectAppointments>>[number];
export const appointment = ({ bookerId: _, ...row }: Row): Appointment => ({ ...row, answers: row.answers ?? [] });

/** The refusals that several calls share. */
export const gone = () => conflict('This appointment has just been booked by someone else.');
export const started = () => conflict('This appointment has already started.');
export const missing = () => notFound('appointment');

export const heldBy = (actor: Actor) => eq(bookings.bookerId, actor.accountId);
export const publishedBy = (actor: Actor) => eq(slots.providerId, actor.accountId);

/**
 * One appointment: an open one for anyone, a booked or canceled one for its booker and its provider.
 * @throws DomainError not_found
 */
export async function getAppointment(db: Db, actor: Actor, id: string): Promise<Appointment> {
  const found = await findAppointment(db, actor, id);
  if (!found) throw missing();
  return found;
}

/** A slot of the actor's own, in any state. @throws DomainError not_found */
export async function getOwnSlot(db: Db, actor: Actor, id: string): Promise<Appointment> {
  const [[row]] = await db.run(selectAppointments(db).where(and(eq(slots.id, id), publishedBy(actor))));
  if (!row) throw missing();
  return appointment(row);
}

/** As getAppointment, but undefined where there is none to see. */
export async function findAppointment(db: Db, actor: Actor, id: string): Promise<Appointment | undefined> {
  const visible = or(eq(slots.status, status.open), publishedBy(actor), heldBy(actor));
  const [[row]] = await db.run(selectAppointments(db).where(and(eq(slots.id, id), visible)));
  return row && appointment(row);
}

/** The actor's booked appointments that overlap this slot. */
export async function listOverlapping(db: Db, actor: Actor, id: string): Promise<Appointment[]> {
  const wanted = alias(slots, 'wanted');
  const [rows] = await db.run(
    selectAppointments(db)
      .innerJoin(wanted, eq(wanted.id, id))
      .where(
        and(
          heldBy(actor),
          eq(slots.status, status.booked),
          gt(bookings.startsAt, sql`${wanted.startsAt} - ${day}`),
          lt(bookings.startsAt, wanted.endsAt),
          gt(slots.endsAt, wanted.startsAt),
          sql`${slots.id} <> ${id}`,
        ),
      )
      .orderBy(asc(slots.startsAt)),
  );
  return rows.map(appointment);
}

/**
 * The actor's own appointments of the given states: those of their slots for a provider, those they booked for a
 * consumer. By start those that have not ended; with `past` the ended ones, newest first.
 */
export async function listAgenda(
  db: Db,
  actor: Actor,
  { states, past, page }: AgendaFilter & { states: Status[] },
  now: number,
): Promise<Page<Appointment>> {
  const isProvider = actor.role === 'Provider';
  const startsAt = isProvider ? slots.startsAt : bookings.startsAt;
  const [rows] = await db.run(
    selectAppointments(db)
      .where(
        and(
          isProvider ? publishedBy(actor) : heldBy(actor),
          inArray(slots.status, states),
          // A slot lasts a day at most, so the index by start finds what has not ended.
          past ? and(lt(startsAt, now), lte(slots.endsAt, now)) : and(gt(startsAt, now - day), gt(slots.endsAt, now)),
        ),
      )
      .orderBy(...(past ? [desc(startsAt), desc(slots.id)] : [asc(startsAt), asc(slots.id)]))
      .limit(pageSize + 1)
      .offset(page * pageSize),
  );
  return pageOf(rows.map(appointment));
}
