import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, hours, openDays, parties, slots } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { isOpen } from '../../../db/states';
import { hasBookable } from '../bookings/bookable-days.server';
import { openColumns } from '../bookings/columns.server';
import { isBookable, lastStart } from '../bookings/rules.server';
import { completePlan } from '../hours/completed-plan.server';
import { isClosedOn, type Plan } from '../hours/planned-slots';
import { pageOf } from '../input/fields';
import { fold } from '../input/fold';
import { pageSize } from '../input/limits';
import type { Party } from '../parties/parties';
import { chosenService, type OfferedService, type Service } from '../services/services';
import { listOffered } from '../services/services.server';
import {
  type FreeTime,
  freeTimeOf,
  listFreeTimes,
  listFullClasses,
  placesLeft,
  serviceName,
  withFullClasses,
} from '../slots/open-slots.server';
import { findPublicProvider, type PublicProvider } from '../slots/providers.server';
import { beginsFor, hasTimeForOnly, listTimes } from '../slots/times.server';
import type { Instant, LocalDate } from '../time/clock';
import { datesOfMonth, type Month, monthOf } from '../time/month';
import { todayIn } from '../time/zones';

// A provider's free time for people with their link.

type Upcoming = { username: string; service: string; now: Instant; atMost: number };
/** `isNext`: only times for the wanted service. */
const upcoming = statementBy<{ isService: boolean; isNext: boolean }, Upcoming>()(
  ({ isService, isNext }, { username, service, now, atMost }) => {
    const { id, startsAt, endsAt, date, timeZone } = openColumns;
    return orm
      .select({ id, startsAt, endsAt, date, timeZone, places: placesLeft, service: serviceName })
      .from(accounts)
      .crossJoin(slots)
      .where(
        and(
          and(eq(accounts.usernameFolded, username), eq(slots.providerId, accounts.id), isOpen(slots)),
          isBookable('slots', now),
          isNext ? beginsFor(service, isService) : undefined,
        ),
      )
      .orderBy(asc(slots.startsAt), asc(slots.id))
      .limit(atMost);
  },
);

/** By default the first month with open days. */
type OfDays = { username: string; earliest: LocalDate; now: Instant; month: Month; service: string };
const daysOfMonth = statementBy<{ isService: boolean }, OfDays>()(
  ({ isService }, { username, earliest, now, month, service }) => {
    // The condition stands here once, because SQLite reads the text each time. Materialized, all days would be looked at.
    const daysShown = sql`(
      WITH free AS NOT MATERIALIZED (
        SELECT local_date FROM accounts CROSS JOIN open_days
        WHERE accounts.username_folded = ${username} AND open_days.provider_id = accounts.id
          AND open_days.local_date >= ${earliest} AND ${hasTimeForOnly(service, isService, now)}
      ), shown(month) AS (
        SELECT coalesce(nullif(${month}, ''), (SELECT substr(local_date, 1, 7) FROM free ORDER BY local_date LIMIT 1))
      )
      SELECT local_date FROM shown CROSS JOIN free WHERE local_date BETWEEN month || '-01' AND month || '-31'
    )`;
    return orm
      .select({ date: sql<LocalDate>`local_date`.as('free_day') })
      .from(daysShown)
      .orderBy(sql`free_day`);
  },
);

type OfMonth = { username: string; service: string; now: Instant; month: Month };

