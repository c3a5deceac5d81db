import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/sqlite-core';
import { hasId, startOf } from '../../../db/ids';
import { accounts, bookings, services, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { type Instant, minute } from '../time/clock';
import type { Appointment, Attendance, ListedAppointment } from './appointments';
import { isPartOfOld, questionsOf, type Unfit, unfit, unfitForOld } from './claimable.server';
import { type BrokenRule, brokenRule } from './rules.server';
import { type Status, status } from './status';

/*
 * An appointment is a booking, or a slot that nobody has: both have their ids, and are read into the same rows.
 */

export const booker = alias(accounts, 'booker');

/** The username is null after the account was deleted. */
const provider = {
  provider: sql<string>`coalesce(${accounts.username}, '')`.as('provider'),
  providerName: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('provider_name'),
};

/** A service as it is now, or as it was when it was booked. */
type ServiceInShort = { id: string; name: string; price: string | null };
/** The seats and the free ones of a slot of several seats; null for a slot of one seat. */
type Room = [seats: number, free: number] | null;

const json = <Value>(text: SQL, name: string) =>
  sql<Value>`${text}`.mapWith((stored: string): Value => JSON.parse(stored)).as(name);

const roomOfSlot = json<Room>(
  sql`iif(${slots.seats} = 1, NULL, json_array(${slots.seats}, iif(${slots.state} = 0, ${slots.seats} - ${slots.taken}, 0)))`,
  'room',
);
const roomOfBooking = json<Room>(
  sql`CASE WHEN ${bookings.slotId} IS NOT NULL THEN (
    SELECT json_array(room.seats, iif(room.state = 0, room.seats - room.taken, 0)) FROM slots AS room
    WHERE room.provider_id = ${bookings.providerId} AND room.starts_at = ${bookings.startsAt} AND room.id = ${bookings.slotId}) END`,
  'room',
);
const serviceOfSlot = json<ServiceInShort | null>(
  sql`CASE WHEN ${slots.serviceId} IS NOT NULL THEN (
    SELECT json_object('id', meant.id, 'name', meant.name, 'price', meant.price) FROM services AS meant
    WHERE meant.provider_id = ${slots.providerId} AND meant.id = ${slots.serviceId}) END`,
  'service',
);
const serviceOfBooking = json<ServiceInShort | null>(
  sql`iif(${bookings.serviceName} IS NULL, NULL,
    json_object('id', ${bookings.serviceId}, 'name', ${bookings.serviceName}, 'price', ${bookings.price}))`,
  'service',
);

/**
 * The columns of an open slot. Inside a batch two columns with one SQL name overwrite each other, so columns of joined
 * tables get names of their own.
 */
export const openColumns = {
  id: slots.id,
  ...provider,
  startsAt: slots.startsAt,
  endsAt: slots.endsAt,
  date: slots.localDate,
  timeZone: slots.timeZone,
  notes: slots.notes,
  templateId: sql<string | null>`${slots.templateId}`.as('template_id'),
  room: roomOfSlot,
  service: serviceOfSlot,
};

/** In a union the columns of the first part decide how a value is read, so the others may pass for them. */
const alike = <Columns>(columns: Record<keyof Columns, unknown>) => columns as unknown as Columns;

/** SQL: until when the booker may cancel or move. */
export const changeableUntil = sql<Instant | null>`${bookings.startsAt} - ${bookings.cancelUntil} * ${sql.raw(String(minute))}`;

/** SQL: the first booking of the chain of moves, which is the entry in calendars. */
export const entryOf = sql<string>`coalesce(${bookings.calendarId}, ${bookings.id})`;

/** SQL: the seed of the personal link, and the id that it leads to. */
export const linkSeedOf = sql<string | null>`${bookings.linkSeed} || ' ' || ${entryOf}`;

const providerEmail = sql<string | null>`iif(${accounts.emailConfirmedAt} IS NULL, NULL, ${accounts.email})`.as(
  'provider_email',
);

/** The provider's contact, and whether they ask for a phone number. */
export const reach = {
  providerAddress: sql<string | null>`${accounts.address}`.as('provider_address'),
  providerPhone: sql<string | null>`${accounts.phone}`.as('provider_phone'),
  askPhone: accounts.askPhone,
};

/** SQL: until when whoever books this open slot now may cancel or move; null where it is not open. */
export const changeableUntilIfBooked = sql<Instant | null>`iif(${slots.state} = 0, ${slots.startsAt} - ${accounts.cancelUntil} * ${sql.raw(String(minute))}, NULL)`;

export const bookedColumns = {
  // Named, so that a union can be sorted by them.
  id: sql<string>`${bookings.id}`.as('id'),
  ...provider,
  startsAt: sql<Instant>`${bookings.startsAt}`.as('starts_at'),
  endsAt: bookings.endsAt,
  date: bookings.localDate,
  timeZone: bookings.timeZone,
  notes: bookings.notes,
  templateId: sql<string | null>`${bookings.templateId}`.as('template_id'),
  room: roomOfBooking,
  service: serviceOfBooking,
  slotId: sql<string>`coalesce(${bookings.slotId}, ${bookings.id})`.as('slot_id'),
  people: sql<number | null>`${bookings.people}`.as('people'),
  status: sql<Status>`${bookings.status}`.as('status'),
  username: sql<string | null>`${booker.username}`.as('booker'),
  bookerName: sql<string | null>`${booker.displayName}`.mapWith(booker.displayName).as('booker_name'),
  answers: bookings.answers,
  bookerId: sql<string | null>`${bookings.bookerId}`.as('booker_id'),
  answeredAt: bookings.answeredAt,
  bookedAt: sql<Instant | null>`${bookings.bookedAt}`.as('booked_at'),
  canceledAt: bookings.canceledAt,
  canceledBy: bookings.canceledBy,
  providerId: bookings.providerId,
  bookerEmail: sql<string | null>`coalesce(${bookings.email}, ${booker.email})`.as('booker_email'),
  providerEmail,
  ...reach,
  bookerPhone: sql<string | null>`${bookings.phone}`.as('booker_phone'),
  privateNote: bookings.privateNote,
  linkSeed: linkSeedOf.as('link_seed'),
  cancelReason: bookings.reason,
  movedFrom: bookings.movedFrom,
  movedTo: bookings.movedTo,
  seriesId: bookings.seriesId,
  changeableUntil: changeableUntil.as('changeable_until'),
  calendarId: entryOf.as('calendar_entry'),
  sequence: bookings.sequence,
  // Nobody has come before the start. The database's own clock is good enough for that.
  attendance:
    sql<Attendance | null>`coalesce(${bookings.attendance}, iif(${bookings.startsAt} <= unixepoch() * 1000, 'unknown', NULL))`.as(
      'attended',
    ),
};

/** The columns of a booking as those of an open slot. */
export const bookedAsOpen = alike<typeof openColumns>({
  id: bookings.id,
  ...provider,
  startsAt: bookings.startsAt,
  endsAt: bookings.endsAt,
  date: bookings.localDate,
  timeZone: bookings.timeZone,
  notes: bookings.notes,
  templateId: bookings.templateId,
  room: sql`NULL`,
  service: serviceOfBooking,
});

const none = (name: string) => sql<null>`NULL`.as(name);

const freeColumns = {
  ...openColumns,
  slotId: sql<string>`${slots.id}`.as('slot_id'),
  people: none('people'),
  status: sql<Status>`${slots.state}`.as('status'),
  username: none('booker'),
  bookerName: none('booker_name'),
  answers: sql`'[]'`.mapWith(bookings.answers).as('answers'),
  bookerId: none('booker_id'),
  answeredAt: none('answered_at'),
  bookedAt: none('booked_at'),
  canceledAt: sql<Instant | null>`${slots.withdrawnAt}`.as('canceled_at'),
  canceledBy: sql<'provider' | null>`iif(${slots.withdrawnAt} IS NULL, NULL, 'provider')`.as('canceled_by'),
  providerId: slots.providerId,
  bookerEmail: none('booker_email'),
  providerEmail,
  ...reach,
  bookerPhone: none('booker_phone'),
  privateNote: none('private_note'),
  linkSeed: none('link_seed'),
  cancelReason: slots.reason,
  movedFrom: none('moved_from'),
  movedTo: none('moved_to'),
  seriesId: none('series_id'),
  changeableUntil: changeableUntilIfBooked.as('changeable_until'),
  calendarId: sql<string>`${slots.id}`.as('calendar_entry'),
  sequence: sql<number>`0`.as('sequence'),
  attendance: none('attended'),
};
/** SQL: the slot is open. The number stands in the text, because a partial index does not see a bound value. */
export const isOpen = sql`${slots.state} = 0`;
/** SQL: the slot is an appointment itself: it is open, was withdrawn while it was, or has several seats. */
const isShown = sql`(${slots.state} = 0 OR ${slots.withdrawnAt} IS NOT NULL OR ${slots.seats} > 1)`;
/** SQL: the slot is an appointment, is part of one that began before it, or is held for the waitlist. */
const isKnown = sql`(${isShown} OR ${slots.state} = 1 AND (${slots.partOf} <> ${slots.startsAt} OR EXISTS (
  SELECT 1 FROM bookings AS hold WHERE hold.provider_id = ${slots.providerId} AND hold.starts_at = ${slots.startsAt}
    AND hold.id = ${slots.id} AND hold.status = 0)))`;
/** SQL: the slot was withdrawn while it was open. */
export const isWithdrawn = sql`(${slots.state} = 2 AND ${slots.withdrawnAt} IS NOT NULL)`;
export const isIn = (state: Status) => sql`${bookings.status} = ${sql.raw(String(state))}`;

/** Selects bookings with all that an appointment shows; conditions may name `accounts` (the provider) and `booker`. */
export const selectBookings = () =>
  orm
    .select(bookedColumns)
    .from(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .innerJoin(booker, eq(booker.id, bookings.bookerId));

/** Selects withdrawn slots in the columns of selectBookings, to stand after it in a union. */
export const selectWithdrawn = () =>
  orm
    .select(alike<typeof bookedColumns>(freeColumns))
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId));

