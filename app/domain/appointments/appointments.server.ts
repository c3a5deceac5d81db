import { and, asc, eq, gt, lt, lte, or, type Placeholder, sql } from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { accounts, bookings, cities, slots } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { notFound } from '../errors';
import { type Page, pageOf, pageSize } from '../input/fields';
import { day, type Instant, minute } from '../time/clock';
import type { AgendaFilter, Appointment, Attendance, Canceler, ListedAppointment } from './appointments';
import { type BrokenRule, brokenRule } from './bookable.server';
import { type Status, status } from './status';

/** The account of whoever has booked a slot. */
export const booker = alias(accounts, 'booker');

/**
 * The columns of an open slot. Inside a batch two columns with one SQL name overwrite each other, so columns of joined
 * tables get names of their own.
 */
export const openColumns = {
  id: slots.id,
  // Nobody's, where the provider has deleted the account.
  provider: sql<string>`coalesce(${accounts.username}, '')`.as('provider'),
  providerName: sql<string>`${accounts.displayName}`.as('provider_name'),
  startsAt: slots.startsAt,
  endsAt: slots.endsAt,
  date: slots.localDate,
  timeZone: slots.timeZone,
  notes: slots.notes,
  templateId: slots.templateId,
};
/** SQL: until when the booker may cancel or move; null where nobody has booked. */
export const changeableUntil = sql<Instant | null>`${slots.startsAt} - ${bookings.cancelUntil} * ${sql.raw(String(minute))}`;

const held = {
  ...openColumns,
  status: slots.status,
  username: sql<string | null>`${booker.username}`.as('booker'),
  bookerName: sql<string | null>`${booker.displayName}`.as('booker_name'),
  answers: bookings.answers,
  bookerId: bookings.bookerId,
  answeredAt: bookings.answeredAt,
  canceledAt: slots.canceledAt,
  canceledBy:
    sql<Canceler | null>`CASE ${slots.canceledBy} WHEN ${slots.providerId} THEN 'provider' ELSE iif(${slots.canceledBy} IS NULL, NULL, 'consumer') END`.as(
      'canceler',
    ),
  providerId: slots.providerId,
  bookerEmail: sql<string | null>`${booker.email}`.as('booker_email'),
  privateNote: bookings.privateNote,
  linkSeed: bookings.linkSeed,
  cancelReason: slots.cancelReason,
  movedFrom: bookings.movedFrom,
  movedTo: slots.movedTo,
  changeableUntil: changeableUntil.as('changeable_until'),
  calendarId: sql<string>`coalesce(${bookings.calendarId}, ${slots.id})`.as('calendar_entry'),
  sequence: sql<number>`coalesce(${bookings.sequence}, 0)`.as('entry_sequence'),
  // Nothing is known before the start, and nothing is to be said. The database's own clock is good enough for that.
  attendance:
    sql<Attendance | null>`coalesce(${bookings.attendance}, iif(${slots.startsAt} <= unixepoch() * 1000, 'unknown', NULL))`.as(
      'attended',
    ),
};

const keysOf = (by: 'slots' | 'bookings') => ({
  id: sql<string>`${by === 'slots' ? slots.id : bookings.slotId}`.as('id'),
  startsAt: sql<Instant>`${by === 'slots' ? slots.startsAt : bookings.startsAt}`.as('starts_at'),
});

/** A slot's one booking. With its number the whole key is given, and no second row is looked for. */
export const isOfSlot = and(eq(bookings.slotId, slots.id), sql`${bookings.number} = 0`);

/**
 * Selects slots with all that an appointment shows; conditions may name `accounts` (the provider), `bookings` and
 * `slots`.
 * @param by the table that gives id and start: it decides which index can give the rows in order
 */
export const selectAppointments = (by: 'slots' | 'bookings' = 'slots') =>
  orm
    .select({ ...held, ...keysOf(by) })
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .leftJoin(bookings, isOfSlot)
    .leftJoin(booker, eq(booker.id, bookings.bookerId));