const timesOfMonth = statement<OfMonth>()(({ username, now, month }) => {
  const { id, startsAt, endsAt, date, timeZone } = openColumns;
  return orm
    .select({ id, startsAt, endsAt, date, timeZone, places: placesLeft, service: serviceName })
    .from(accounts)
    .crossJoin(openDays)
    .crossJoin(slots)
    .where(
      and(
        and(eq(accounts.usernameFolded, username), eq(openDays.providerId, accounts.id)),
        sql`${openDays.localDate} = (
          SELECT local_date FROM open_days
          WHERE provider_id = ${accounts.id} AND local_date BETWEEN ${month} || '-01' AND ${month} || '-31' AND ${hasBookable(now)}
          ORDER BY local_date LIMIT 1)`,
        and(eq(slots.providerId, accounts.id), isOpen(slots), eq(slots.localDate, openDays.localDate)),
        sql`${slots.startsAt} BETWEEN ${openDays.firstAt} AND ${openDays.lastAt} AND ${isBookable('slots', now)}`,
      ),
    )
    .orderBy(asc(slots.startsAt), asc(slots.id))
    .limit(pageSize + 1);
});

const dayAfterMonth = statementBy<{ isService: boolean }, OfMonth>()(
  ({ isService }, { username, service, now, month }) =>
    orm
      .select({ date: openDays.localDate })
      .from(accounts)
      .crossJoin(openDays)
      .where(
        and(
          and(eq(accounts.usernameFolded, username), eq(openDays.providerId, accounts.id)),
          sql`${openDays.localDate} > ${month} || '-31' AND ${hasTimeForOnly(service, isService, now)}`,
        ),
      )
      .orderBy(asc(openDays.localDate))
      .limit(1),
);

/** The times of a month's first free day, or the next free day of a full month. */
async function readMonth(db: Db, view: OfMonth) {
  const [times, [after]] = await db.run(timesOfMonth(view), dayAfterMonth({ isService: view.service !== '' }, view));
  return { times, after: after?.date ?? null };
}

const lastOpenDay = statement<{ username: string; now: Instant }>()(({ username, now }) =>
  orm
    .select({
      date: sql<LocalDate | null>`(SELECT local_date FROM open_days
        WHERE provider_id = ${accounts.id} AND first_at <= ${lastStart(now)} AND ${hasBookable(now)} ORDER BY local_date DESC LIMIT 1)`.as(
        'last_day',
      ),
    })
    .from(accounts)
    .where(eq(accounts.usernameFolded, username)),
);

const planOf = statement<{ username: string }>()(({ username }) =>
  orm
    .select({ plan: completePlan })
    .from(accounts)
    .innerJoin(hours, eq(hours.providerId, accounts.id))
    .where(eq(accounts.usernameFolded, username)),
);

/** A party that its host shows on their page. */
export type ShownParty = Pick<Party, 'id' | 'title' | 'startsAt' | 'endsAt' | 'date' | 'timeZone'>;

const mostParties = 10;

const shownParties = statement<{ username: string; now: Instant }>()(({ username, now }) => {
  const { id, title, startsAt, endsAt, localDate: date, timeZone } = parties;
  return orm
    .select({ id, title, startsAt, endsAt, date, timeZone })
    .from(parties)
    .where(
      and(
        sql`${parties.providerId} = (SELECT id FROM accounts WHERE username_folded = ${username})`,
        eq(parties.kind, 'party'),
        eq(parties.showOnPage, true),
        isNull(parties.deletedAt),
        gt(parties.endsAt, now),
      ),
    )
    .orderBy(asc(parties.startsAt), asc(parties.id))
    .limit(mostParties);
});

/** By default the first free day. */
type PageQuery = { username: string; dates?: LocalDate[]; month?: Month; service?: string; page: number };

type ProviderPage = {
  provider: PublicProvider;
  services: OfferedService[]; // in order, with the chosen one; nobody need choose from one
  service: OfferedService | null;
  next: FreeTime | null; // the next free time for the chosen service
  month: Month;
  months: [first: Month, last: Month]; // the first and the last month that can be shown
  days: LocalDate[];
  instead: LocalDate | null; // the next free day after a full month, else the first of all
  dates: LocalDate[];
  times: FreeTime[];
  isClosed: boolean; // the one chosen day has no times, because the provider's hours want none
  hasMore: boolean;
  parties: ShownParty[]; // those that the provider shows to all, by start
};

