import { and, asc, desc, eq, gt, lt, lte, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type SQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { bookings, slots } from '../../../db/schema';
import { statementBy } from '../../../db/statement';
import { type Page, pageOf, pageSize } from '../input/fields';
import type { Actor } from '../profile/accounts';
import { day, type Instant } from '../time/clock';
import type { AgendaFilter, Appointment, ListedAppointment } from './appointments';
import { appointment, selectBookings, selectUnbooked } from './appointments.server';
import { booker } from './columns.server';
import { isIn, isWithdrawn } from './conditions.server';
import { isFirstOfClass, selectLines, selectProvidersLines, selectWithdrawnLines } from './lines.server';
import { type Status, status } from './status';

type Whose = { isProvider: boolean; past: boolean };
type Agenda = Whose & { states: Status[] };
type AgendaValues = { me: string; now: Instant; skip: number };
type AgendaPlaceholders = { [Name in keyof AgendaValues]: Placeholder };

const orderOf = ({ past }: Whose, startsAt: SQL | SQLiteColumn, id: SQL | SQLiteColumn) =>
  past ? [desc(startsAt), desc(id)] : [asc(startsAt), asc(id)];
/** The columns of a union, which have no table. */
const ofUnion = [sql`starts_at`, sql`id`] as const;

type Timed = typeof bookings | typeof slots;
const isOver = (table: Timed, now: Placeholder) => and(lt(table.startsAt, now), lte(table.endsAt, now));
/** SQL: it is not over. What has begun began less than a day ago: nothing lasts longer. */
const isToCome = (table: Timed, now: Placeholder, from: SQL = sql`${now} - ${sql.raw(String(day))} + 1`) =>
  and(sql`${table.startsAt} >= ${from}`, gt(table.endsAt, now));

/** SQL: the booking is in the agenda. */
function isInAgenda({ isProvider, past, states }: Agenda, { me, now }: AgendaPlaceholders) {
  const isMine = isProvider
    ? eq(bookings.providerId, me)
    : // The condition names `booker` too, so that SQLite reads that account once, not once for each row.
      and(eq(booker.id, me), eq(bookings.bookerId, me));
  const isThere = states.length === 1 ? isIn(states[0] as Status) : sql`${bookings.status} BETWEEN 1 AND 2`;
  // A provider's booked time does not overlap, so at most what has begun last is still going on.
  const from =
    isProvider && !states.includes(status.canceled)
      ? sql`coalesce((SELECT starts_at FROM bookings AS begun
          WHERE provider_id = ${me} AND status = 1 AND starts_at <= ${now} ORDER BY starts_at DESC LIMIT 1), 0)`
      : undefined;
  return and(isMine, isThere, past ? isOver(bookings, now) : isToCome(bookings, now, from));
}

/** SQL: the slot was withdrawn while it was open, and is in the agenda of its provider. */
const isWithdrawnThere = ({ past }: Whose, { me, now }: AgendaPlaceholders) =>
  and(eq(slots.providerId, me), isWithdrawn, past ? isOver(slots, now) : isToCome(slots, now));

const hasWithdrawn = ({ isProvider, states }: Agenda) => isProvider && states.includes(status.canceled);

/** The parts of an agenda. SQLite reads each by start along its key or index, and merges them. */
const partsOf = (shape: Agenda): Agenda[] =>
  shape.isProvider ? [shape] : shape.states.map((state) => ({ ...shape, states: [state] }));

const agenda = statementBy<Agenda, AgendaValues>()((shape, given) => {
  const [first, second] = partsOf(shape).map((part) => selectBookings().where(isInAgenda(part, given)));
  const other = hasWithdrawn(shape) ? selectUnbooked().where(isWithdrawnThere(shape, given)) : second;
  const booked = first as NonNullable<typeof first>;
  const all = other
    ? unionAll(booked, other).orderBy(...orderOf(shape, ...ofUnion))
    : booked.orderBy(...orderOf(shape, bookings.startsAt, bookings.id));
  return all.limit(pageSize + 1).offset(given.skip);
});

/** A provider's bookings, each class as one line. */
const classesOnce = statementBy<Agenda, AgendaValues>()((shape, given) =>
  selectProvidersLines()
    .where(and(isInAgenda(shape, given), isFirstOfClass))
    .orderBy(...orderOf(shape, bookings.startsAt, bookings.id))
    .limit(pageSize + 1)
    .offset(given.skip),
);

const agendaLines = statementBy<Agenda, AgendaValues>()((shape, given) => {
  const booked = selectLines().where(isInAgenda(shape, given));
  const all = hasWithdrawn(shape)
    ? unionAll(booked, selectWithdrawnLines().where(isWithdrawnThere(shape, given))).orderBy(
        ...orderOf(shape, ...ofUnion),
      )
    : booked.orderBy(...orderOf(shape, bookings.startsAt, bookings.id));
  return all.limit(pageSize + 1).offset(given.skip);
});

/**
 * Lists the actor's own appointments in the given states: those of a provider's time, or those that a consumer has booked.
 * Without `past` those that have not ended, by start; with `past` the ended ones, newest first.
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

/** Lists an agenda of one state with the columns of a list line. */
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
  // Only a class has places.
  return pageOf(rows.map(({ places, ...row }: ListedAppointment) => (places ? { ...row, places } : row)));
}
