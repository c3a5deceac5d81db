import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../columns';

/** The answers to forms and calls by their key: the same key again gets the same answer and has no second effect. */
export const oneTimeKeys = sqliteTable(
  'one_time_keys',
  {
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    claim: text('claim').notNull(),
    replay: text('replay', { mode: 'json' }),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.caller, table.key] })],
);

/** Always empty: inserting a refusal fails the whole batch under that name. */
export const refusals = sqliteTable('refusals', { name: text('name').primaryKey() });
