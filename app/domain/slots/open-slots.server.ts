import { and, asc, type Column, eq, gt, gte, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, cityDays, openDays, slots } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { isFull, isOpen } from '../../../db/states';
import type { Appointment, OpenSlotFilter } from '../bookings/appointments';
import { openSlot, selectOpen } from '../bookings/appointments.server';
import { openColumns } from '../bookings/columns.server';
import { firstStart, isBookable } from '../bookings/rules.server';
import { status } from '../bookings/status';
import { type Page, pageOf } from '../input/fields';
import { fold } from '../input/fold';
import { pageSize } from '../input/limits';
import { day, hour, type Instant, type LocalDate } from '../time/clock';
import { fullPage, namedLike, nameSearchOf } from './providers.server';
import {
  type FilterPlaceholders,
  type FilterShape,
  type FilterValues,
  isFirstOfSpan,
  isInSpan,
  searchSlots,
  spansOf,
} from './search.server';
import { hasTimeForOnly } from './times.server';

// Each combination of filters has its own statement. SQLite reads it along an index, in the order of the list, so a
// page costs the rows that it shows, not all rows that are stored.

const byStart = [asc(slots.startsAt), asc(slots.id)];
// The plain start comes first, because SQLite begins there along the index, for all providers.
const mayBeBooked = ({ now }: FilterPlaceholders) =>
  and(isOpen(slots), gt(slots.startsAt, now), isBookable('slots', now));
const isAmong = (date: Column, { dates }: FilterPlaceholders) =>
  sql`${date} IN (SELECT value FROM json_each(${dates}))`;
const isInCity = ({ city }: FilterShape, filter: FilterPlaceholders) =>
  city ? eq(slots.city, filter.city) : undefined;
const isChosenDate = (date: Column | SQL, { dates }: FilterPlaceholders) => sql`instr(${dates}, ${date}) > 0`;

// The last date that SQLite knows.
const lastDate = '9999-12-31';

// Days of two zones overlap in time, so reading one day after the other would break the order by start. A day's stretch
// of time begins with the first slot of this day or later days, but after the last slot of earlier chosen days. It ends
// with the day's last slot. Days more than two apart don't overlap.
function isOfDay(days: typeof openDays | typeof cityDays, owner: Column, filter: FilterPlaceholders) {
  const daysAround = (column: string, from: string, to: string) => sql`(
    SELECT ${sql.raw(column)} FROM ${days} AS near
    WHERE near.${sql.identifier(owner.name)} = ${owner} AND ${isChosenDate(sql`near.local_date`, filter)}
      AND near.local_date BETWEEN date(${days.localDate}, ${sql.raw(from)})
        AND ifnull(date(${days.localDate}, ${sql.raw(to)}), ${sql.raw(`'${lastDate}'`)}))`;
  const first = daysAround('min(first_at)', "'+0 days'", "'+2 days'");
  const afterEarlier = daysAround('ifnull(max(last_at) + 1, 0)', "'-2 days'", "'-1 days'");
  return sql`${slots.startsAt} BETWEEN max(${first}, ${afterEarlier}) AND ${days.lastAt} AND ${isChosenDate(slots.localDate, filter)}`;
}

const isOfProvider = ({ q }: FilterShape, filter: FilterPlaceholders) =>
  and(eq(accounts.usernameFolded, filter.provider), q ? namedLike(filter) : undefined);

const isOnTheirDays = (shape: FilterShape, filter: FilterPlaceholders) =>
  and(
    and(isOfProvider(shape, filter), eq(openDays.providerId, accounts.id), eq(slots.providerId, accounts.id)),
    and(isAmong(openDays.localDate, filter), gte(openDays.lastAt, firstStart(filter.now))),
    isOfDay(openDays, openDays.providerId, filter),
    and(mayBeBooked(filter), isInCity(shape, filter)),
  );
const byDay = [asc(openDays.localDate), ...byStart];
const ofProviderOnDays = (shape: FilterShape, filter: FilterPlaceholders) =>
  orm
    .select(openColumns)
    .from(accounts)
    .crossJoin(openDays)
    .crossJoin(slots)
    .where(isOnTheirDays(shape, filter))
    .orderBy(...byDay);

