import { and, asc, desc, eq, gt, lt, lte, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type SQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots } from '../../../db/schema';
import { statementBy } from '../../../db/statement';
import { bookingStatus, hasEnded, isBooked, literal } from '../../../db/states';
import { type Page, pageOf } from '../input/fields';
import { pageSize } from '../input/limits';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { longest } from '../time/longest';
import type { AgendaFilter, Appointment, ListedAppointment } from './appointments';
import { appointment, selectBookings, selectUnbooked } from './appointments.server';
import { booker } from './columns.server';
import { isShownAsWithdrawn } from './conditions.server';
import { isFirstOfClass, selectLines, selectProvidersLines, selectWithdrawnLines } from './lines.server';
import { type Status, status } from './status';

type Scope = { isProvider: boolean; past: boolean };
type Agenda = Scope & { states: Status[] };
type AgendaValues = { me: string; now: Instant; skip: number };
type AgendaPlaceholders = { [Name in keyof AgendaValues]: Placeholder };

const orderOf = ({ past }: Scope, startsAt: SQL | SQLiteColumn, id: SQL | SQLiteColumn) =>
  past ? [desc(startsAt), desc(id)] : [asc(startsAt), asc(id)];
const unionColumns = [sql`starts_at`, sql`id`] as const;

type Timed = typeof bookings | typeof slots;
const isOver = (table: Timed, now: Placeholder) => and(lt(table.startsAt, now), lte(table.endsAt, now));
/** SQL: the appointment has not ended yet. No appointment is longer than a day, so the search can begin a day ago. */
const isNotOver = (table: Timed, now: Placeholder, from: SQL = sql`${now} - ${literal(longest.appointment)} + 1`) =>
  and(sql`${table.startsAt} >= ${from}`, gt(table.endsAt, now));

function isInAgenda({ isProvider, past, states }: Agenda, { me, now }: AgendaPlaceholders) {
  const isMine = isProvider
    ? ownedBy(me, bookings)
    : // The condition names `booker` too, so that SQLite reads that account once, not once for each row.
      and(eq(booker.id, me), eq(bookings.bookerId, me));
  const isInState =
    states.length > 1
      ? sql`${bookings.status} BETWEEN ${literal(bookingStatus.booked)} AND ${literal(bookingStatus.ended)}`
      : states[0] === status.booked
        ? isBooked(bookings)
        : hasEnded(bookings);
  // A provider's bookings don't overlap, so of those that have begun only the last can still be going on.
  const from =
    isProvider && !states.includes(status.canceled)
      ? sql`coalesce((SELECT starts_at FROM bookings AS begun
          WHERE ${ownedBy(me)} AND ${isBooked()} AND starts_at <= ${now} ORDER BY starts_at DESC LIMIT 1), 0)`
      : undefined;
  return and(isMine, isInState, past ? isOver(bookings, now) : isNotOver(bookings, now, from));
}

const isWithdrawnInAgenda = ({ past }: Scope, { me, now }: AgendaPlaceholders) =>
  and(ownedBy(me, slots), isShownAsWithdrawn, past ? isOver(slots, now) : isNotOver(slots, now));

const hasWithdrawn = ({ isProvider, states }: Agenda) => isProvider && states.includes(status.canceled);

/** Splits the query into parts that SQLite reads along an index by start, and merges. */
const partsOf = (shape: Agenda): Agenda[] =>
  shape.isProvider ? [shape] : shape.states.map((state) => ({ ...shape, states: [state] }));

const agenda = statementBy<Agenda, AgendaValues>()((shape, values) => {
  const [first, second] = partsOf(shape).map((part) => selectBookings().where(isInAgenda(part, values)));
  const other = hasWithdrawn(shape) ? selectUnbooked().where(isWithdrawnInAgenda(shape, values)) : second;
  const booked = first as NonNullable<typeof first>;
  const all = other
    ? unionAll(booked, other).orderBy(...orderOf(shape, ...unionColumns))
    : booked.orderBy(...orderOf(shape, bookings.startsAt, bookings.id));
  return all.limit(pageSize + 1).offset(values.skip);
});

const classesOnce = statementBy<Agenda, AgendaValues>()((shape, values) =>
  selectProvidersLines()
    .where(and(isInAgenda(shape, values), isFirstOfClass))
    .orderBy(...orderOf(shape, bookings.startsAt, bookings.id))
    .limit(pageSize + 1)
    .offset(values.skip),
);

const agendaLines = statementBy<Agenda, AgendaValues>()((shape, values) => {
  const booked = selectLines().where(isInAgenda(shape, values));
  const all = hasWithdrawn(shape)
    ? unionAll(booked, selectWithdrawnLines().where(isWithdrawnInAgenda(shape, values))).orderBy(
        ...orderOf(shape, ...unionColumns),
      )
    : booked.orderBy(...orderOf(shape, bookings.startsAt, bookings.id));
  return all.limit(pageSize + 1).offset(values.skip);
});

/**
 * Lists the actor's coming appointments in these states by start. With `past` it lists the ended ones, the latest
 * first.
 */
export async function listAgenda(
  db: Db,
  actor: Actor,
  { states, past, page }: AgendaFilter & { states: Status[] },
  now: Instant,
): Promise<Page<Appointment>> {
  const shape = { isProvider: actor.role === 'Provider', past, states };
  const { rows } = await db.run({ rows: agenda(shape, { me: actor.accountId, now, skip: page * pageSize }) });
  return pageOf(rows.map((row) => appointment(row, actor.accountId)));
}

export async function listAgendaLines(
  db: Db,
  actor: Actor,
  { state, past, page }: AgendaFilter & { state: Status },
  now: Instant,
): Promise<Page<ListedAppointment>> {
  const shape = { isProvider: actor.role === 'Provider', past, states: [state] };
  const values = { me: actor.accountId, now, skip: page * pageSize };
  const isGrouped = shape.isProvider && state === status.booked;
  const { rows } = await db.run({ rows: isGrouped ? classesOnce(shape, values) : agendaLines(shape, values) });
  return pageOf(rows.map(({ places, ...row }: ListedAppointment) => (places ? { ...row, places } : row)));
}
