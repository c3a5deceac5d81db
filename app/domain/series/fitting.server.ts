import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { hasNoSeat } from '../bookings/claim.server';
import { unfit } from '../bookings/claimable.server';
import { brokenRule } from '../bookings/rules.server';

type Value = Placeholder | SQL;
type Given = { now: Value; people: Value; accountId: Value };

/**
 * SQL: the account can book this slot as part of a series. The query must name `provider` and `service`. A provider is
 * not bound by rules.
 */
export const fitsFor = (
  { now, people, accountId }: Given,
  { isForSomeone, service }: { isForSomeone: boolean; service: Value | null },
): SQL => sql`(slots.state = 0 AND slots.starts_at > ${now} AND slots.taken + ${people} <= slots.seats
  AND ${unfit(service)} IS NULL AND ${hasNoSeat(accountId)}
  AND ${isForSomeone ? sql`true` : sql`${brokenRule(sql`provider`, { accountId, now })} IS NULL`})`;
