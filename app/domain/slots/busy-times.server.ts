import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { busyFeeds, busyTimes, parties } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBusy, literal } from '../../../db/states';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { longest } from '../time/longest';

type At = Placeholder | Instant;

/** SQL: something overlaps the span. It began no longer before than busy time may last. */
export const isBusyWithin = (from: unknown, until: unknown) =>
  sql`${busyTimes.startsAt} > ${from} - ${literal(longest.busyTime)} AND ${busyTimes.startsAt} < ${until} AND ${busyTimes.endsAt} > ${from}`;

/** Selects what keeps a provider busy within a span, by start. `name` is null unless it is a party or meetup. */
export const selectBusyTimes = (providerId: Placeholder | string, from: At, until: At) =>
  orm
    .select({
      source: busyTimes.source,
      startsAt: sql<Instant>`${busyTimes.startsAt}`.as('busy_from'),
      endsAt: sql<Instant>`${busyTimes.endsAt}`.as('busy_until'),
      name: sql<string | null>`${parties.title}`.mapWith(parties.title).as('busy_with'),
      calendar: sql<string | null>`${busyFeeds.name}`.as('busy_calendar'),
      readAt: sql<Instant | null>`${busyFeeds.readAt}`.as('busy_read_at'),
      failure: busyFeeds.failure,
      doubts: busyFeeds.doubts,
    })
    .from(busyTimes)
    .leftJoin(parties, sql`${parties.id} = ${busyTimes.source}`)
    .leftJoin(
      busyFeeds,
      sql`${busyFeeds.providerId} = ${busyTimes.providerId} AND ${busyFeeds.id} = ${busyTimes.source}`,
    )
    .where(sql`${busyTimes.providerId} = ${providerId} AND ${isBusyWithin(from, until)}`)
    .orderBy(busyTimes.startsAt, busyTimes.source);

/** The name of what overlaps a slot, as the actor reads it: a colleague reads only that it is something. */
export const busyNameFor = ({ memberId }: Actor, name: string | null) => (memberId && name !== null ? '' : name);

/** SQL: the name of what overlaps the slot, blank if it has none; null if the slot is not busy. */
export const busyWith = sql<string | null>`iif(${isBusy('slots')}, (
  SELECT coalesce(parties.title, '') FROM busy_times LEFT JOIN parties ON parties.id = busy_times.source
  WHERE busy_times.provider_id = slots.provider_id AND ${isBusyWithin(sql`slots.starts_at`, sql`slots.ends_at`)}
  ORDER BY busy_times.starts_at, busy_times.source LIMIT 1), NULL)`;

/** SQL: the busy time is that of this party or meetup. */
export const isTimeOfEvent = (event: SQL): SQL =>
  sql`provider_id = ${event}.provider_id AND starts_at >= ${event}.starts_at AND starts_at < ${event}.ends_at AND source = ${event}.id`;
