import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { hasNoSeat } from '../bookings/claim.server';
import { unfit } from '../bookings/claimable.server';
import { brokenRule } from '../bookings/rules.server';

type Value = Placeholder | SQL;
type Given = { now: Value; people: Value; accountId: Value };

/**
 * SQL: the account can book this slot in a series. The query names `provider` and `service`. No rule binds a provider.
 */
export const fitsFor = (
  { now, people, accountId }: Given,
  { isForSomeone, service }: { isForSomeone: boolean; service: Value | null },
): SQL => sql`(slots.state = 0 AND slots.starts_at > ${now} AND slots.taken + ${people} <= slots.seats
  AND ${unfit(service)} IS NULL AND ${hasNoSeat(accountId)}
  AND ${isForSomeone ? sql`true` : sql`${brokenRule(sql`provider`, { accountId, now, except: sql`''` })} IS NULL`})`;
