import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { columnOf, type Of } from '../../../db/column-of';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, people, slots } from '../../../db/schema';
import { isOpen } from '../../../db/states';
import type { Attendance } from '../people/attendance-words';
import { entryOf, linkSourceOf } from '../people/client-columns.server';
import type { Payee } from '../profile/iban';
import type { Where } from '../services/where';
import { shopOfBooking } from '../shop/in-shop.server';
import { type Instant, minute } from '../time/clock';
import type { By } from './appointments';
import type { Status } from './status';

export const booker = alias(accounts, 'booker');

/** SQL: the number that was given with the booking, or else that of the client's card. */
export const phoneOfBooking = sql<string | null>`coalesce(${bookings.phone}, (SELECT ${people.phone} FROM ${people}
  WHERE ${ownedBy(bookings.providerId, people)} AND ${people.id} = ${bookings.personId}))`;

/** The username is null after the account was deleted. */
const provider = {
  provider: sql<string>`coalesce(${accounts.username}, '')`.as('provider'),
  providerName: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('provider_name'),
};

type ServiceInShort = { id: string; name: string; price: string | null; deposit: string | null; where: Where };
/** The seats of a class; null for a slot of one seat. */
export type Room = { seats: number; free: number } | null;

export const json = <Value>(text: SQL, name: string) =>
  sql<Value>`${text}`.mapWith((stored: string): Value => JSON.parse(stored)).as(name);

const roomOfSlot = json<Room>(
  sql`iif(${slots.seats} = 1, NULL, json_object('seats', ${slots.seats}, 'free', iif(${isOpen(slots)}, ${slots.seats} - ${slots.taken}, 0)))`,
  'room',
);
const roomOfBooking = json<Room>(
  sql`CASE WHEN ${bookings.slotId} IS NOT NULL THEN (
    SELECT json_object('seats', room.seats, 'free', iif(${isOpen('room')}, room.seats - room.taken, 0)) FROM slots AS room
    WHERE room.provider_id = ${bookings.providerId} AND room.starts_at = ${bookings.startsAt} AND room.id = ${bookings.slotId}) END`,
  'room',
);
const serviceOfSlot = json<ServiceInShort | null>(
  sql`CASE WHEN ${slots.serviceId} IS NOT NULL THEN (
    SELECT json_object('id', meant.id, 'name', meant.name, 'price', meant.price, 'deposit', meant.deposit, 'where', meant.place_kind) FROM services AS meant
    WHERE meant.provider_id = ${slots.providerId} AND meant.id = ${slots.serviceId}) END`,
  'service',
);
const serviceOfBooking = json<ServiceInShort | null>(
  sql`iif(${bookings.serviceName} IS NULL, NULL,
    json_object('id', ${bookings.serviceId}, 'name', ${bookings.serviceName}, 'price', ${bookings.price}, 'deposit', ${bookings.deposit}, 'where', coalesce(${bookings.where}, 'here')))`,
  'service',
);

/** If two columns of a batch have the same SQL name, one overwrites the other, so joined tables rename theirs. */
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

/** Lets columns pass for others of a union. There the first part decides how a value is read. */
export const asColumnsOf = <Columns>(columns: Record<keyof Columns, unknown>) => columns as unknown as Columns;

/** SQL: the last instant at which whoever has booked may move or cancel; null if they never may. */
export const changeableUntilOf = (booking: Of<'startsAt' | 'cancelUntil'>) =>
  sql<Instant | null>`${columnOf(booking, 'startsAt')} - ${columnOf(booking, 'cancelUntil')} * ${sql.raw(String(minute))}`;
export const changeableUntil = changeableUntilOf(bookings);

const providerEmail = sql<string | null>`iif(${accounts.emailConfirmedAt} IS NULL, NULL, ${accounts.email})`.as(
  'provider_email',
);

export const contactColumns = {
  providerAddress: sql<string | null>`${accounts.address}`.as('provider_address'),
  providerPhone: sql<string | null>`${accounts.phone}`.as('provider_phone'),
  askPhone: accounts.askPhone,
  payBy: json<Payee | null>(sql`${accounts.payBy}`, 'pay_by'),
};

/** The deadline of the booking; null for a slot that is not open. */
export const changeableUntilIfBooked = sql<Instant | null>`iif(${isOpen(slots)}, ${slots.startsAt} - ${accounts.cancelUntil} * ${sql.raw(String(minute))}, NULL)`;

