import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { isNotBusy, isOpen, isWithdrawn } from '../../../db/states';
import { minute } from '../time/clock';

// A service may be longer than one slot. slots/fits.ts decides the same for a list of slots in memory.

/** A time of a provider. Nothing else of theirs may begin before `takenUntil`, which includes the service's gap. */
export type Stretch = { provider: SQL; start: SQL; end: SQL; takenUntil: SQL };

/** SQL: the pause between two slots of this provider's hours, in milliseconds. */
export const pauseOf = (provider: SQLWrapper): SQL =>
  sql`coalesce((SELECT plan ->> 'gap' FROM hours WHERE hours.provider_id = ${provider}) * ${sql.raw(String(minute))}, 0)`;

/**
 * SQL: the whole time is free, and no pause between its slots is longer than in the provider's hours.
 * @param own SQL: the slot `run` counts as free, because the booking that moves already has it
 */
export const isFreeThroughout = ({ provider, start, end, takenUntil }: Stretch, own: SQL = sql`0`): SQL => {
  const isFree = sql`(${isOpen('run')} AND ${isNotBusy('run')} AND run.seats = 1 AND run.service_id IS NULL OR ${own})`;
  const next = sql`(SELECT next.starts_at - run.ends_at FROM slots AS next
    WHERE next.provider_id = run.provider_id AND next.starts_at >= run.ends_at ORDER BY next.starts_at LIMIT 1)`;
  return sql`(SELECT min(iif(run.starts_at < ${end},
        ${isFree} AND (run.ends_at >= ${end} OR ifnull(${next} <= ${pauseOf(sql`run.provider_id`)}, 0)),
        ${isWithdrawn('run')} OR ${isFree}))
      AND max(iif(run.starts_at < ${end}, run.ends_at, 0)) >= ${end}
    FROM slots AS run WHERE run.provider_id = ${provider} AND run.starts_at >= ${start} AND run.starts_at < ${takenUntil})`;
};