const ofCityOnDays = (filter: FilterPlaceholders) =>
  orm
    .select(openColumns)
    .from(cityDays)
    .crossJoin(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .where(
      and(
        and(eq(cityDays.city, filter.city), eq(slots.city, filter.city)),
        and(isAmong(cityDays.localDate, filter), gt(cityDays.lastAt, filter.now)),
        and(isOfDay(cityDays, cityDays.city, filter), mayBeBooked(filter)),
      ),
    )
    .orderBy(asc(cityDays.localDate), ...byStart);

// A date means other hours in each zone, so SQLite reads the slots around the chosen dates and filters them.
const onDays = (filter: FilterPlaceholders) =>
  selectOpen()
    .where(and(mayBeBooked(filter), isInSpan(filter), isAmong(slots.localDate, filter)))
    .orderBy(...byStart);
const onDaysApart = (filter: FilterPlaceholders) =>
  orm
    .select(openColumns)
    .from(spansOf(filter))
    .crossJoin(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .where(isFirstOfSpan({ city: false }, filter, sql`${filter.skip} + ${fullPage}`))
    .orderBy(...byStart);

const listOf = (shape: FilterShape, filter: FilterPlaceholders) => {
  if (shape.provider && shape.dates) return ofProviderOnDays(shape, filter);
  if (shape.dates && shape.city) return ofCityOnDays(filter);
  if (shape.dates) return shape.areApart ? onDaysApart(filter) : onDays(filter);
  const isTheirs = shape.provider ? isOfProvider(shape, filter) : undefined;
  return selectOpen()
    .where(and(isTheirs, mayBeBooked(filter), isInCity(shape, filter)))
    .orderBy(...byStart);
};

const openSlots = statementBy<FilterShape, FilterValues>()((shape, filter) => {
  if (shape.q && !shape.provider) return searchSlots(shape, filter);
  return listOf(shape, filter)
    .limit(pageSize + 1)
    .offset(filter.skip);
});

// No zone is further from UTC than this.
const largestOffset = 15 * hour;

/** The stretches of time that these sorted dates cover anywhere on earth. Stretches that touch become one. */
function spansAround(dates: LocalDate[]): [from: Instant, until: Instant][] {
  const spans: [Instant, Instant][] = [];
  for (const date of dates) {
    const [from, until] = [Date.parse(date) - largestOffset, Date.parse(date) + day + largestOffset];
    const last = spans.at(-1);
    if (last && from <= last[1]) last[1] = until;
    else spans.push([from, until]);
  }
  return spans;
}

const valuesOf = (
  { provider = '', location = '', dates, q = '', page }: OpenSlotFilter,
  now: Instant,
): FilterValues => ({
  provider: fold(provider.trim()),
  city: fold(location.trim()),
  dates: JSON.stringify(dates ?? []),
  spans: JSON.stringify(spansAround(dates ?? [])),
  ...nameSearchOf(q),
  now,
  skip: page * pageSize,
});

/**
 * Lists open slots that people can book by their providers' rules, by start. For an unknown provider or city there are
 * none.
 */
export async function listOpenSlots(db: Db, filter: OpenSlotFilter, now: Instant): Promise<Page<Appointment>> {
  const values = valuesOf(filter, now);
  const { provider, location, dates } = filter;
  const shape = {
    provider: Boolean(provider),
    city: Boolean(location),
    dates: Boolean(dates),
    areApart: spansAround(dates ?? []).length > 1,
    q: values.q !== '',
  };
  const [read] = await db.run(openSlots(shape, values));
  return pageOf(read.map(openSlot));
}

const withFull = statementBy<{ dates: boolean }, FilterValues>()(({ dates }, filter) =>
  selectOpen()
    .where(
      and(
        and(eq(accounts.usernameFolded, filter.provider), isBookable('slots', filter.now)),
        sql`(${isOpen(slots)} OR ${isFull(slots)} AND ${slots.seats} > 1)`,
        // The first of the days and the last are enough here.
        dates
          ? sql`${slots.startsAt} BETWEEN ${filter.spans} ->> '$[0][0]' AND ${filter.spans} ->> '$[#-1][1]' AND ${isChosenDate(slots.localDate, filter)}`
          : undefined,
      ),
    )
    .orderBy(...byStart)
    .limit(pageSize + 1)
    .offset(filter.skip),
);

/** Lists open slots as listOpenSlots does, and full classes among them. */
export async function listSlotsWithFull(
  db: Db,
  filter: Pick<OpenSlotFilter, 'dates' | 'page'> & { provider: string },
  now: Instant,
): Promise<Page<Appointment>> {
  const { rows } = await db.run({ rows: withFull({ dates: filter.dates !== undefined }, valuesOf(filter, now)) });
  return pageOf(rows.map((row) => ({ ...openSlot(row), status: row.room?.free === 0 ? status.booked : status.open })));
}

export type FreeTime = Pick<Appointment, 'id' | 'startsAt' | 'endsAt' | 'date' | 'timeZone'> & {
  places: number | null; // how many places of a class are left; null for a single appointment
  service: string | null; // the service's name; null for free time
};

/** SQL: how many places of a class are left. */
export const placesLeft = sql<number | null>`iif(${slots.seats} > 1, ${slots.seats} - ${slots.taken}, NULL)`.as(
  'places',
);

export const serviceName = sql<string | null>`CASE WHEN ${slots.serviceId} IS NOT NULL THEN (
  SELECT meant.name FROM services AS meant WHERE meant.provider_id = ${slots.providerId} AND meant.id = ${slots.serviceId}) END`.as(
  'service_name',
);

const freeTimes = statement<FilterValues>()((filter) => {
  const { id, startsAt, endsAt, date, timeZone } = openColumns;
  return orm
    .select({ id, startsAt, endsAt, date, timeZone, places: placesLeft, service: serviceName })
    .from(accounts)
    .crossJoin(openDays)
    .crossJoin(slots)
    .where(isOnTheirDays({ provider: true, city: false, dates: true, areApart: false, q: false }, filter))
    .orderBy(...byDay)
    .limit(pageSize + 1)
    .offset(filter.skip);
});

/** Lists free times in the order of listOpenSlots. */
export async function listFreeTimes(
  db: Db,
  filter: OpenSlotFilter & { provider: string; dates: LocalDate[] },
  now: Instant,
): Promise<Page<FreeTime>> {
  const [read] = await db.run(freeTimes(valuesOf(filter, now)));
  return pageOf(read);
}

export const freeTimeOf = ({ id, startsAt, endsAt, date, timeZone, seats, free }: Appointment): FreeTime => ({
  id,
  startsAt,
  endsAt,
  date,
  timeZone,
  places: seats > 1 ? free : null,
  service: null,
});

const aDay = sql.raw(String(day));

type FullValues = { provider: string; service: string; dates: string; spans: string; now: Instant };
const fullClasses = statementBy<{ dates: boolean; service: boolean }, FullValues>()((shape, filter) => {
  const query = orm
    .select({
      id: openColumns.id,
      startsAt: openColumns.startsAt,
      endsAt: openColumns.endsAt,
      date: openColumns.date,
      timeZone: openColumns.timeZone,
      places: placesLeft,
      service: serviceName,
    })
    .from(accounts);
  const firstDay = sql`${openDays.providerId} = ${accounts.id} AND ${openDays.localDate} = (
    SELECT local_date FROM open_days WHERE provider_id = ${accounts.id} AND last_at >= ${firstStart(filter.now)}
      AND ${hasTimeForOnly(filter.service, shape.service, filter.now)} ORDER BY local_date LIMIT 1)`;
  // By its index, because SQLite would otherwise go through everything that is booked.
  const startsOfFull = (isWanted: SQL) => sql`SELECT near.starts_at FROM slots AS near INDEXED BY slots_full_classes
    WHERE near.provider_id = ${accounts.id} AND ${isFull('near')} AND near.seats > 1 AND ${isWanted}
      AND ${isBookable('near', filter.now)} ${shape.service ? sql`AND near.service_id = ${filter.service}` : sql``}
    ORDER BY near.starts_at LIMIT ${sql.raw(String(pageSize))}`;
  const onDates = sql`near.starts_at BETWEEN ${filter.spans} ->> '$[0][0]' AND ${filter.spans} ->> '$[#-1][1]'
    AND instr(${filter.dates}, near.local_date) > 0`;
  const onFirstDay = sql`near.local_date = ${openDays.localDate}
    AND near.starts_at BETWEEN ${openDays.firstAt} - ${aDay} AND ${openDays.lastAt} + ${aDay}`;
  const inTwoWeeks = sql`${filter.now} + 14 * ${aDay}`;
  const isSoon = sql`near.starts_at BETWEEN ${filter.now} AND max(${inTwoWeeks}, coalesce(${openDays.lastAt}, 0))`;
  const starts = shape.dates
    ? startsOfFull(onDates)
    : sql`SELECT starts_at FROM (${startsOfFull(onFirstDay)}) UNION SELECT starts_at FROM (${startsOfFull(isSoon)})`;
  return (shape.dates ? query : query.leftJoin(openDays, firstDay))
    .crossJoin(slots)
    .where(
      and(
        eq(accounts.usernameFolded, filter.provider),
        // For a provider without classes, or a service that is none, this costs nothing.
        sql`EXISTS (SELECT 1 FROM services AS class_service WHERE class_service.provider_id = ${accounts.id} AND class_service.seats > 1
          ${shape.service ? sql`AND class_service.id = ${filter.service}` : sql``})`,
        sql`${slots.providerId} = ${accounts.id} AND ${slots.startsAt} IN (${starts})`,
      ),
    )
    .orderBy(...byStart);
});

/**
 * Lists full classes on these days, so that a page can say that they are full. By default those on the first day with
 * a free time, and the first of those before it or within two weeks.
 */
export async function listFullClasses(
  db: Db,
  { provider, service, dates }: { provider: string; service?: string; dates?: LocalDate[] },
  now: Instant,
): Promise<FreeTime[]> {
  const values = valuesOf({ provider, dates, page: 0 }, now);
  const shape = { dates: dates !== undefined, service: Boolean(service) };
  const { rows } = await db.run({ rows: fullClasses(shape, { ...values, service: service ?? '' }) });
  return rows;
}

/**
 * Adds full classes to a page of free times, each in its place. Without chosen days the free times are those of one day,
 * and the full classes of other days are all on its first page.
 */
export function withFullClasses(
  { rows, hasMore }: Page<FreeTime>,
  full: FreeTime[],
  { dates, page }: { dates?: LocalDate[]; page: number },
): { times: FreeTime[]; hasMore: boolean } {
  const first = page === 0 ? 0 : (rows[0]?.startsAt ?? Number.POSITIVE_INFINITY);
  const last = hasMore ? (rows.at(-1)?.startsAt ?? 0) : Number.POSITIVE_INFINITY;
  const isOfPage = ({ startsAt, date }: FreeTime) =>
    (startsAt >= first && startsAt <= last) || (!dates && date !== rows[0]?.date);
  const times = [...rows, ...full.filter(isOfPage)].sort((one, other) => one.startsAt - other.startsAt);
  return { times, hasMore };
}

const targetById = statement<{ id: string }>()(({ id }) =>
  orm
    .select({
      ...openColumns,
      partOf: sql<Instant | null>`iif(${isFull(slots)}, ${slots.partOf}, NULL)`.as('part_of'),
    })
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .where(and(hasId(slots, id), sql`(${isOpen(slots)} OR ${isFull(slots)} AND ${slots.partOf} <> ${slots.startsAt})`)),
);

/** Finds an open slot, or a later part of the booking that started at `partOf`. */
export async function findMoveTarget(
  db: Db,
  id: string,
): Promise<(Appointment & { partOf: Instant | null }) | undefined> {
  const [[row]] = await db.run(targetById({ id }));
  if (!row) return undefined;
  const { partOf, ...slot } = row;
  return { ...openSlot(slot), partOf };
}
