import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { slots } from '../../../db/schema';
import { isOpen } from '../../../db/states';
import { type AskingSql, whyNot } from '../bookings/claimable.server';
import { columnsOfService, slotWithService } from '../bookings/slot-with-service.server';
import { day, type Instant } from '../time/clock';
import type { NearTime } from './series';

// A time must be nearer to this date than to the next one.
const searchWindow = sql.raw(String(3 * day));
/** The most other times to show for a date. */
const mostNearTimes = 3;

/** SQL: up to three times before or after `wanted` that can be booked with `provider`, the nearest first. */
export const nearestOf = (isBefore: boolean, asking: AskingSql, service: Placeholder | SQL | null) => sql`(
  SELECT json_group_array(json_object('id', near_id, 'startsAt', near_start, 'endsAt', near_end)) FROM (
    SELECT slots.id AS near_id, slots.starts_at AS near_start, ${service === null ? slots.endsAt : columnsOfService.endsAt} AS near_end
    FROM ${slotWithService(service)}
    WHERE slots.provider_id = provider.id AND ${isOpen('slots')} AND ${whyNot(asking, service)} IS NULL
      AND ${
        isBefore
          ? sql`slots.starts_at < (wanted.value ->> 0) AND slots.starts_at > (wanted.value ->> 0) - ${searchWindow}`
          : sql`slots.starts_at > (wanted.value ->> 0) AND slots.starts_at < (wanted.value ->> 0) + ${searchWindow}`
      }
    ORDER BY slots.starts_at ${sql.raw(isBefore ? 'DESC' : '')} LIMIT ${sql.raw(String(mostNearTimes))}))`;

/** The nearest times before and after, the nearest first. */
export const nearTimes = (at: Instant, times: NearTime[]): NearTime[] =>
  times.sort((one, other) => Math.abs(one.startsAt - at) - Math.abs(other.startsAt - at)).slice(0, mostNearTimes);
