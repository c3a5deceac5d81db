import { and, asc, eq, gte } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, openDays } from '../../../db/schema';
import { orm, statementBy } from '../../../db/statement';
import { hasBookable } from '../bookings/bookable-days.server';
import { firstStart } from '../bookings/rules.server';
import { fold } from '../input/fold';
import type { Instant, LocalDate } from '../time/clock';
import { todayIn } from '../time/zones';
import { hasTimeFor } from './times.server';

type OfProvider = { provider: string; earliest: string; service: string; now: Instant };
const openDates = statementBy<{ isService: boolean }, OfProvider>()(
  ({ isService }, { provider, earliest, service, now }) =>
    orm
      .select({ date: openDays.localDate })
      .from(accounts)
      .crossJoin(openDays)
      .where(
        and(
          eq(accounts.usernameFolded, provider),
          eq(openDays.providerId, accounts.id),
          gte(openDays.localDate, earliest),
          isService ? and(gte(openDays.lastAt, firstStart(now)), hasTimeFor(service, now)) : hasBookable(now),
        ),
      )
      .orderBy(asc(openDays.localDate)),
);

/** Lists the local dates on which a slot can be booked, or a service can begin, in order. */
export async function listOpenDates(
  db: Db,
  provider: string,
  now: Instant,
  service: string | null = null,
): Promise<LocalDate[]> {
  const values = { provider: fold(provider.trim()), service: service ?? '', ...since(now) };
  const [rows] = await db.run(openDates({ isService: service !== null }, values));
  return rows.map(({ date }) => date);
}

// Skips days that are over everywhere on earth.
const since = (now: Instant) => ({ earliest: todayIn('Etc/GMT+12', now), now });
