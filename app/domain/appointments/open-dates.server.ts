import { and, asc, eq, gte, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, openDays } from '../../../db/schema';
import { orm, statementBy } from '../../../db/statement';
import { fold } from '../input/fold';
import type { Instant, LocalDate } from '../time/clock';
import { todayIn } from '../time/zones';
import { hasBookable } from './bookable.server';

type OfProvider = { provider: string; earliest: string; now: Instant };
/** @param isBeside `provider` is the id of a slot of theirs, not their username */
const openDates = statementBy<{ isBeside: boolean }, OfProvider>()(({ isBeside }, { provider, earliest, now }) =>
  orm
    .select({ date: openDays.localDate })
    .from(accounts)
    .crossJoin(openDays)
    .where(
      and(
        isBeside
          ? sql`${accounts.id} = (SELECT provider_id FROM slots WHERE id = ${provider})`
          : eq(accounts.usernameFolded, provider),
        eq(openDays.providerId, accounts.id),
        gte(openDays.localDate, earliest),
        hasBookable(now),
      ),
    )
    .orderBy(asc(openDays.localDate)),
);

/** Lists the provider's local dates that have an open slot that can be booked, ascending. */
export async function listOpenDates(db: Db, provider: string, now: Instant): Promise<LocalDate[]> {
  const [rows] = await db.run(openDates({ isBeside: false }, { provider: fold(provider.trim()), ...since(now) }));
  return rows.map(({ date }) => date);
}

/** The same for the provider whose slot this is. */
export async function listDatesBeside(db: Db, slotId: string, now: Instant): Promise<LocalDate[]> {
  const [rows] = await db.run(openDates({ isBeside: true }, { provider: slotId, ...since(now) }));
  return rows.map(({ date }) => date);
}

/** Days before the earliest date on earth are over: skip them. */
const since = (now: Instant) => ({ earliest: todayIn('Etc/GMT+12', now), now });
