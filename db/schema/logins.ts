import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../columns';

export const sessions = sqliteTable(
  'sessions',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** To the day, so that a session in use is written once a day. */
    lastUsedAt: instant('last_used_at').notNull().default(0),
    /** The browser and system, as in "Firefox on Linux"; null if unknown. */
    device: text('device'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);

/** An account's authenticator app. */
export const secondFactors = sqliteTable('second_factors', {
  accountId: text('account_id').primaryKey(),
  /** The shared secret is derived from it; null if switched off. */
  seed: text('seed'),
  /** The time step of the last accepted code: only later ones are accepted. */
  lastStep: integer('last_step').notNull(),
});

/** Codes for a lost password, each good once, kept as their HMAC. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  { accountId: text('account_id').notNull(), codeHash: text('code_hash').notNull() },
  (table) => [primaryKey({ columns: [table.accountId, table.codeHash] })],
);

/** The number of tries in the window that ends at `endsAt`. */
export const throttles = sqliteTable('throttles', {
  bucket: text('bucket').primaryKey(),
  tries: integer('tries').notNull(),
  endsAt: instant('ends_at').notNull(),
});
