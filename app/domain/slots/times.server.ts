import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { accounts, openDays, services, slots } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { isNotBusy, isOpen, isWithdrawn } from '../../../db/states';
import type { Appointment } from '../bookings/appointments';
import { openSlot } from '../bookings/appointments.server';
import { hasBookable } from '../bookings/bookable-days.server';
import { canBegin } from '../bookings/claimable.server';
import { openColumns } from '../bookings/columns.server';
import { pauseOf } from '../bookings/lengths.server';
import { firstStart, isBookable } from '../bookings/rules.server';
import { inMinutes } from '../bookings/slot-with-service.server';
import { type Page, pageOf } from '../input/fields';
import { fold } from '../input/fold';
import { pageSize } from '../input/limits';
import type { Actor } from '../profile/accounts';
import type { Where } from '../services/where';
import { addDays, type Instant, type LocalDate } from '../time/clock';
import { todayIn } from '../time/zones';
import { fits } from './fits';

// A service fits its own slots, and free time that is long enough. For a list, SQLite reads each slot once and this
// code fits the service. For a calendar of days, SQL finds the first time of each day, by the same conditions as
// booking.

const service = alias(services, 'service');

type Shape = { dates: boolean; isExact: boolean; isOnly: boolean };
type Values = { provider: string; service: string; dates: string; now: Instant; atMost: number };
type Given = { [Name in keyof Values]: Placeholder };

// It is enough to read open slots. Any other slot shows as a hole between them, which is longer than a pause, and after
// the service nothing need be free.
const isOpenEnough = sql`(service.gap = 0 AND ${pauseOf(accounts.id)} = 0)`;

// The list's slots, and later ones into which a service may run.
const slotsOfService = statementBy<Shape, Values>()((shape, values: Given) => {
  const starts = shape.dates
    ? sql`${slots.startsAt} BETWEEN max(${openDays.firstAt}, ${firstStart(values.now)})
        AND ${openDays.lastAt} + (service.minutes + service.gap) * ${inMinutes}`
    : sql`${slots.startsAt} >= ${firstStart(values.now)}`;
  const isTheirs = and(eq(accounts.usernameFolded, values.provider), eq(service.providerId, accounts.id));
  const query = orm
    .select({
      ...openColumns,
      isWithdrawn: sql`${isWithdrawn(slots)}`.mapWith(Boolean).as('is_withdrawn'),
      isFreeTime: sql`${isOpen(slots)} AND ${isNotBusy(slots)} AND ${slots.seats} = 1 AND ${slots.serviceId} IS NULL`
        .mapWith(Boolean)
        .as('is_free_time'),
      isOwn: sql<number>`${isOpen(slots)} AND ${slots.serviceId} IS service.id`.as('is_own'),
      mayStart: sql<number>`${isBookable('slots', values.now)}`.as('may_start'),
      seats: sql<number>`service.seats`.as('service_seats'),
      length: sql<number>`service.minutes * ${inMinutes}`.as('service_length'),
      gap: sql<number>`service.gap * ${inMinutes}`.as('service_gap'),
      pause: pauseOf(accounts.id).mapWith(Number).as('pause'),
      questions: sql<string | null>`service.template_id`.as('service_template'),
      fitting: sql<string>`service.id`.as('fitting_service'),
      name: sql<string>`service.name`.as('service_name'),
      price: sql<string | null>`service.price`.as('service_price'),
      deposit: sql<string | null>`service.deposit`.as('service_deposit'),
      where: sql<Where>`service.place_kind`.as('service_where'),
    })
    .from(accounts)
    .crossJoin(service);
  const days = shape.dates ? query.crossJoin(openDays) : query;
  return days
    .crossJoin(slots)
    .where(
      and(
        and(
          isTheirs,
          eq(service.id, shape.isOnly ? accounts.onlyServiceId : values.service),
          eq(service.isOffered, true),
        ),
        shape.isExact ? sql`NOT ${isOpenEnough}` : isOpenEnough,
        shape.dates
          ? sql`${openDays.providerId} = ${accounts.id} AND ${openDays.localDate} IN (SELECT value FROM json_each(${values.dates}))
              AND ${openDays.lastAt} >= ${firstStart(values.now)}`
          : undefined,
        and(eq(slots.providerId, accounts.id), shape.isExact ? undefined : isOpen(slots), starts),
      ),
    )
    .orderBy(...(shape.dates ? [openDays.localDate, slots.startsAt] : [slots.startsAt]))
    .limit(values.atMost);
});

type Read = ReturnType<typeof slotsOfService>['rows'][number];
/** A time in the shape of an open slot. */
const timeOf = ({
  isFreeTime,
  questions,
  length,
  fitting: id,
  name,
  price,
  deposit,
  where,
  ...slot
}: Read): Appointment => {
  const { isWithdrawn, isOwn, mayStart, seats, gap, pause, ...open } = slot;
  const slotOfService = openSlot({ ...open, service: { id, name, price, deposit, where } });
  return isOwn
    ? slotOfService
    : { ...slotOfService, endsAt: slot.startsAt + length, templateId: questions ?? slot.templateId };
};

