import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, jsonList } from '../columns';

/** Programs of a provider that are told of what happens. The address and the secret are sealed: see seals.server.ts. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    providerId: text('provider_id').notNull(),
    id: text('id').notNull(),
    url: text('url').notNull(),
    secret: text('secret').notNull(),
    kinds: jsonList<string>('kinds').notNull(),
    madeAt: instant('made_at').notNull(),
    lastNumber: integer('last_number').notNull().default(0), // of its deliveries
    failingSince: instant('failing_since'),
    /** How often in a row it took none of those that were sent together. */
    failures: integer('failures').notNull().default(0),
    quietUntil: instant('quiet_until').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);

/** What a webhook is told, or was. */
export const deliveries = sqliteTable(
  'deliveries',
  {
    providerId: text('provider_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    number: integer('number').notNull(),
    kind: text('kind').notNull(),
    /** The first booking of a chain of moves, an invitation, or a test. What is told of it goes out in order. */
    about: text('about').notNull(),
    data: text('data', { mode: 'json' }).$type<Record<string, string | number | null>>().notNull(),
    at: instant('at').notNull(),
    /**
     * `new`: its sender has not taken it up. `due`: it is sent at `dueAt`. `behind`: an earlier one about the same is on
     * its way. `dead`: we gave up.
     */
    state: text('state', { enum: ['new', 'due', 'behind', 'sent', 'dead'] }).notNull(),
    dueAt: instant('due_at'),
    tries: integer('tries').notNull().default(0),
    triedAt: instant('tried_at'),
    status: integer('status'), // that its server gave
    failure: text('failure', { enum: ['sealed', 'not_public', 'too_slow', 'unreachable'] }),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.webhookId, table.number] })],
);