/** The weekdays on which the hours have a class. */
const daysOf = ({ id, seats }: Service, plan: Plan | undefined): number[] =>
  seats > 1 && plan ? [...new Set(plan.hours.filter(({ serviceId }) => serviceId === id).map(({ day }) => day))] : [];

const ofFirstOf = (times: FreeTime[]): FreeTime[] => times.filter(({ date }) => date === times[0]?.date);

/**
 * Who a provider is, their next free time, the free days of a month and the times of some of them, in one round trip.
 */
export async function findProviderPage(
  db: Db,
  { username: typed, dates, month, service: serviceId = '', page }: PageQuery,
  now: Instant,
): Promise<ProviderPage | undefined> {
  const username = fold(typed.trim());
  const shownMonth = month ?? (dates?.[0] ? monthOf(dates[0]) : '');
  const inMonth = month && !dates && datesOfMonth(month);
  const [provider, offered, fitting, fittingInMonth, full, [free, days, [last], shown], ofDates, ofMonth, [[own]]] =
    await Promise.all([
      findPublicProvider(db, username, now),
      listOffered(db, username),
      listTimes(db, { provider: username, service: serviceId, dates, page: dates ? page : 0 }, now),
      inMonth ? listTimes(db, { provider: username, service: serviceId, dates: inMonth, page: 0 }, now) : undefined,
      month && !dates ? [] : listFullClasses(db, { provider: username, service: serviceId || undefined, dates }, now),
      db.run(
        upcoming(
          { isService: serviceId !== '', isNext: dates !== undefined },
          { username, service: serviceId, now, atMost: dates ? 1 : pageSize + 1 },
        ),
        // The earliest date that it is anywhere on earth: days before it are over, and not read.
        daysOfMonth(
          { isService: serviceId !== '' },
          { username, earliest: todayIn('Etc/GMT+12', now), now, month: shownMonth, service: serviceId },
        ),
        lastOpenDay({ username, now }),
        shownParties({ username, now }),
      ),
      dates && listFreeTimes(db, { provider: username, dates, page }, now),
      !dates && month && readMonth(db, { username, service: serviceId, now, month }),
      db.run(planOf({ username })),
    ]);
  if (!provider) return undefined;
  const services = offered.map((service) => ({ ...service, days: daysOf(service, own?.plan) }));
  const service = chosenService(services, serviceId);
  const times = fitting.rows.map(freeTimeOf);
  const soon = service && !dates ? times : free;
  const next = soon[0] ?? null;
  const ofFirstDay = ofMonth
    ? service
      ? ofFirstOf(fittingInMonth?.rows.map(freeTimeOf) ?? [])
      : ofMonth.times
    : ofFirstOf(soon);
  const open = !ofDates ? pageOf(ofFirstDay) : service ? { ...fitting, rows: times } : ofDates;
  // Without chosen days the first day is shown, with the full classes of two weeks.
  const { times: rows, hasMore } = withFullClasses(open, full, { dates, page: dates ? page : 0 });
  const firstDay = ofMonth ? ofFirstDay[0]?.date : next?.date;
  const thisMonth = monthOf(todayIn(provider.timeZone, now));
  const firstMonth = next ? monthOf(next.date) : thisMonth;
  return {
    provider,
    services,
    service,
    next,
    month: shownMonth || firstMonth,
    // A month without free days has days that people may wait for.
    months: [provider.waitlist === 'on' ? thisMonth : firstMonth, next && last?.date ? monthOf(last.date) : firstMonth],
    days: days.map(({ date }) => date),
    instead: ofMonth && days.length === 0 ? (ofMonth.after ?? next?.date ?? null) : null,
    dates: dates ?? (firstDay ? [firstDay] : []),
    times: rows,
    isClosed: rows.length === 0 && own !== undefined && dates?.length === 1 && isClosedOn(own.plan, dates[0] ?? ''),
    hasMore,
    parties: shown,
  };
}