const selectFreeSlots = () =>
  orm
    .select(alike<typeof bookedColumns>(freeColumns))
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId));

/** Selects the appointment with this id: a booking, or a slot that nobody has. */
export const selectAppointment = (
  id: SQL | Placeholder | string,
  { booked, free }: { booked?: SQL; free?: SQL } = {},
) =>
  unionAll(
    selectBookings().where(and(hasId(bookings, id), sql`${bookings.status} > 0`, booked)),
    selectFreeSlots().where(and(hasId(slots, id), isShown, free)),
  );

const rules = {
  openTo: accounts.openTo,
  askEmail: accounts.askEmail,
  perPerson: accounts.perPerson,
  perDay: accounts.perDay,
};

/**
 * Selects an appointment with its provider's rules, and the one that keeps this account from booking it. For a slot
 * of several seats it selects the account's own booking too.
 * @param service what is to be booked there; null for the slot as it is
 * @param isMove the booking `except` moves there, so later parts of its own time count as free
 */
export const selectBookable = (
  id: Placeholder,
  who: { accountId: Placeholder; now: Placeholder; except: Placeholder },
  service: Placeholder | null,
  isMove = false,
) => {
  const bookable = {
    ...bookedColumns,
    ...rules,
    rule: sql<BrokenRule | null>`NULL`.as('broken_rule'),
    unfit: sql<Unfit | null>`NULL`.as('unfit'),
  };
  const isThere = isMove ? sql`(${isOpen} OR ${isPartOfOld})` : isOpen;
  const ofSlot = {
    ...freeColumns,
    ...(isMove && { status: sql<Status>`iif(${isPartOfOld}, 0, ${slots.state})`.as('status') }),
    templateId: sql`${questionsOf({ isService: isMove || service !== null })}`.as('template_id'),
    ...rules,
    rule: sql<BrokenRule | null>`iif(${isThere}, ${brokenRule(sql`accounts`, who)}, NULL)`.as('broken_rule'),
    unfit: sql<Unfit | null>`iif(${isThere}, ${isMove ? unfitForOld(who.accountId) : unfit(service)}, NULL)`.as(
      'unfit',
    ),
  };
  const selectBooked = () =>
    orm
      .select(bookable)
      .from(bookings)
      .innerJoin(accounts, eq(accounts.id, bookings.providerId))
      .innerJoin(booker, eq(booker.id, bookings.bookerId));
  const meant = alias(services, 'service');
  const isMeant = (wanted: SQL | Placeholder | null) =>
    and(eq(meant.providerId, slots.providerId), sql`${meant.id} = coalesce(${slots.serviceId}, ${wanted})`);
  const selectSlots = () =>
    orm.select(alike<typeof bookable>(ofSlot)).from(slots).innerJoin(accounts, eq(accounts.id, slots.providerId));
  const old = alias(bookings, 'old');
  return unionAll(
    selectBooked().where(and(hasId(bookings, id), sql`${bookings.status} > 0`)),
    selectBooked().where(
      and(
        and(eq(bookings.bookerId, who.accountId), isIn(status.booked)),
        sql`${bookings.startsAt} = ${startOf(id)} AND ${bookings.slotId} = ${id}`,
      ),
    ),
    isMove
      ? selectSlots()
          .innerJoin(old, hasId(old, who.except))
          .leftJoin(meant, isMeant(sql`old.service_id`))
          .where(and(hasId(slots, id), isKnown))
      : selectSlots()
          .leftJoin(meant, isMeant(service))
          .where(and(hasId(slots, id), isKnown)),
  );
};

