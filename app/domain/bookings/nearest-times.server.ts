import { asc, eq, type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, bookings, services, slots } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { hasEnded, isFull, isOpen, isStillWanted } from '../../../db/states';
import type { DomainError } from '../errors';
import { listTimes } from '../slots/times.server';
import { addDays, type Instant, type LocalDate } from '../time/clock';
import type { Appointment } from './appointments';
import { openSlot } from './appointments.server';
import { nobody, whyNot } from './claimable.server';
import { canBeOffered } from './claimable-in-views.server';
import { openColumns } from './columns.server';
import { refusalOf, type WhyNot } from './refusals';
import { firstStart, isBookableOfAny } from './rules.server';
import { slotWithService } from './slot-with-service.server';

export type UnavailableTime = {
  refusal: DomainError;
  provider: string;
  providerName: string;
  nearest: Appointment[];
  mayComeFree: boolean; // somebody else has the time, and the provider has a waitlist
};

/** SQL: FROM what is left of a canceled or moved booking. */
const fromEnded = (id: Placeholder) => sql`FROM ${bookings} WHERE ${hasId(bookings, id)} AND ${hasEnded(bookings)}`;

/**
 * SQL: the slot that can't be booked, or the canceled booking; no row if the slot can be booked.
 * @param service what somebody comes for; null if that is not asked
 */
const unavailableSlot = (id: Placeholder, now: Placeholder, service: Placeholder | null) => {
  return sql`(
    SELECT * FROM (
      SELECT slots.provider_id, slots.starts_at, slots.ends_at, slots.local_date, slots.template_id, slots.seats, slots.service_id,
        ${isFull('slots')} AND ${isStillWanted('slots')} AS is_taken, ${whyNot(nobody(now, sql`ruler`), service)} AS why
      FROM ${slotWithService(service)} CROSS JOIN accounts AS ruler ON ruler.id = slots.provider_id WHERE ${hasId(slots, id)})
    WHERE why IS NOT NULL
    UNION ALL
    SELECT provider_id, starts_at, ends_at, local_date, template_id, 1, NULL, 0, 'taken' ${fromEnded(id)}) AS late`;
};

/** SQL: the slot suits what is wanted, and its service is offered. */
const isForWanted = (service: Placeholder) => sql`(${service} = '' AND late.service_id IS NULL OR EXISTS (
  SELECT 1 FROM services WHERE services.provider_id = late.provider_id AND is_offered
    AND services.id = coalesce(late.service_id, ${service}) AND ${service} IN ('', services.id) AND ${canBeOffered('late', services)}))`;

type IdOfTime = { id: string; service: string; now: Instant };
const lateSlot = statementBy<{ isForService: boolean }, IdOfTime>()(({ isForService }, { id, service, now }) =>
  orm
    .select({
      mayComeFree: sql<number>`late.is_taken AND ${accounts.waitlist} = 'on' AND late.starts_at >= ${firstStart(now)}
        AND ${isForWanted(service)}`.as('may_come_free'),
      startsAt: sql<Instant>`late.starts_at`.as('starts_at'),
      date: sql<LocalDate>`late.local_date`.as('local_date'),
      why: sql<WhyNot>`late.why`.as('why_not'),
      perDay: accounts.perDay,
      provider: openColumns.provider,
      providerName: openColumns.providerName,
    })
    .from(unavailableSlot(id, now, isForService ? service : null))
    .innerJoin(accounts, sql`${accounts.id} = late.provider_id`),
);

/** A search for slots with the same questions looks at this many free slots. */
const nearby = sql.raw('50');

/** SQL: up to three free slots with the questions and the service of the one in `late`, on one side of it. */
const nearestTo = (now: Placeholder, isBefore: boolean) => {
  const nearestFirst = isBefore ? sql`starts_at DESC` : sql`starts_at`;
  return sql`SELECT provider_id, starts_at FROM (
    SELECT slots.provider_id, slots.starts_at, slots.template_id, slots.service_id
    FROM late CROSS JOIN slots ON slots.provider_id = late.provider_id AND slots.starts_at ${isBefore ? sql`<` : sql`>=`} late.starts_at
    WHERE ${isOpen('slots')} AND ${isBookableOfAny('slots', now)}
    ORDER BY slots.${nearestFirst} LIMIT ${nearby})
  WHERE (template_id, service_id) IS (SELECT template_id, service_id FROM late)
  ORDER BY ${nearestFirst} LIMIT 3`;
};

/** The slots around one, or around that of a canceled booking. */
const slotsAround = statement<{ id: string; now: Instant }>()(({ id, now }) =>
  orm
    .select(openColumns)
    .from(
      sql`(WITH late AS MATERIALIZED (
          SELECT provider_id, starts_at, template_id, service_id FROM ${slots} WHERE ${hasId(slots, id)}
          UNION ALL SELECT provider_id, starts_at, template_id, NULL ${fromEnded(id)})
        SELECT * FROM (${nearestTo(now, true)}) UNION ALL SELECT * FROM (${nearestTo(now, false)})) AS near`,
    )
    .crossJoin(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .where(sql`${slots.providerId} = near.provider_id AND ${slots.startsAt} = near.starts_at`)
    .orderBy(asc(slots.startsAt)),
);

/** The nearest times for a service: those of the same week, or the first ones if that week has none. */
async function nearestFor(
  db: Db,
  service: string,
  { provider, startsAt, date }: { provider: string; startsAt: Instant; date: LocalDate },
  now: Instant,
): Promise<Appointment[]> {
  const dates = Array.from({ length: 8 }, (_, later) => addDays(date, later));
  const timesAround = await listTimes(db, { provider, service, dates, page: 0 }, now);
  const { rows } = timesAround.rows.length > 0 ? timesAround : await listTimes(db, { provider, service, page: 0 }, now);
  const place = rows.findIndex((time) => time.startsAt >= startsAt);
  const from = Math.max(0, (place < 0 ? rows.length : place) - 3);
  return rows.slice(from, from + 6);
}

/**
 * Finds why a slot can't be booked, and the nearest free times with the same questions: up to three before it and three
 * after. Undefined if the slot can be booked or doesn't exist.
 * @param service restricts the times to those where this service fits
 * @param isRefused true if it has just been refused: then the times near it are read in the same round trip. Nearly all forms are of
 * a time that is free, and SQLite reads each statement anew, so a form looks for them only where its time is lost.
 */
export async function findUnavailableTime(
  db: Db,
  id: string,
  now: Instant,
  { service = null, isRefused = false }: { service?: string | null; isRefused?: boolean } = {},
): Promise<UnavailableTime | undefined> {
  const around = slotsAround({ id, now });
  const {
    late: [late],
    found,
  } = await db.run({
    late: lateSlot({ isForService: Boolean(service) }, { id, service: service ?? '', now }),
    found: isRefused && !service ? around : undefined,
  });
  if (!late) return undefined;
  const { provider, providerName } = late;
  const refusal = refusalOf(late.why, { ...late, countingName: providerName, perPerson: null, room: null });
  const nearest = service
    ? await nearestFor(db, service, late, now)
    : (found ?? (await db.run(around))[0]).map(openSlot);
  return { refusal, provider, providerName, nearest, mayComeFree: late.mayComeFree === 1 };
}
