import { type SQL, sql } from 'drizzle-orm';
import { freshId } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { slots } from '../../../db/schema';
import { isFull, isOpen, isPublished, isWithdrawn, literal, madeBy, stands } from '../../../db/states';
import { isBusyWithin } from '../slots/busy-times.server';
import type { Instant } from '../time/clock';
import { longest } from '../time/longest';
import type { Stretch } from './lengths.server';
import { isOverlapping } from './slot-with-service.server';
import { isOutsideOfHours } from './within-hours.server';

// A provider may book a time that nobody published. Its slot is made along with the booking and goes with it, as a slot
// does that hours want no longer. What the provider had withdrawn there is withdrawn again when the booking ends: `withdrawnAt` of
// the slots that it takes says so.

/** SQL: the slot overlaps the stretch, with the gap after it. */
const overlapping = ({ provider, start, takenUntil }: Stretch) =>
  isOverlapping({ provider, start, end: takenUntil }, 'slots.');

/** SQL: something is booked or held in the stretch. */
export const isTaken = (stretch: Stretch): SQL => sql`(
  EXISTS (SELECT 1 FROM slots WHERE ${overlapping(stretch)} AND (${isFull('slots')} OR slots.taken > 0))
  OR EXISTS (SELECT 1 FROM bookings AS other WHERE other.provider_id = ${stretch.provider} AND ${stands('other')}
    AND other.starts_at BETWEEN ${stretch.start} - ${literal(longest.appointmentWithGap)} AND ${stretch.takenUntil} - 1
    AND other.taken_until > ${stretch.start}))`;

/** SQL: an open time overlaps the stretch, other than one of just its length that is for anything. */
export const isOverOpen = (stretch: Stretch): SQL => sql`EXISTS (SELECT 1 FROM slots
  WHERE ${overlapping(stretch)} AND ${isOpen('slots')}
    AND NOT (slots.seats = 1 AND slots.service_id IS NULL AND slots.starts_at = ${stretch.start} AND slots.ends_at = ${stretch.end}))`;

/** SQL: the busy times and own events in the stretch, each with its name, as a JSON list. */
export const busyIn = ({ provider, start, end }: Stretch): SQL<string> => sql`(
  SELECT json_group_array(json_array(name, is_event)) FROM (
    SELECT DISTINCT busy_feeds.name, 0 AS is_event FROM busy_times CROSS JOIN busy_feeds
      ON busy_feeds.provider_id = busy_times.provider_id AND busy_feeds.id = busy_times.source
    WHERE busy_times.provider_id = ${provider} AND ${isBusyWithin(start, end)}
    UNION ALL SELECT title, 1 FROM parties
    WHERE parties.provider_id = ${provider} AND parties.deleted_at IS NULL AND parties.starts_at < ${end} AND parties.ends_at > ${start}))`;

type StretchOfDay = Stretch & { date: SQL; from: SQL; until: SQL };

/** SQL: the stretch is outside of the hours, or overlaps something of the provider's. They are told before they book it. */
export const isOutsideOrBusy = (asked: StretchOfDay): SQL =>
  sql`(${isOutsideOfHours(asked)} OR ${busyIn(asked)} <> '[]')`;

/**
 * SQL: this open slot can't be part of a booking in the stretch: it begins before it, or is for a service or a class. Others in the
 * stretch are taken by the booking, and open again without it.
 */
export const isInTheWay = (stretch: Stretch): SQL => sql`(${overlapping(stretch)} AND slots.taken = 0
  AND ${isOpen('slots')} AND (slots.starts_at < ${stretch.start} OR slots.seats > 1 OR slots.service_id IS NOT NULL))`;

/** SQL: this slot begins in the stretch and was withdrawn. */
export const isWithdrawnIn = ({ provider, start, end }: Stretch): SQL =>
  sql`(slots.provider_id = ${provider} AND slots.starts_at >= ${start} AND slots.starts_at < ${end} AND ${isWithdrawn('slots')})`;

/** SQL: something that was withdrawn overlaps the stretch. */
const isOverWithdrawn = (stretch: Omit<Stretch, 'takenUntil'>) =>
  sql`EXISTS (SELECT 1 FROM slots WHERE ${isOverlapping(stretch, 'slots.')} AND ${isWithdrawn('slots')})`;

type Made = Omit<Stretch, 'takenUntil'> & { date: SQL; zone: SQL | string; now: SQL | Instant };

/**
 * Makes slots for bookings that follow in the same transaction. They replace what was withdrawn there.
 * @param from SQL: FROM and WHERE; `provider` is the account
 */
export const makeSlots = (
  { provider, start, end, date, zone, now }: Made,
  from: SQL,
  publication: string | null = null,
) =>
  insertFrom(
    slots,
    {
      providerId: provider,
      startsAt: start,
      id: freshId(provider, start),
      endsAt: end,
      city: sql`provider.city`,
      localDate: date,
      timeZone: zone,
      publication,
      madeBy: madeBy.formerHours,
      withdrawnAt: sql`iif(${isOverWithdrawn({ provider, start, end })}, ${now}, NULL)`,
    },
    from,
  );

/** SQL: where the slot ends that a booking of the stretch begins with: at the next open one, which is taken too. */
export const endOfFirst = ({ provider, start, end }: Stretch): SQL => sql`coalesce((
  SELECT min(next.starts_at) FROM slots AS next
  WHERE next.provider_id = ${provider} AND next.starts_at > ${start} AND next.starts_at < ${end} AND ${isPublished('next')}), ${end})`;
