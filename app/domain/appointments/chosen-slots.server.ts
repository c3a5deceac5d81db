import { type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../accounts/accounts';
import type { Instant, LocalDate } from '../time/clock';
import { status } from './status';

/** Slots of a provider's own: some, all of one day, all of one publication, or all. */
export type Choice = { ids: string[] } | { date: LocalDate | SQL } | { publication: string | SQL } | 'all';

/**
 * SQL: the provider's slot is open and of this day. `open_days` has the first and the last start of the day's open slots, so
 * those of other days are not read.
 */
export const isOpenOn = (provider: unknown, date: unknown): SQL => {
  const end = (which: 'first_at' | 'last_at') =>
    sql`(SELECT ${sql.identifier(which)} FROM open_days WHERE provider_id = ${provider} AND local_date = ${date})`;
  return sql`provider_id = ${provider} AND status = 0 AND local_date = ${date}
    AND starts_at BETWEEN ${end('first_at')} AND ${end('last_at')}`;
};

/** SQL: the actor's slots of that state and choice that have not begun. */
export function isChosen({ accountId }: Actor, which: Choice, state: 0 | 2, now: Instant): SQL {
  if (which !== 'all' && 'ids' in which) {
    // Of all that the provider has open, read these alone: the pluses keep SQLite from the provider's index.
    return sql`id IN (SELECT value FROM json_each(${JSON.stringify(which.ids)}))
      AND +provider_id = ${accountId} AND +status = ${sql.raw(String(state))} AND +starts_at > ${now}`;
  }
  const own = sql`provider_id = ${accountId} AND status = ${sql.raw(String(state))} AND starts_at > ${now}`;
  if (which === 'all') return own;
  if ('publication' in which) return sql`${own} AND publication = ${which.publication}`;
  if (state === status.canceled) return sql`${own} AND local_date = ${which.date}`;
  return sql`${isOpenOn(accountId, which.date)} AND starts_at > ${now}`;
}
