import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, openDays, parties, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { findPublicProvider, type PublicProvider } from '../accounts/providers.server';
import { pageOf, pageSize } from '../input/fields';
import { fold } from '../input/fold';
import type { Party } from '../parties/parties';
import type { Instant, LocalDate } from '../time/clock';
import { type Month, monthOf } from '../time/month';
import { todayIn } from '../time/zones';
import { isIn, openColumns } from './appointments.server';
import { hasBookable, isInTime, lastStart } from './bookable.server';
import { type FreeTime, listFreeTimes } from './open-slots.server';
import { status } from './status';

/* What whoever has a provider's link sees of their time. */

const upcoming = statement<{ username: string; now: Instant; atMost: number }>()(({ username, now, atMost }) => {
  const { id, startsAt, endsAt, date, timeZone } = openColumns;
  return orm
    .select({ id, startsAt, endsAt, date, timeZone })
    .from(accounts)
    .crossJoin(slots)
    .where(
      and(
        eq(accounts.usernameFolded, username),
        eq(slots.providerId, accounts.id),
        isIn(status.open),
        isInTime(slots.startsAt, now),
      ),
    )
    .orderBy(asc(slots.startsAt), asc(slots.id))
    .limit(atMost);
});

/** The open days of one month; where none is named, of the first month that has some. */
const daysOfMonth = statement<{ username: string; earliest: LocalDate; now: Instant; month: Month }>()(
  ({ username, earliest, now, month }) => {
    const wanted = sql`coalesce(nullif(${month}, ''), (
      SELECT substr(local_date, 1, 7) FROM open_days
      WHERE provider_id = ${accounts.id} AND local_date >= ${earliest} AND ${hasBookable(now)}
      ORDER BY local_date LIMIT 1))`;
    return orm
      .select({ date: openDays.localDate })
      .from(accounts)
      .crossJoin(openDays)
      .where(
        and(
          and(eq(accounts.usernameFolded, username), eq(openDays.providerId, accounts.id)),
          sql`${openDays.localDate} BETWEEN max(${wanted} || '-01', ${earliest}) AND ${wanted} || '-31'`,
          hasBookable(now),
        ),
      )
      .orderBy(asc(openDays.localDate));
  },
);

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

/** A party that its host shows on their page. */
export type ShownParty = Pick<Party, 'id' | 'title' | 'startsAt' | 'endsAt' | 'date' | 'timeZone'>;

/** How many parties the page lists. */
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

/** What is asked of a provider's page: some days, and the month to show. Nothing shows the first free day. */
type Wanted = { username: string; dates?: LocalDate[]; month?: Month; page: number };

/** A provider with their free time. */
export type ProviderPage = {
  provider: PublicProvider;
  /** The next free time; null where there is none. */
  next: FreeTime | null;
  month: Month;
  /** The first and the last month that can be turned to. */
  months: [first: Month, last: Month];
  /** The free days of that month. */
  days: LocalDate[];
  /** The days whose times are shown. */
  dates: LocalDate[];
  times: FreeTime[];
  hasMore: boolean;
  /** The parties that the provider shows to all, by start. */
  parties: ShownParty[];
};

/**
 * A provider's page: who they are, their next free time, the free days of a month and the times of some of them, in one
 * round trip. Undefined where there is no such provider.
 */
export async function findProviderPage(
  db: Db,
  { username: typed, dates, month, page }: Wanted,
  now: Instant,
): Promise<ProviderPage | undefined> {
  const username = fold(typed.trim());
  const shownMonth = month ?? (dates?.[0] ? monthOf(dates[0]) : '');
  const [provider, [soon, days, [last], shown], ofDates] = await Promise.all([
    findPublicProvider(db, username, now),
    db.run(
      upcoming({ username, now, atMost: dates ? 1 : pageSize + 1 }),
      // The earliest date that it is anywhere on earth: days before it are over, and not read.
      daysOfMonth({ username, earliest: todayIn('Etc/GMT+12', now), now, month: shownMonth }),
      lastOpenDay({ username, now }),
      shownParties({ username, now }),
    ),
    dates && listFreeTimes(db, { provider: username, dates, page }, now),
  ]);
  if (!provider) return undefined;
  const next = soon[0] ?? null;
  const ofFirstDay = soon.filter(({ date }) => date === next?.date);
  const { rows, hasMore } = ofDates ?? pageOf(ofFirstDay);
  const thisMonth = monthOf(todayIn(provider.timeZone, now));
  const firstMonth = next ? monthOf(next.date) : thisMonth;
  return {
    provider,
    next,
    month: shownMonth || firstMonth,
    months: [firstMonth, next && last?.date ? monthOf(last.date) : firstMonth],
    days: days.map(({ date }) => date),
    dates: dates ?? (next ? [next.date] : []),
    times: rows,
    hasMore,
    parties: shown,
  };
}
