import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, jsonList } from '../columns';
import { type WishState, wishState } from '../states';

type StoredWish = {
  slotId: string | null;
  service: string | null;
  from: string | null;
  to: string | null;
  days: number[] | null;
  after: string | null;
  before: string | null;
  people: number;
};

/** A place in a provider's waitlist. Triggers hold freed time for it. */
export const wishes = sqliteTable(
  'wishes',
  {
    providerId: text('provider_id').notNull(),
    id: text('id').notNull(), // the provider's id and 16 random digits
    state: integer('state').$type<WishState>().notNull().default(wishState.inLine),
    askedAt: instant('asked_at').notNull(),
    accountId: text('account_id').notNull(),
    /** The account; of strangers, who are a new guest each time, the hash of their address and network. */
    askedBy: text('asked_by').notNull(),
    linkSeed: text('link_seed').notNull(),
    asked: text('asked', { mode: 'json' }).$type<StoredWish>().notNull(),
    people: integer('people').notNull().default(1),
    serviceId: text('service_id'),
    fromAt: instant('from_at').notNull(), // the first start that fits; `untilAt` itself does not fit
    untilAt: instant('until_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    lastAt: instant('last_at').notNull(), // `untilAt`, if no booking had to be earlier
    days: integer('days'), // a bit for each weekday from Sunday; null for all
    after: integer('after'), // minutes from midnight by the provider's clock
    before: integer('before'),
    /** For the provider's clock and the reader's: from when on it is how many minutes ahead of UTC. */
    clock: jsonList<[from: number, minutes: number]>('clock').notNull(),
    readerClock: jsonList<[from: number, minutes: number]>('reader_clock').notNull(),
    insteadOf: text('instead_of'),
    phone: text('phone'),
    passed: jsonList<number>('passed').notNull().default([]), // starts that were offered and declined
    letPass: integer('let_pass').notNull().default(0),
    /** The booking that holds the offered time, or that was made from the offer. */
    offerId: text('offer_id'),
    heldUntil: instant('held_until'),
    changedAt: instant('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);