/** Selects open slots. */
export const selectOpen = () =>
  orm.select(openColumns).from(slots).innerJoin(accounts, eq(accounts.id, slots.providerId));

export type Row = Awaited<ReturnType<typeof selectBookings>>[number];
/** Turns a row of selectAppointment into an appointment as this account may see it. */
export function appointment(row: Row, reader: string): Appointment {
  const { bookerEmail, bookerPhone, providerEmail, privateNote, linkSeed, attendance } = row;
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
    ...seatsOf(row.room, row.status),
    slotId: row.slotId,
    people: row.people,
    service: row.service,
    answers: row.answers,
    answeredAt: row.answeredAt,
    canceledAt: row.canceledAt,
    canceledBy: row.canceledBy,
    bookerEmail: isProvider && row.username === null ? bookerEmail : null,
    providerEmail: reader === row.bookerId ? providerEmail : null,
    bookerPhone: isProvider ? bookerPhone : null,
    providerAddress: row.providerAddress,
    providerPhone: row.providerPhone,
    askPhone: row.askPhone,
    privateNote: isProvider ? privateNote : null,
    linkSeed: reader === row.bookerId ? linkSeed : null,
    cancelReason: row.cancelReason,
    movedFrom: row.movedFrom,
    movedTo: row.movedTo,
    seriesId: row.seriesId,
    changeableUntil: row.changeableUntil,
    calendarId: row.calendarId,
    sequence: row.sequence,
    attendance: isProvider && row.status === status.booked ? attendance : null,
  };
}

