import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../columns';
import { type MadeBy, type SlotState, slotState } from '../states';

/** Published time. No two slots of a provider overlap, in any state. */
export const slots = sqliteTable(
  'slots',
  {
    providerId: text('provider_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    id: text('id').notNull(), // contains the provider and the start: see db/ids.ts
    endsAt: instant('ends_at').notNull(),
    state: integer('state').$type<SlotState>().notNull().default(slotState.open),
    seats: integer('seats').notNull().default(1),
    taken: integer('taken').notNull().default(0), // triggers of bookings keep the count
    /** The start of the booking that takes this full slot. */
    partOf: instant('part_of'),
    city: text('city').notNull(),
    localDate: text('local_date').notNull(),
    timeZone: text('time_zone').notNull(),
    serviceId: text('service_id'), // null for free time
    notes: text('notes'),
    templateId: text('template_id'),
    publication: text('publication'), // shared by slots that were published together by hand
    /** 0 by hand, 1 by hours, 2 by hours that no longer include it. */
    madeBy: integer('made_by').$type<MadeBy>().notNull().default(0),
    /**
     * When the provider withdrew the slot: open, or a class or a held time that is withdrawn once nobody has it. Null if they
     * canceled its booking and kept the time.
     */
    withdrawnAt: instant('withdrawn_at'),
    reason: text('reason'),
    /** True if a row of `busyTimes` overlaps it; triggers keep it up to date. */
    isBusy: integer('is_busy', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.startsAt] })],
);

/** The days on which a provider has open slots. Triggers keep them up to date. */
export const openDays = sqliteTable(
  'open_days',
  {
    providerId: text('provider_id').notNull(),
    localDate: text('local_date').notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
    /** The start of the last open slot that isn't busy; 0 if all are busy, null if none is. */
    freeAt: instant('free_at'),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.localDate] })],
);

/** The days that have as many bookings as the rule `perDay` allows. Triggers keep them up to date. */
export const fullDays = sqliteTable(
  'full_days',
  { providerId: text('provider_id').notNull(), localDate: text('local_date').notNull() },
  (table) => [primaryKey({ columns: [table.providerId, table.localDate] })],
);

/** The first and last start of a city's slots on a day. Triggers keep them up to date. */
export const cityDays = sqliteTable(
  'city_days',
  {
    city: text('city').notNull(),
    localDate: text('local_date').notNull(),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.city, table.localDate] })],
);
