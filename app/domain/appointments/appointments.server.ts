import { and, eq, type Placeholder, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { accounts, bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { type Instant, minute } from '../time/clock';
import type { Appointment, Attendance, Canceler } from './appointments';
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