export const seatsOf = (room: Room, state: Status) => {
  const [seats, free] = room ?? [1, state === status.open ? 1 : 0];
  return { seats, free };
};

const nobody = {
  status: status.open,
  people: null,
  username: null,
  bookerName: null,
  answers: [],
  answeredAt: null,
  canceledAt: null,
  canceledBy: null,
  bookerEmail: null,
  bookerPhone: null,
  providerEmail: null,
  providerAddress: null,
  providerPhone: null,
  askPhone: 'no' as const,
  privateNote: null,
  linkSeed: null,
  cancelReason: null,
  movedFrom: null,
  movedTo: null,
  seriesId: null,
  changeableUntil: null,
  sequence: 0,
  attendance: null,
};
export const openSlot = ({ room, ...row }: Awaited<ReturnType<typeof selectOpen>>[number]): Appointment => ({
  ...row,
  ...nobody,
  ...seatsOf(room, status.open),
  slotId: row.id,
  calendarId: row.id,
});

/** SQL: the booker of this booking may still cancel or move. */
export const isStillChangeable = (now: Instant) => sql`${changeableUntil} >= ${now}`;

/** SQL: the actor made the booking, also where it is canceled by now. */
export const heldBy = (actor: { accountId: string }) => eq(bookings.bookerId, actor.accountId);
export const publishedBy = (actor: { accountId: string }) => eq(slots.providerId, actor.accountId);
export const givenBy = (actor: { accountId: string }) => eq(bookings.providerId, actor.accountId);

