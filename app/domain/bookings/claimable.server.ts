import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { freshId, hasId } from '../../../db/ids';
import { slots } from '../../../db/schema';
import { type Instant, minute } from '../time/clock';
import { isFreeThroughout } from './lengths.server';

/**
 * Why a service can't be booked there. 'service': the provider doesn't offer it there. 'length': there is too little
 * time. 'changed': its length or its price is not what the form said.
 */
export type Unfit = 'service' | 'length' | 'changed';

/** The columns of a slot. A booking of a class has an id of its own. */
export const columnsOfSlot = {
  providerId: slots.providerId,
  startsAt: slots.startsAt,
  id: sql`iif(slots.seats = 1, slots.id, ${freshId(slots.providerId, slots.startsAt)})`,
  endsAt: slots.endsAt,
  keptUntil: slots.endsAt,
  localDate: slots.localDate,
  timeZone: slots.timeZone,
  city: slots.city,
  notes: slots.notes,
  templateId: slots.templateId,
  slotId: sql`iif(slots.seats = 1, NULL, slots.id)`,
  serviceId: sql`service.id`,
  serviceName: sql`service.name`,
  price: sql`service.price`,
};

const inMinutes = sql.raw(String(minute));
const ends = sql`(slots.starts_at + service.minutes * ${inMinutes})`;
const keptUntil = sql`(${ends} + service.gap * ${inMinutes})`;

export const columnsOfService = {
  endsAt: sql`iif(slots.service_id IS NULL, ${ends}, slots.ends_at)`,
  keptUntil: sql`iif(slots.service_id IS NULL, ${keptUntil}, slots.ends_at)`,
  templateId: questionsOf({ isService: true }),
};

/** SQL: the template whose questions are asked. It is the slot's; in free time it is the service's, if that has one. */
export function questionsOf({ isService }: { isService: boolean }): SQL {
  return isService
    ? sql`iif(slots.service_id IS NULL, coalesce(service.template_id, slots.template_id), slots.template_id)`
    : sql`slots.template_id`;
}

/** SQL: each slot joined with its own service, or with the wanted one if the slot has none. */
export const slotWithService = (
  service: Placeholder | SQL | string | null,
) => sql`${slots} LEFT JOIN services AS service ON service.provider_id = slots.provider_id
    AND service.id = ${service === null ? sql`slots.service_id` : sql`coalesce(slots.service_id, ${service})`}`;

/** @param terms what the form said of the service, as JSON */
export const unfit = (service: Placeholder | SQL | string | null, terms?: Placeholder): SQL<Unfit | null> => {
  const changed = terms
    ? sql`WHEN ${terms} ->> 'price' <> coalesce(service.price, '')
      OR slots.service_id IS NULL AND ${terms} ->> 'minutes' <> service.minutes THEN 'changed'`
    : sql``;
  if (service === null) {
    return sql`CASE WHEN slots.service_id IS NULL THEN NULL WHEN NOT service.is_offered THEN 'service' ${changed} END`;
  }
  const stretch = { provider: sql`slots.provider_id`, start: sql`slots.starts_at`, end: ends, keptUntil };
  return sql`CASE WHEN service.is_offered IS NOT 1 OR service.id <> ${service} THEN 'service'
    WHEN slots.service_id IS NULL AND (slots.seats > 1 OR service.seats > 1 OR NOT ${isFreeThroughout(stretch)}) THEN 'length'
    ${changed} END`;
};

/** SQL: the slot is taken by the booking `old`, which is about to move, so it counts as open. */
export const isPartOfOld = sql`(slots.state = 1 AND slots.seats = 1 AND slots.part_of IS old.starts_at AND slots.starts_at <> old.starts_at)`;

const keptLength = sql`(old.kept_until - old.starts_at)`;
/** SQL: in free time the booking `old` keeps its length when it moves; a slot for its service has its own length. */
export const columnsOfMoved = {
  ...columnsOfSlot,
  endsAt: sql`iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + old.ends_at - old.starts_at)`,
  keptUntil: sql`iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + ${keptLength})`,
  templateId: questionsOf({ isService: true }),
  serviceId: sql`old.service_id`,
  serviceName: sql`old.service_name`,
  price: sql`old.price`,
};

/** SQL: why the booking `old` can't move here, or null. A provider may even use a service that is switched off. */
export const unfitForOld = (me: Placeholder | SQL | string): SQL<Unfit | null> => {
  const stretch = {
    provider: sql`slots.provider_id`,
    start: sql`slots.starts_at`,
    end: sql`(slots.starts_at + old.ends_at - old.starts_at)`,
    keptUntil: sql`(slots.starts_at + ${keptLength})`,
  };
  const own = sql`(run.state = 1 AND run.seats = 1 AND run.part_of IS old.starts_at)`;
  return sql`CASE
    WHEN slots.service_id IS old.service_id
      THEN iif(slots.service_id IS NULL OR service.is_offered OR old.provider_id = ${me}, NULL, 'service')
    WHEN slots.service_id IS NOT NULL OR old.service_id IS NULL THEN 'service'
    WHEN slots.seats > 1 OR old.people > 1 OR old.slot_id IS NOT NULL OR NOT ${isFreeThroughout(stretch, own)} THEN 'length' END`;
};

type Wanted = {
  id: Placeholder | string;
  people: Placeholder | number;
  now: Placeholder | Instant;
  terms?: Placeholder;
};

/** SQL: `FROM … WHERE …` for the slot with this id, if it is free. The provider's rules are not checked here. */
export const fromFree = ({ id, people, now, terms }: Wanted, service: Placeholder | SQL | string | null) => sql`
  FROM ${slotWithService(service)} CROSS JOIN accounts AS provider ON provider.id = slots.provider_id
  WHERE ${hasId(slots, id)} AND slots.state = 0 AND slots.starts_at > ${now} AND slots.taken + ${people} <= slots.seats
    AND ${unfit(service, terms)} IS NULL`;
