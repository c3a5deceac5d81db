import { createHash } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, busyFeeds } from '../../../db/schema';
import { type Built, orm } from '../../../db/statement';
import { isOpen, isToCome } from '../../../db/states';
import { endBrokenHolds, runAfterHolds } from '../bookings/holds.server';
import type { Seals } from '../seals.server';
import { isBusyWithin } from '../slots/busy-times.server';
import { day, type Instant } from '../time/clock';
import { startOfDay, todayIn } from '../time/zones';
import type { FeedFailure, FeedRequest, Fetched } from './feeds';
import { purposeOf } from './feeds.server';
import { type Reading, readCalendar } from './reading';

/** An unchanged calendar is still read in full once a day, because each day the window moves on by a day. */
const readInFullAfter = day;
const toldAfter = day;

type Refreshing = {
  seals: Seals;
  ask: (request: FeedRequest) => Promise<Fetched>;
  clock: () => Instant;
};

const selectFeeds = (providerId: string) =>
  orm
    .select({
      providerId: busyFeeds.providerId,
      id: busyFeeds.id,
      name: busyFeeds.name,
      sealed: busyFeeds.sealed,
      etag: busyFeeds.etag,
      lastModified: busyFeeds.lastModified,
      digest: busyFeeds.digest,
      addedAt: busyFeeds.addedAt,
      readAt: busyFeeds.readAt,
      fullAt: busyFeeds.fullAt,
      failure: busyFeeds.failure,
      toldAt: busyFeeds.toldAt,
      timeZone: accounts.timeZone,
    })
    .from(busyFeeds)
    .innerJoin(accounts, sql`${accounts.id} = ${busyFeeds.providerId}`)
    .where(sql`${busyFeeds.providerId} = ${providerId}`);
type Feed = Awaited<ReturnType<typeof selectFeeds>>[number];

/** SQL: the calendar still has the address from which we read. */
const hasSameAddress = ({ providerId, id, sealed }: Feed) =>
  sql`EXISTS (SELECT 1 FROM busy_feeds WHERE provider_id = ${providerId} AND id = ${id} AND sealed = ${sealed})`;
const isThisFeed = ({ providerId, id, sealed }: Feed) =>
  sql`provider_id = ${providerId} AND id = ${id} AND sealed = ${sealed}`;

/**
 * Reads the provider's other calendars. A calendar that can't be read keeps blocking; after a day its provider gets a
 * message.
 * @returns whether the provider has such calendars, and whether they have slots that could be blocked
 */
export async function refreshBusyTimes(
  db: Db,
  providerId: string,
  refreshing: Refreshing,
  { isUrgent }: { isUrgent: boolean },
): Promise<{ hasFeeds: boolean; hasTimes: boolean }> {
  const { feeds, coming } = await db.run({
    feeds: selectFeeds(providerId),
    coming: orm
      .select({ one: sql`1`.as('one') })
      .from(accounts)
      .where(sql`id = ${providerId} AND EXISTS (
      SELECT 1 FROM slots WHERE provider_id = ${providerId} AND ${isOpen()} AND starts_at > ${refreshing.clock()})`),
  });
  const hasTimes = coming.length > 0;
  if (isUrgent || hasTimes) {
    const outcomes = await Promise.all(feeds.map((feed) => refresh(db, feed, refreshing)));
    await noteUnchanged(db, providerId, outcomes, refreshing.clock());
  }
  return { hasFeeds: feeds.length > 0, hasTimes };
}

/** @returns the feed where it is unchanged, which is yet to be noted */
async function refresh(db: Db, feed: Feed, { seals, ask, clock }: Refreshing): Promise<Feed | null> {
  const address = seals.open(purposeOf(feed.providerId, feed.id), feed.sealed);
  if (!address) return noteFailure(db, feed, 'sealed', clock());
  const isFull = feed.fullAt === null || feed.fullAt <= clock() - readInFullAfter;
  const { etag, lastModified } = isFull ? { etag: null, lastModified: null } : feed;
  const fetched = await ask({ address, etag, lastModified });
  const now = clock();
  if (fetched.kind === 'failed') return noteFailure(db, feed, fetched.why, now);
  if (fetched.kind === 'unchanged') return feed;
  // The window begins with the day, so the result stays the same all day.
  const reading = readCalendar(fetched.text, feed.timeZone, startOfDay(todayIn(feed.timeZone, now), feed.timeZone));
  if (typeof reading === 'string') return noteFailure(db, feed, reading, now);
  const digest = createHash('sha256').update(JSON.stringify(reading)).digest('base64url');
  if (digest === feed.digest && !isFull) return feed;
  await store(db, feed, { ...fetched, reading, digest }, now);
  return null;
}

