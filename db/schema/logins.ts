import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../columns';

export const sessions = sqliteTable(
  'sessions',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Rounded to a day, so that a session costs one write a day. */
    lastUsedAt: instant('last_used_at').notNull().default(0),
    /** Browser and system, such as "Firefox on Linux"; null if unknown. */
    device: text('device'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);

/** What a program logs in with, in place of a session. */
export const keys = sqliteTable(
  'keys',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(), // no secret: a request needs the key itself
    hash: text('hash').notNull(),
    name: text('name').notNull(),
    scope: text('scope', { enum: ['read', 'write'] }).notNull(),
    madeAt: instant('made_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    usedAt: instant('used_at'), // the beginning of the day, in UTC
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);

/** An account's authenticator app. */
export const secondFactors = sqliteTable('second_factors', {
  accountId: text('account_id').primaryKey(),
  /** The shared secret follows from it; null if switched off. */
  seed: text('seed'),
  /** The time step of the last accepted code. Only later codes are accepted. */
  lastStep: integer('last_step').notNull(),
});

/** Codes for a lost password, stored as their HMAC. Each works once. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  { accountId: text('account_id').notNull(), codeHash: text('code_hash').notNull() },
  (table) => [primaryKey({ columns: [table.accountId, table.codeHash] })],
);

/** Counts tries until `endsAt`. */
export const throttles = sqliteTable('throttles', {
  bucket: text('bucket').primaryKey(),
  tries: integer('tries').notNull(),
  endsAt: instant('ends_at').notNull(),
});
