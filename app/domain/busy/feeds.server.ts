import { msg } from '@lingui/core/macro';
import { and, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { ownedBy } from '../../../db/owned-by';
import { busyFeeds } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { literal } from '../../../db/states';
import { invalid, notLoggedIn } from '../errors';
import { calendarAddress, type OutsideOptions } from '../input/outside-address';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import { countTries, type RateLimit, tryWithin } from '../login/throttles.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { Seals } from '../seals.server';
import { hour, type Instant } from '../time/clock';
import { longest } from '../time/longest';
import { type BusyFeed, type FeedsChange, failureWords } from './feeds';

export const purposeOf = (providerId: string, id: string): string => `calendar ${id} of ${providerId}`;

const feedsOfProvider = statement<{ me: string; now: Instant }>()(({ me, now }) =>
  orm
    .select({
      id: busyFeeds.id,
      name: busyFeeds.name,
      host: busyFeeds.host,
      readAt: busyFeeds.readAt,
      failure: busyFeeds.failure,
      events: busyFeeds.events,
      doubts: busyFeeds.doubts,
      next: sql<Instant | null>`(SELECT min(starts_at) FROM busy_times WHERE ${ownedBy(me)} AND source = busy_feeds.id
        AND starts_at > ${now} - ${literal(longest.busyTime)} AND ends_at > ${now})`.as('next_at'),
    })
    .from(busyFeeds)
    .where(ownedBy(me))
    .orderBy(busyFeeds.place),
);

export async function listBusyFeeds(db: Db, { accountId }: Actor, now: Instant): Promise<BusyFeed[]> {
  const { feeds } = await db.run({ feeds: feedsOfProvider({ me: accountId, now }) });
  return feeds.map(({ failure, doubts, ...feed }) => ({
    ...feed,
    doubts: failure ? [failureWords[failure], ...doubts] : doubts,
  }));
}

type Setting = OutsideOptions & { now: Instant; seals: Seals; isRateLimited: boolean };

/** Limits how often a provider changes calendars: each change makes us ask up to five servers. */
const readingLimit = (accountId: string): RateLimit => ({ bucket: `calendars:${accountId}`, limit: 30, window: hour });

/** Counts a reading of the provider's calendars. @throws DomainError too_many */
export async function countReading(
  db: Db,
  { accountId }: Actor,
  { now, isRateLimited }: Pick<Setting, 'now' | 'isRateLimited'>,
): Promise<void> {
  if (isRateLimited) await countTries(db, [readingLimit(accountId)], now);
}

/**
 * Replaces the provider's list of other calendars. When one is removed, its times become free at once. When its address
 * changes, its old times block until we have read the new address.
 * @throws DomainError unauthenticated, invalid (an address), not_found (an id), too_many
 */
export async function setBusyFeeds(
  db: Db,
  actor: Actor,
  { feeds }: FeedsChange,
  { now, seals, isRateLimited, ...options }: Setting,
): Promise<void> {
  const me = actor.accountId;
  const newFeeds = feeds.map(({ id, name, url }, place) => {
    if (!id && !url) throw invalid('url', msg`The address of the calendar is missing.`);
    const address = url ? calendarAddress(url, options) : undefined;
    if (url && !address) {
      throw invalid(
        'url',
        msg`That is no address of a calendar. It begins with https:// or webcal://, and its server is public.`,
      );
    }
    const feed = { id: id || newId(), name, place };
    return address
      ? { ...feed, host: address.host, sealed: seals.seal(purposeOf(me, feed.id), address.href) }
      : { ...feed, host: null, sealed: null };
  });
  const tries = tryWithin(isRateLimited ? [readingLimit(me)] : [], now, { condition: isLoggedIn(actor, now) });
  const knownIds = JSON.stringify(feeds.flatMap(({ id }) => (id ? [id] : [])));
  const areKnown = sql`NOT EXISTS (SELECT 1 FROM json_each(${knownIds})
    WHERE value NOT IN (SELECT id FROM busy_feeds WHERE ${ownedBy(me)}))`;
  const mayChange = and(isLoggedIn(actor, now), areKnown, tries.isAllowed) as SQL;
  const ids = JSON.stringify(newFeeds.map(({ id }) => id));
  const isRemoved = (column: string) => sql`${sql.raw(column)} NOT IN (SELECT value FROM json_each(${ids}))`;
  const json = JSON.stringify(newFeeds);
  const feedField = (name: string) => sql.raw(`value ->> '${name}'`);
  const {
    counted,
    known: [known],
    owner: [owner],
  } = await db.run({
    counted: tries.count,
    known: orm.select({ areKnown: sql<number>`${areKnown}`.as('are_known') }).from(sql`(SELECT 1)`),
    freed: orm.run(sql`DELETE FROM busy_times WHERE ${ownedBy(me)} AND source IN (
      SELECT id FROM busy_feeds WHERE ${ownedBy(me)} AND ${isRemoved('id')}) AND ${mayChange}`),
    removed: orm.run(sql`DELETE FROM busy_feeds WHERE ${ownedBy(me)} AND ${isRemoved('id')} AND ${mayChange}`),
    saved: orm.run(sql`INSERT INTO busy_feeds (provider_id, id, name, place, host, sealed, added_at)
      SELECT ${me}, ${feedField('id')}, ${feedField('name')}, ${feedField('place')},
        coalesce(${feedField('host')}, before.host), coalesce(${feedField('sealed')}, before.sealed), ${now}
      FROM json_each(${json}) LEFT JOIN busy_feeds AS before ON ${ownedBy(me, 'before')} AND before.id = ${feedField('id')}
      WHERE coalesce(${feedField('sealed')}, before.sealed) IS NOT NULL AND ${mayChange}
      ON CONFLICT (provider_id, id) DO UPDATE SET name = excluded.name, place = excluded.place,
        etag = iif(sealed = excluded.sealed, etag, NULL), last_modified = iif(sealed = excluded.sealed, last_modified, NULL),
        host = excluded.host, sealed = excluded.sealed`),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  tries.refuse(counted);
  if (!known?.areKnown) throw notFound('calendar');
}