const { id, startsAt, endsAt, date, timeZone, notes, bookerName, canceledAt, canceledBy, cancelReason, movedTo } =
  bookedColumns;
export const ownLineColumns = {
  id,
  startsAt,
  endsAt,
  date,
  timeZone,
  notes,
  bookerName,
  canceledAt,
  canceledBy,
  cancelReason,
  movedTo,
  service: sql<string | null>`${bookings.serviceName}`.as('service_name'),
};
/** The same columns for a withdrawn slot. */
export const withdrawnLineColumns = {
  id: freeColumns.id,
  startsAt: freeColumns.startsAt,
  endsAt: freeColumns.endsAt,
  date: freeColumns.date,
  timeZone: freeColumns.timeZone,
  notes: freeColumns.notes,
  bookerName: freeColumns.bookerName,
  canceledAt: freeColumns.canceledAt,
  canceledBy: freeColumns.canceledBy,
  cancelReason: freeColumns.cancelReason,
  movedTo: freeColumns.movedTo,
  service: sql<string | null>`CASE WHEN ${slots.serviceId} IS NOT NULL THEN (SELECT meant.name FROM services AS meant
    WHERE meant.provider_id = ${slots.providerId} AND meant.id = ${slots.serviceId}) END`.as('service_name'),
};

const lineColumns = { ...ownLineColumns, providerName: bookedColumns.providerName, provider: bookedColumns.provider };
/** A line of a class has its places in place of a name. */
const providersLineColumns = {
  ...lineColumns,
  id: sql<string>`coalesce(${bookings.slotId}, ${bookings.id})`.as('id'),
  bookerName: sql<string | null>`iif(${bookings.slotId} IS NULL, ${booker.displayName}, NULL)`
    .mapWith(booker.displayName)
    .as('booker_name'),
  places: json<ListedAppointment['places']>(
    sql`CASE WHEN ${bookings.slotId} IS NOT NULL THEN (
      SELECT json_object('seats', room.seats, 'taken', room.taken) FROM slots AS room
      WHERE room.provider_id = ${bookings.providerId} AND room.starts_at = ${bookings.startsAt} AND room.id = ${bookings.slotId}) END`,
    'places',
  ),
};

/** SQL: the booking stands alone, or is the first of its class. */
export const isFirstOfClass = sql`(${bookings.slotId} IS NULL OR NOT EXISTS (
  SELECT 1 FROM bookings AS before WHERE before.provider_id = ${bookings.providerId} AND before.starts_at = ${bookings.startsAt}
    AND before.id < ${bookings.id} AND before.status = 1))`;

/** Selects a provider's bookings as selectLines does, each class as one line where `isFirstOfClass` holds. */
export const selectProvidersLines = () =>
  orm
    .select(providersLineColumns)
    .from(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .innerJoin(booker, eq(booker.id, bookings.bookerId));

/** Selects bookings with the columns of a list's line; conditions may name the tables that selectBookings has. */
export const selectLines = () =>
  orm
    .select(lineColumns)
    .from(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .innerJoin(booker, eq(booker.id, bookings.bookerId));

/** Selects withdrawn slots in the columns of selectLines, to stand after it in a union. */
export const selectWithdrawnLines = () =>
  orm
    .select(
      alike<typeof lineColumns>({
        ...withdrawnLineColumns,
        providerName: freeColumns.providerName,
        provider: freeColumns.provider,
      }),
    )
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId));