/** SQL: whoever of the shop did it for the provider, as JSON; null if nobody did, or if they have left. */
export const byOf = sql`CASE WHEN ${bookings.actedBy} IS NOT NULL THEN (
  SELECT json_object('username', member.username, 'displayName', member.display_name) FROM accounts AS member
  WHERE member.id = ${bookings.actedBy} AND member.username IS NOT NULL) END`;

export const bookedColumns = {
  // Named, so that a union can be sorted by these columns.
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
  shop: shopOfBooking,
  slotId: sql<string>`coalesce(${bookings.slotId}, ${bookings.id})`.as('slot_id'),
  people: sql<number | null>`${bookings.people}`.as('people'),
  status: sql<Status>`${bookings.status}`.as('status'),
  username: sql<string | null>`${booker.username}`.as('booker'),
  bookerName: sql<string | null>`${bookings.bookerName}`.mapWith(bookings.bookerName).as('booker_name'),
  answers: bookings.answers,
  bookerId: sql<string | null>`${bookings.bookerId}`.as('booker_id'),
  answeredAt: bookings.answeredAt,
  bookedAt: sql<Instant | null>`${bookings.bookedAt}`.as('booked_at'),
  canceledAt: bookings.canceledAt,
  canceledBy: bookings.canceledBy,
  providerId: bookings.providerId,
  bookerEmail: sql<string | null>`coalesce(${bookings.email}, ${booker.email})`.as('booker_email'),
  providerEmail,
  ...contactColumns,
  bookerPhone: sql<string | null>`${bookings.phone}`.as('booker_phone'),
  where: sql<Where | null>`${bookings.where}`.as('booked_where'),
  place: sql<string | null>`${bookings.place}`.as('booked_place'),
  privateNote: bookings.privateNote,
  linkSource: linkSourceOf.as('link_source'),
  cancelReason: bookings.reason,
  movedFrom: bookings.movedFrom,
  movedTo: bookings.movedTo,
  seriesId: bookings.seriesId,
  paid: sql<boolean>`${bookings.paid}`.mapWith(Boolean).as('is_paid'),
  turn: bookings.turn,
  by: json<By | null>(byOf, 'by_member'),
  changeableUntil: changeableUntil.as('changeable_until'),
  calendarId: entryOf.as('calendar_entry'),
  sequence: bookings.sequence,
  // A mark made before the start doesn't count. The database's own clock is exact enough to decide that.
  attendance:
    sql<Attendance | null>`coalesce(${bookings.attendance}, iif(${bookings.startsAt} <= unixepoch() * 1000, 'unknown', NULL))`.as(
      'attended',
    ),
};

export const bookedAsOpen = asColumnsOf<typeof openColumns>({
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

const nullColumn = (name: string) => sql<null>`NULL`.as(name);

export const freeColumns = {
  ...openColumns,
  shop: nullColumn('shop_of_booking'),
  slotId: sql<string>`${slots.id}`.as('slot_id'),
  people: nullColumn('people'),
  status: sql<Status>`${slots.state}`.as('status'),
  username: nullColumn('booker'),
  bookerName: nullColumn('booker_name'),
  answers: sql`'[]'`.mapWith(bookings.answers).as('answers'),
  bookerId: nullColumn('booker_id'),
  answeredAt: nullColumn('answered_at'),
  bookedAt: nullColumn('booked_at'),
  canceledAt: sql<Instant | null>`${slots.withdrawnAt}`.as('canceled_at'),
  canceledBy: sql<'provider' | null>`iif(${slots.withdrawnAt} IS NULL, NULL, 'provider')`.as('canceled_by'),
  providerId: slots.providerId,
  bookerEmail: nullColumn('booker_email'),
  providerEmail,
  ...contactColumns,
  bookerPhone: nullColumn('booker_phone'),
  where: nullColumn('booked_where'),
  place: nullColumn('booked_place'),
  privateNote: nullColumn('private_note'),
  linkSource: nullColumn('link_source'),
  cancelReason: slots.reason,
  movedFrom: nullColumn('moved_from'),
  movedTo: nullColumn('moved_to'),
  seriesId: nullColumn('series_id'),
  paid: sql`0`.mapWith(Boolean).as('is_paid'),
  turn: nullColumn('turn'),
  by: nullColumn('by_member'),
  changeableUntil: changeableUntilIfBooked.as('changeable_until'),
  calendarId: sql<string>`${slots.id}`.as('calendar_entry'),
  sequence: sql<number>`0`.as('sequence'),
  attendance: nullColumn('attended'),
};
