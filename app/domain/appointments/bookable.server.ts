import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { accounts } from '../../../db/schema';
import { day, type Instant, minute } from '../time/clock';

/*
 * Which open slots can be booked, by the rules of their provider. Lists, days, pages, counts, booking and moving all ask
 * here, so that nothing is listed that can't be booked, and nothing can be booked that is not listed.
 */

type Now = Placeholder | Instant | SQL;

/** SQL: the provider's row. In `FROM` it has this name. */
type Provider = SQLWrapper;

/** Later than anything starts. */
const never = sql.raw(String(Number.MAX_SAFE_INTEGER));

/** SQL: the first start that can be booked of this provider: after now, and not before their notice is over. */
export const firstStart = (now: Now, provider: Provider = accounts): SQL =>
  sql`(${now} + max(1, ${provider}.notice * ${sql.raw(String(minute))}))`;

/** SQL: the last start that can be booked of this provider. */
export const lastStart = (now: Now, provider: Provider = accounts): SQL =>
  sql`coalesce(${now} + ${provider}.horizon_days * ${sql.raw(String(day))}, ${never})`;

/** SQL: a slot of this provider that starts then is neither too near nor too far ahead. */
export const isInTime = (startsAt: SQLWrapper, now: Now, provider: Provider = accounts): SQL =>
  sql`(${startsAt} >= ${firstStart(now, provider)} AND ${startsAt} <= ${lastStart(now, provider)})`;

/** SQL: the same where the provider's row is not at hand. */
export const isInTimeOf = (providerId: SQL, startsAt: SQL, now: Now): SQL =>
  sql`EXISTS (SELECT 1 FROM accounts AS ruler WHERE ruler.id = ${providerId} AND ${isInTime(startsAt, now, sql`ruler`)})`;

/** SQL: on this row of open_days, of the provider in `accounts`, some open slot can be booked. */
export const hasBookable = (now: Now): SQL => sql`(
  open_days.last_at >= ${firstStart(now)} AND (open_days.last_at <= ${lastStart(now)} OR EXISTS (
    SELECT 1 FROM slots AS near WHERE near.provider_id = open_days.provider_id AND near.status = 0
      AND near.starts_at >= max(open_days.first_at, ${firstStart(now)}) AND near.starts_at <= ${lastStart(now)}
      AND near.local_date = open_days.local_date)))`;

/** Which rule of the provider keeps somebody from booking. */
export type BrokenRule = 'notice' | 'horizonDays' | 'perPerson' | 'perDay';

const twoDays = sql.raw(String(2 * day));

/**
 * SQL: the first rule by which this account can't book a slot, or null. Conditions of the query name the slot `slots`.
 * @param except a slot whose booking does not count, because it is given up for this one
 */
export const brokenRule = (
  provider: SQL,
  { accountId, now, except }: { accountId: Placeholder | SQL; now: Now; except: Placeholder | string },
): SQL<BrokenRule | null> => sql`CASE
    WHEN slots.starts_at < ${firstStart(now, provider)} THEN 'notice'
    WHEN slots.starts_at > ${lastStart(now, provider)} THEN 'horizonDays'
    WHEN ${provider}.per_person IS NOT NULL AND ${provider}.per_person <= (
      SELECT count(*) FROM bookings AS mine JOIN slots AS held ON held.id = mine.slot_id
      WHERE mine.booker_id = ${accountId} AND mine.is_canceled = 0 AND mine.starts_at > ${now}
        AND held.provider_id = slots.provider_id AND held.id <> ${except}) THEN 'perPerson'
    WHEN ${provider}.per_day IS NOT NULL AND ${provider}.per_day <= (
      SELECT count(*) FROM slots AS taken
      WHERE taken.provider_id = slots.provider_id AND taken.status = 1
        AND taken.starts_at BETWEEN slots.starts_at - ${twoDays} AND slots.starts_at + ${twoDays}
        AND taken.local_date = slots.local_date AND taken.id <> ${except}) THEN 'perDay' END`;
