import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { freshId } from '../../../db/ids';
import { slots } from '../../../db/schema';
import { placeOf } from '../services/where.server';
import { minute } from '../time/clock';

// A slot with its service, and what a booking there has by them.

/** SQL: the id of a booking of the slot. In a class each has its own. */
export const bookingId = sql`iif(slots.seats = 1, slots.id, ${freshId(sql`slots.provider_id`, sql`slots.starts_at`)})`;
/** SQL: the class that the booking is in; null if it is in none. */
export const classId = sql`iif(slots.seats = 1, NULL, slots.id)`;

/** What a booking has by its slot alone. */
export const columnsOfTime = {
  providerId: slots.providerId,
  startsAt: slots.startsAt,
  id: bookingId,
  endsAt: slots.endsAt,
  takenUntil: slots.endsAt,
  localDate: slots.localDate,
  timeZone: slots.timeZone,
  city: slots.city,
  notes: slots.notes,
  templateId: slots.templateId,
  slotId: classId,
};

/** What a booking has by its slot, with the slot's own service. */
export const columnsOfSlot = {
  ...columnsOfTime,
  serviceId: sql`service.id`,
  serviceName: sql`service.name`,
  price: sql`service.price`,
  deposit: sql`service.deposit`,
  where: sql`nullif(service.place_kind, 'here')`,
  place: placeOf({ kind: sql`service.place_kind`, address: sql`NULL`, link: sql`service.link` }),
};

/** SQL: a minute, by which a length is multiplied. */
export const inMinutes = sql.raw(String(minute));
export const endOfService = sql`(slots.starts_at + service.minutes * ${inMinutes})`;
export const serviceTakenUntil = sql`(${endOfService} + service.gap * ${inMinutes})`;

/** What a booking has by its service. Free time is as long as the service, if there is one. */
export const columnsOfService = {
  endsAt: sql`iif(slots.service_id IS NULL, coalesce(${endOfService}, slots.ends_at), slots.ends_at)`,
  takenUntil: sql`iif(slots.service_id IS NULL, coalesce(${serviceTakenUntil}, slots.ends_at), slots.ends_at)`,
  templateId: questionsOf({ isService: true }),
};

/** SQL: the template whose questions are asked. It is the slot's; in free time it is the service's, if that has one. */
export function questionsOf({ isService }: { isService: boolean }): SQL {
  return isService
    ? sql`iif(slots.service_id IS NULL, coalesce(service.template_id, slots.template_id), slots.template_id)`
    : sql`slots.template_id`;
}

/** SQL: joins `slots` with the slot's own service, or with the wanted one if the slot has none. */
export const withService = (
  service: Placeholder | SQL | string | null,
) => sql`LEFT JOIN services AS service ON service.provider_id = slots.provider_id
    AND service.id = ${service === null ? sql`slots.service_id` : sql`coalesce(slots.service_id, ${service})`}`;

export const slotWithService = (service: Placeholder | SQL | string | null) => sql`${slots} ${withService(service)}`;

/**
 * SQL: where the booking of a slot would take place; null if it has no service.
 * @param isService whether a service is named: else only a class has one, and free time reads no row of services
 */
export const placeKindOf = ({ isService }: { isService: boolean }): SQL =>
  isService
    ? sql`service.place_kind`
    : sql`iif(slots.service_id IS NULL, NULL, (SELECT own.place_kind FROM services AS own
        WHERE own.provider_id = slots.provider_id AND own.id = slots.service_id))`;

/**
 * SQL: the slot overlaps the stretch. Slots never overlap, so only the last one that begins before it may reach into it.
 * @param slot as in isInTimeOf
 */
export const isOverlapping = ({ provider, start, end }: { provider: SQL; start: SQL; end: SQL }, slot = ''): SQL => {
  const column = (name: string) => sql.raw(`${slot}${name}`);
  return sql`(${column('provider_id')} = ${provider} AND ${column('starts_at')} < ${end} AND ${column('ends_at')} > ${start}
    AND ${column('starts_at')} >= coalesce((SELECT max(earlier.starts_at) FROM slots AS earlier
      WHERE earlier.provider_id = ${provider} AND earlier.starts_at <= ${start}), ${start}))`;
};

/** SQL: where the provider of a slot is now, in a statement with no table but slots. What opens is listed there. */
export const cityNow = sql`ifnull((SELECT city FROM accounts WHERE accounts.id = provider_id), city)`;

/** SQL: the slot lies in the time that the booking takes. @param slot its name and a dot; blank if only one table has its columns */
export const isInTimeOf = (booking: SQL, slot = ''): SQL => {
  const column = (name: string) => sql.raw(`${slot}${name}`);
  return sql`${column('provider_id')} = ${booking}.provider_id AND ${column('starts_at')} >= ${booking}.starts_at AND ${column('starts_at')} < ${booking}.taken_until`;
};