/** One statement for all of a provider's calendars; each costs a row with each reading. */
async function noteUnchanged(db: Db, providerId: string, outcomes: (Feed | null)[], now: Instant): Promise<void> {
  const sealed = outcomes.flatMap((feed) => feed?.sealed ?? []);
  if (sealed.length === 0) return;
  await db.run(
    orm
      .update(busyFeeds)
      .set({ readAt: now, failure: null, toldAt: null })
      .where(and(eq(busyFeeds.providerId, providerId), inArray(busyFeeds.sealed, sealed))),
  );
}

async function noteFailure(db: Db, feed: Feed, failure: FeedFailure, now: Instant): Promise<null> {
  const isDue = feed.toldAt === null && (feed.readAt ?? feed.addedAt) <= now - toldAfter;
  if (failure === feed.failure && !isDue) return null;
  const { providerId, id, name } = feed;
  const statements = [
    ...(isDue
      ? [
          sql`INSERT INTO notices (kind, once, account_id, data, at)
            SELECT 'unread-calendar', ${`${id}:${now}`}, ${providerId}, json_object('name', ${name}), ${now}
            WHERE EXISTS (SELECT 1 FROM busy_feeds WHERE ${isThisFeed(feed)} AND told_at IS NULL)`,
        ]
      : []),
    sql`UPDATE busy_feeds SET failure = ${failure}, told_at = ${isDue ? now : sql`told_at`} WHERE ${isThisFeed(feed)}`,
  ];
  await db.run(...statements.map((text) => orm.run(text) as Built));
  return null;
}

type Stored = { reading: Reading; digest: string; etag: string | null; lastModified: string | null };

const pairs = (spans: { startsAt: Instant; endsAt: Instant }[]) =>
  JSON.stringify(spans.map(({ startsAt, endsAt }) => [startsAt, endsAt]));

async function store(db: Db, feed: Feed, { reading, digest, etag, lastModified }: Stored, now: Instant): Promise<void> {
  const { providerId, id } = feed;
  const { stored } = await db.run({
    stored: orm
      .select({ startsAt: sql<Instant>`starts_at`.as('starts_at'), endsAt: sql<Instant>`ends_at`.as('ends_at') })
      .from(sql`busy_times`)
      .where(sql`provider_id = ${providerId} AND source = ${id}`),
  });
  const keyOf = (span: { startsAt: Instant; endsAt: Instant }) => `${span.startsAt} ${span.endsAt}`;
  const [before, after] = [new Set(stored.map(keyOf)), new Set(reading.busy.map(keyOf))];
  const removed = pairs(stored.filter((span) => !after.has(keyOf(span))));
  const added = pairs(reading.busy.filter((span) => !before.has(keyOf(span))));
  const { events, doubts } = reading;
  const statements = [
    // Tells the provider once about a booking that another calendar overlaps.
    sql`INSERT INTO notices (kind, once, account_id, booking_id, actor_id, at)
      SELECT 'overlap', bookings.id || ':' || ${now}, provider_id, bookings.id, booker_id, ${now} FROM bookings
      WHERE provider_id = ${providerId} AND ${isToCome(now)} AND starts_at < ${now + 92 * day}
        AND EXISTS (SELECT 1 FROM json_each(${added}) WHERE value ->> 0 < bookings.ends_at AND value ->> 1 > bookings.starts_at)
        AND NOT EXISTS (SELECT 1 FROM busy_times WHERE busy_times.provider_id = bookings.provider_id
          AND ${isBusyWithin(sql`bookings.starts_at`, sql`bookings.ends_at`)})
        AND ${hasSameAddress(feed)}`,
    sql`DELETE FROM busy_times WHERE provider_id = ${providerId} AND source = ${id}
      AND starts_at IN (SELECT value ->> 0 FROM json_each(${removed})) AND ${hasSameAddress(feed)}`,
    sql`INSERT INTO busy_times (provider_id, source, starts_at, ends_at)
      SELECT ${providerId}, ${id}, value ->> 0, value ->> 1 FROM json_each(${added}) WHERE ${hasSameAddress(feed)}
      ON CONFLICT DO NOTHING`,
    sql`UPDATE busy_feeds SET read_at = ${now}, full_at = ${now}, etag = ${etag}, last_modified = ${lastModified},
        digest = ${digest}, events = ${events}, doubts = ${JSON.stringify(doubts)}, failure = NULL, told_at = NULL
      WHERE ${isThisFeed(feed)}`,
  ];
  await runAfterHolds(db, now, {
    read: statements.map((text) => orm.run(text)),
    droppedHolds: endBrokenHolds(sql`(${providerId})`, now),
  });
}
