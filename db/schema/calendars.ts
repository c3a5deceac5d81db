import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, jsonList } from '../columns';

/** An account's calendar feed. Triggers raise the version whenever its contents change. */
export const feeds = sqliteTable('feeds', {
  accountId: text('account_id').primaryKey(),
  keyHash: text('key_hash').notNull(), // SHA-256 in hexadecimal
  seed: text('seed').notNull(),
  version: integer('version').notNull().default(0),
  madeAt: instant('made_at').notNull(),
  /** The busy feed's key; null for a feed older than busy feeds. */
  busyHash: text('busy_hash'),
});

/** A sentence; old ones are English text. */
type Doubt = string | { id: string; message?: unknown; values?: Record<string, unknown> };

/** A time when a provider is busy. Triggers write the rows for parties and meetups. */
export const busyTimes = sqliteTable(
  'busy_times',
  {
    providerId: text('provider_id').notNull(),
    /** The id of a party, meetup or other calendar. */
    source: text('source').notNull(),
    startsAt: instant('starts_at').notNull(),
    /** A row lasts a day at most, so a longer event has several. */
    endsAt: instant('ends_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.startsAt, table.source] })],
);

type Failure =
  | 'not_public'
  | 'too_many_redirects'
  | 'too_slow'
  | 'too_large'
  | 'wrong_type'
  | 'not_allowed'
  | 'not_found'
  | 'refused'
  | 'server_error'
  | 'unreachable'
  | 'no_calendar'
  | 'too_many_events'
  | 'sealed';

/** A provider's other calendars, whose events block slots. The address is sealed: see seals.server.ts. */
export const busyFeeds = sqliteTable(
  'busy_feeds',
  {
    providerId: text('provider_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    place: integer('place').notNull(),
    host: text('host').notNull(),
    sealed: text('sealed').notNull(),
    addedAt: instant('added_at').notNull(),
    etag: text('etag'),
    lastModified: text('last_modified'),
    digest: text('digest'),
    readAt: instant('read_at'), // rounded to an hour
    /** When we last read the whole file. `readAt` also counts answers that say "unchanged". */
    fullAt: instant('full_at'),
    events: integer('events').notNull().default(0),
    doubts: jsonList<Doubt>('doubts').notNull().default([]),
    failure: text('failure').$type<Failure>(), // why the last reading failed
    toldAt: instant('told_at'), // when the provider was told of the failure
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);
