import { and, eq, gt, lt, lte, type Placeholder, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { bookings, slots } from '../../../db/schema';
import { statementBy } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { type Page, pageOf, pageSize } from '../input/fields';
import { day, type Instant } from '../time/clock';
import type { AgendaFilter, Appointment, ListedAppointment } from './appointments';
import { appointment, booker, isIn, selectAppointments, selectLines } from './appointments.server';
import { type Status, status } from './status';

type Whose = { isProvider: boolean; past: boolean };
type Agenda = Whose & { states: Status[] };
type AgendaValues = { me: string; now: Instant; skip: number };
type AgendaPlaceholders = { [Name in keyof AgendaValues]: Placeholder };

const tableOf = ({ isProvider }: Whose) => (isProvider ? 'slots' : 'bookings');
const orderOf = ({ past }: Whose) => (past ? [sql`starts_at DESC`, sql`id DESC`] : [sql`starts_at`, sql`id`]);

/** SQL: the appointment is in the agenda, in that state. */
function isInAgenda({ isProvider, past }: Whose, state: Status, { me, now }: AgendaPlaceholders) {
  const { startsAt } = isProvider ? slots : bookings;
  const isMine = isProvider
    ? and(eq(slots.providerId, me), isIn(state))
    : and(
        // The condition names `booker` too, so that SQLite reads that account once, not once for each row.
        and(eq(booker.id, me), eq(bookings.bookerId, me)),
        sql`${bookings.isCanceled} = ${sql.raw(state === status.canceled ? '1' : '0')}`,
      );
  // A provider's booked slots do not overlap, so at most the last one that has begun is still going on. Any other slot
  // lasts a day at most.
  const begins =
    isProvider && state === status.booked
      ? sql`${startsAt} >= coalesce((SELECT starts_at FROM slots AS begun
            WHERE provider_id = ${me} AND status = 1 AND starts_at <= ${now} ORDER BY starts_at DESC LIMIT 1), 0)`
      : sql`${startsAt} > ${now} - ${sql.raw(String(day))}`;
  return and(isMine, past ? and(lt(startsAt, now), lte(slots.endsAt, now)) : and(begins, gt(slots.endsAt, now)));
}

/**
 * A page of an agenda. SQLite reads each state along its own index, by start, and merges the two as it goes: it reads
 * no more rows than the page shows.
 */
const agenda = statementBy<Agenda, AgendaValues>()(({ states, ...whose }, given) => {
  const inState = (state: Status) => selectAppointments(tableOf(whose)).where(isInAgenda(whose, state, given));
  const [first, second] = states.map(inState) as [ReturnType<typeof inState>, ReturnType<typeof inState>?];
  return (second ? unionAll(first, second) : first)
    .orderBy(...orderOf(whose))
    .limit(pageSize + 1)
    .offset(given.skip);
});

const agendaLines = statementBy<Whose & { state: Status }, AgendaValues>()(({ state, ...whose }, given) =>
  selectLines(tableOf(whose))
    .where(isInAgenda(whose, state, given))
    .orderBy(...orderOf(whose))
    .limit(pageSize + 1)
    .offset(given.skip),
);

/**
 * Lists the actor's own appointments in the given states: a provider's slots, or a consumer's bookings. Without `past`
 * those that have not ended, by start; with `past` the ended ones, newest first.
 */
export async function listAgenda(
  db: Db,
  actor: Actor,
  { states, past, page }: AgendaFilter & { states: Status[] },
  now: Instant,
): Promise<Page<Appointment>> {
  const shape = { isProvider: actor.role === 'Provider', past, states };
  const [rows] = await db.run(agenda(shape, { me: actor.accountId, now, skip: page * pageSize }));
  return pageOf(rows.map((row) => appointment(row, actor.accountId)));
}

/** As listAgenda, for one state, with the columns of a list line only. */
export async function listAgendaLines(
  db: Db,
  actor: Actor,
  { state, past, page }: AgendaFilter & { state: Status },
  now: Instant,
): Promise<Page<ListedAppointment>> {
  const shape = { isProvider: actor.role === 'Provider', past, state };
  const [rows] = await db.run(agendaLines(shape, { me: actor.accountId, now, skip: page * pageSize }));
  return pageOf(rows);
}
