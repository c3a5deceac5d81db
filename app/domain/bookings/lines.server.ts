import { eq, sql } from 'drizzle-orm';
import { accounts, bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import type { Attendance } from '../people/attendance-words';
import type { ListedAppointment } from './appointments';
import { asColumnsOf, bookedColumns, booker, freeColumns, json } from './columns.server';

const { id, startsAt, endsAt, date, timeZone, notes, bookerName, canceledAt, canceledBy, movedTo } = bookedColumns;
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
  movedTo,
  service: sql<string | null>`${bookings.serviceName}`.as('service_name'),
};

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
  movedTo: freeColumns.movedTo,
  service: sql<string | null>`CASE WHEN ${slots.serviceId} IS NOT NULL THEN (SELECT meant.name FROM services AS meant
    WHERE meant.provider_id = ${slots.providerId} AND meant.id = ${slots.serviceId}) END`.as('service_name'),
};

const providedLineColumns = {
  ...ownLineColumns,
  providerName: bookedColumns.providerName,
  provider: bookedColumns.provider,
};
const lineColumns = { ...providedLineColumns, shop: bookedColumns.shop };

const providersLineColumns = {
  ...providedLineColumns,
  attendance: sql<Attendance | null>`iif(${bookings.slotId} IS NULL, ${bookings.attendance}, NULL)`.as('attended'),
  id: sql<string>`coalesce(${bookings.slotId}, ${bookings.id})`.as('id'),
  bookerName: sql<string | null>`iif(${bookings.slotId} IS NULL, ${bookings.bookerName}, NULL)`
    .mapWith(bookings.bookerName)
    .as('booker_name'),
  places: json<ListedAppointment['places']>(
    sql`CASE WHEN ${bookings.slotId} IS NOT NULL THEN (
      SELECT json_object('seats', room.seats, 'taken', room.taken) FROM slots AS room
      WHERE room.provider_id = ${bookings.providerId} AND room.starts_at = ${bookings.startsAt} AND room.id = ${bookings.slotId}) END`,
    'places',
  ),
};

/** SQL: the booking is not in a class, or is the first of its class. */
export const isFirstOfClass = sql`(${bookings.slotId} IS NULL OR NOT EXISTS (
  SELECT 1 FROM bookings AS before WHERE before.provider_id = ${bookings.providerId} AND before.starts_at = ${bookings.startsAt}
    AND before.id < ${bookings.id} AND ${isBooked('before')}))`;

/** Selects a provider's bookings as lines. With `isFirstOfClass`, a class is one line. */
export const selectProvidersLines = () =>
  orm.select(providersLineColumns).from(bookings).innerJoin(accounts, eq(accounts.id, bookings.providerId));

/** Selects a client's bookings as lines. Conditions may name the tables of selectBookings. */
export const selectLines = () =>
  orm
    .select(lineColumns)
    .from(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .innerJoin(booker, eq(booker.id, bookings.bookerId));

export const selectWithdrawnLines = () =>
  orm
    .select(
      asColumnsOf<typeof lineColumns>({
        ...withdrawnLineColumns,
        providerName: freeColumns.providerName,
        provider: freeColumns.provider,
        shop: freeColumns.shop,
      }),
    )
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId));