/** Asks for one service (the only one if blank), on some days or on all. */
type TimesFilter = { provider: string; service: string; dates?: LocalDate[]; page: number };

/** Lists the times at which a service can begin, by start; none if the provider doesn't offer it. */
export async function listTimes(db: Db, { page, ...filter }: TimesFilter, now: Instant): Promise<Page<Appointment>> {
  const needed = (page + 1) * pageSize + 1;
  return pageOf((await firstTimes(db, filter, needed, now)).slice(page * pageSize));
}

/** Lists so many of the first times at which a service can begin. */
export async function firstTimes(
  db: Db,
  { provider, service: id, dates }: Omit<TimesFilter, 'page'>,
  needed: number,
  now: Instant,
): Promise<Appointment[]> {
  const values = { provider: fold(provider.trim()), service: id, dates: JSON.stringify(dates ?? []), now };
  const chosen = dates && new Set(dates);
  // A service can begin at nearly every slot. If too few fit, read more slots.
  for (let atMost = needed + 60; ; atMost *= 4) {
    const shape = { dates: dates !== undefined, isOnly: id === '' };
    const { open, exact } = await db.run({
      open: slotsOfService({ ...shape, isExact: false }, { ...values, atMost }),
      exact: slotsOfService({ ...shape, isExact: true }, { ...values, atMost }),
    });
    const rows = [...open, ...exact];
    const isAll = rows.length < atMost;
    const last = rows.at(-1)?.startsAt ?? 0;
    // A time that runs past midnight may be read for two days: keep one.
    const list = [...new Map(rows.map((row) => [row.startsAt, row])).values()].sort(
      (one, other) => one.startsAt - other.startsAt,
    );
    const times = list.filter((row, place) => {
      if (!row.mayStart || (chosen && !chosen.has(row.date))) return false;
      if (!isAll && row.startsAt + row.length + row.gap > last) return false;
      return row.isOwn || (row.isFreeTime && row.seats === 1 && fits(list, place, row));
    });
    if (isAll || times.length >= needed) return times.slice(0, needed).map(timeOf);
  }
}

/** SQL: the service can begin some time on the day of this row of open_days, of the provider in `accounts`. */
export const hasTimeFor = (id: Placeholder | SQL, now: Placeholder): SQL => sql`EXISTS (
  SELECT 1 FROM services AS service CROSS JOIN slots
  WHERE service.provider_id = ${accounts.id} AND service.id = ${id} AND service.is_offered AND slots.provider_id = ${accounts.id}
    AND ${isOpen('slots')} AND slots.starts_at BETWEEN max(open_days.first_at, ${firstStart(now)}) AND open_days.last_at
    AND slots.local_date = open_days.local_date AND ${isBookable('slots', now)} AND ${canBegin})`;

/** SQL: as hasTimeFor, for the chosen service or the only one. If there is neither, anything can be booked that day. */
export const hasTimeForOnly = (id: Placeholder, isChosen: boolean, now: Placeholder): SQL => {
  const only = sql`${accounts.onlyServiceId}`;
  // Keep this an OR: SQLite evaluates both sides of an `iif`, but skips the rest of an OR.
  return isChosen
    ? hasTimeFor(id, now)
    : sql`(${only} IS NULL AND ${hasBookable(now)} OR ${only} IS NOT NULL AND ${hasTimeFor(only, now)})`;
};

/**
 * SQL: the chosen service, or the provider's only one, can begin at this row of slots. Without either, any slot will
 * do.
 */
export const beginsFor = (id: Placeholder, isChosen: boolean): SQL => {
  const wanted = sql`FROM services AS service WHERE service.provider_id = ${accounts.id} AND service.is_offered
    AND service.id = ${isChosen ? id : accounts.onlyServiceId}`;
  return sql`(EXISTS (SELECT 1 ${wanted} AND ${canBegin}) OR NOT EXISTS (SELECT 1 ${wanted}))`;
};

const searched = 60;

const unfitting = statement<{ me: string; now: Instant; until: LocalDate }>()(({ me, now, until }) =>
  orm
    .select({ id: services.id })
    .from(accounts)
    .crossJoin(services)
    .where(
      and(
        and(eq(accounts.id, me), eq(services.providerId, accounts.id)),
        sql`${services.isOffered} AND ${services.seats} = 1
          AND EXISTS (SELECT 1 FROM open_days WHERE provider_id = ${accounts.id} AND last_at >= ${firstStart(now)})
          AND NOT EXISTS (SELECT 1 FROM open_days WHERE provider_id = ${accounts.id}
            AND last_at >= ${firstStart(now)} AND local_date <= ${until} AND ${hasTimeFor(sql`${services.id}`, now)})`,
      ),
    ),
);

/** Lists the services that fit nowhere in the coming weeks; classes are left out. */
export async function listUnfitting(db: Db, { accountId: me, timeZone }: Actor, now: Instant): Promise<string[]> {
  const [rows] = await db.run(unfitting({ me, now, until: addDays(todayIn(timeZone, now), searched) }));
  return rows.map(({ id }) => id);
}