/** Selects slots as selectAppointments does, with whom their provider lets book, and why not this account. */
export const selectBookable = (who: { accountId: Placeholder; now: Placeholder; except: Placeholder }) =>
  orm
    .select({
      ...held,
      ...keysOf('slots'),
      openTo: accounts.openTo,
      askEmail: accounts.askEmail,
      perPerson: accounts.perPerson,
      perDay: accounts.perDay,
      rule: sql<BrokenRule | null>`CASE ${slots.status} WHEN 0 THEN ${brokenRule(sql`accounts`, who)} END`.as(
        'broken_rule',
      ),
    })
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .leftJoin(bookings, isOfSlot)
    .leftJoin(booker, eq(booker.id, bookings.bookerId));

/** Selects open slots, in the columns of `openColumns`. */
export const selectOpen = () =>
  orm.select(openColumns).from(slots).innerJoin(accounts, eq(accounts.id, slots.providerId));

/** A row of selectAppointments. */
export type Row = Awaited<ReturnType<typeof selectAppointments>>[number];
/** Turns a row of selectAppointments into an appointment as this account may see it. */
export function appointment(row: Row, reader: string): Appointment {
  const { bookerEmail, privateNote, linkSeed, attendance } = row;
  const isProvider = reader === row.providerId;
  return {
    id: row.id,
    provider: row.provider,
    providerName: row.providerName,
    username: row.username,
    bookerName: row.bookerName,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    date: row.date,
    timeZone: row.timeZone,
    status: row.status,
    notes: row.notes,
    templateId: row.templateId,
    answers: row.answers ?? [],
    answeredAt: row.answeredAt,
    canceledAt: row.canceledAt,
    canceledBy: row.canceledBy,
    bookerEmail: isProvider && row.username === null ? bookerEmail : null,
    privateNote: isProvider ? privateNote : null,
    linkSeed: reader === row.bookerId ? linkSeed : null,
    cancelReason: row.cancelReason,
    movedFrom: row.movedFrom,
    movedTo: row.movedTo,
    changeableUntil: row.changeableUntil,
    calendarId: row.calendarId,
    sequence: row.sequence,
    attendance: isProvider && row.status === status.booked ? attendance : null,
  };
}

const nobody = {
  status: status.open,
  username: null,
  bookerName: null,
  answers: [],
  answeredAt: null,
  canceledAt: null,
  canceledBy: null,
  bookerEmail: null,
  privateNote: null,
  linkSeed: null,
  cancelReason: null,
  movedFrom: null,
  movedTo: null,
  changeableUntil: null,
  sequence: 0,
  attendance: null,
};
/** Turns a row of selectOpen into an appointment. */
export const openSlot = (row: Awaited<ReturnType<typeof selectOpen>>[number]): Appointment => ({
  ...row,
  ...nobody,
  calendarId: row.id,
});

/** SQL: the booker of this slot may still cancel or move. */
export const isStillChangeable = (now: Instant) => sql`EXISTS (
  SELECT 1 FROM bookings WHERE slot_id = ${slots.id} AND number = 0
    AND starts_at - cancel_until * ${sql.raw(String(minute))} >= ${now})`;

/** SQL: the actor booked the slot, or had booked it before it was canceled. */
export const heldBy = (actor: { accountId: string }) => eq(bookings.bookerId, actor.accountId);
/** SQL: the slot is the actor's own. */
export const publishedBy = (actor: { accountId: string }) => eq(slots.providerId, actor.accountId);

/** SQL: the slot has this state. The number stands in the text, because a partial index does not see a bound value. */
export const isIn = (state: Status) => sql`${slots.status} = ${sql.raw(String(state))}`;

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

const { providerName, endsAt, date, timeZone, notes, bookerName, canceledAt, canceledBy, cancelReason, movedTo } = held;
/** The columns of a line of a provider's own list. */
export const ownLineColumns = {
  id: slots.id,
  startsAt: slots.startsAt,
  endsAt,
  date,
  timeZone,
  notes,
  bookerName,
  canceledAt,
  canceledBy,
  cancelReason,
  movedTo,
};

/** Selects slots with the columns of a list's line; conditions may name the tables that selectAppointments has. */
export const selectLines = (by: 'slots' | 'bookings') =>
  orm
    .select({ ...ownLineColumns, ...keysOf(by), providerName })
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .leftJoin(bookings, isOfSlot)
    .leftJoin(booker, eq(booker.id, bookings.bookerId));

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
