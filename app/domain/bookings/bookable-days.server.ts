import { type SQL, sql } from 'drizzle-orm';
import { accounts } from '../../../db/schema';
import { isNotBusy, isOpen } from '../../../db/states';
import {
  firstStart,
  hasRoom,
  isBookable,
  isCountedClass,
  lastStart,
  type Now,
  type TakesWhenFull,
} from './rules.server';

// The rules of rules.server.ts for a whole day, so that a calendar reads one row of `open_days` for most days, and few slots for the rest.

/** SQL: the start of the day's last open slot that is not busy; 0 if all are busy. */
const lastFree = sql.raw('coalesce(open_days.free_at, open_days.last_at)');

/** SQL: the provider has a service that is switched off, whose slots are still open. An index makes this cheap. */
const hasSwitchedOff = sql.raw(
  'EXISTS (SELECT 1 FROM services AS off WHERE off.provider_id = open_days.provider_id AND off.is_offered = 0)',
);

/**
 * SQL: the provider in `accounts` has a slot that people can book, on the day of this row of open_days.
 * @param takesWhenFull as in isBookable
 */
export const hasBookable = (now: Now, takesWhenFull?: TakesWhenFull): SQL => sql`(
  ${lastFree} >= ${firstStart(now)} AND (${hasRoom(sql`open_days.local_date`, accounts, takesWhenFull)} OR EXISTS (
    SELECT 1 FROM slots AS near WHERE near.provider_id = open_days.provider_id AND ${isOpen('near')} AND ${isNotBusy('near')}
      AND near.starts_at BETWEEN max(open_days.first_at, ${firstStart(now)}) AND open_days.last_at
      AND near.local_date = open_days.local_date AND ${isCountedClass('near')}))
  AND (${lastFree} <= ${lastStart(now)} OR EXISTS (
    SELECT 1 FROM slots AS near WHERE near.provider_id = open_days.provider_id AND ${isOpen('near')} AND ${isNotBusy('near')}
      AND near.starts_at >= max(open_days.first_at, ${firstStart(now)}) AND near.starts_at <= ${lastStart(now)}
      AND near.local_date = open_days.local_date))
  AND (NOT ${hasSwitchedOff} OR EXISTS (
    SELECT 1 FROM slots AS near WHERE near.provider_id = open_days.provider_id AND ${isOpen('near')}
      AND near.starts_at BETWEEN max(open_days.first_at, ${firstStart(now)}) AND open_days.last_at
      AND near.local_date = open_days.local_date AND ${isBookable('near', now, accounts, takesWhenFull)})))`;

/** SQL: as hasBookable, for the provider, whom no rule limits. */
export const hasNotBusy = (now: Now): SQL => sql`${lastFree} > ${now}`;
