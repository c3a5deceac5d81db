import { type SQL, sql } from 'drizzle-orm';
import { hasIdAmong } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { slots } from '../../../db/schema';
import { isHeld, isOpen, isWithdrawn } from '../../../db/states';
import { isOnlyHeld } from '../bookings/conditions.server';
import type { Actor } from '../profile/accounts';
import type { Instant, LocalDate } from '../time/clock';

export type Choice = { ids: string[] } | { date: LocalDate | SQL } | { publication: string | SQL } | 'all';

/** SQL: the slot is open and on this day. The bounds from `open_days` keep SQLite from reading slots of other days. */
export const isOpenOn = (provider: unknown, date: unknown): SQL => {
  const end = (column: 'first_at' | 'last_at') =>
    sql`(SELECT ${sql.identifier(column)} FROM open_days WHERE provider_id = ${provider} AND local_date = ${date})`;
  return sql`slots.provider_id = ${provider} AND ${isOpen('slots')} AND slots.local_date = ${date}
    AND slots.starts_at BETWEEN ${end('first_at')} AND ${end('last_at')}`;
};

const withState = {
  open: isOpen('slots'),
  held: sql`slots.starts_at IN (SELECT held.starts_at FROM bookings AS held
    WHERE held.provider_id = slots.provider_id AND ${isHeld('held')}) AND ${isOnlyHeld}`,
  withdrawn: isWithdrawn('slots'),
};

/** SQL: the slot is the actor's, has this state, is among the chosen ones and has not begun. */
export function isChosen({ accountId }: Actor, choice: Choice, state: keyof typeof withState, now: Instant): SQL {
  const own = sql`${ownedBy(accountId)} AND ${withState[state]} AND starts_at > ${now}`;
  if (choice === 'all') return own;
  if ('ids' in choice) return sql`${hasIdAmong(slots, sql`${JSON.stringify(choice.ids)}`)} AND ${own}`;
  if ('publication' in choice) return sql`${own} AND publication IS ${choice.publication}`;
  if (state !== 'open') return sql`${own} AND local_date = ${choice.date}`;
  return sql`${isOpenOn(accountId, choice.date)} AND starts_at > ${now}`;
}
