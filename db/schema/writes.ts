import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../columns';

/** The results of forms and calls by their key. The same key again returns the same result and changes nothing. */
export const oneTimeKeys = sqliteTable(
  'one_time_keys',
  {
    caller: text('caller').notNull(),
    key: text('key').notNull(),
    use: text('use').notNull(),
    replay: text('replay', { mode: 'json' }),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.caller, table.key] })],
);

/** Always empty: to insert a refusal fails the whole batch under that refusal's name. */
export const refusals = sqliteTable('refusals', { name: text('name').primaryKey() });
