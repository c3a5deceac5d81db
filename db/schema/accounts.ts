import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { former, id, instant, jsonList, named } from '../columns';

/** A city, spelt as first registered. */
export const cities = sqliteTable('cities', {
  folded: text('folded').primaryKey(),
  name: text('name').notNull(),
  providers: integer('providers').notNull().default(0),
});

/** A person or company: a consumer books, a provider publishes. A guest is a consumer without a login. */
export const accounts = sqliteTable('accounts', {
  id: id(),
  /** Null for a guest, as are `usernameFolded` and `passwordHash`. */
  username: text('username'),
  usernameFolded: text('username_folded'),
  displayName: named('display_name', former.person).notNull(),
  displayFolded: text('display_folded').notNull(),
  displaySortKey: text('display_sort_key').notNull(),
  passwordHash: text('password_hash'),
  role: text('role', { enum: ['Consumer', 'Provider'] }).notNull(),
  timeZone: text('time_zone').notNull(),
  city: text('city').references(() => cities.folded),
  description: text('description'),
  address: text('address'),
  phone: text('phone'),
  createdAt: instant('created_at').notNull(),
  openSlotsAtMost: integer('open_slots_at_most').notNull().default(0),
  email: text('email'),
  /** The key by which mail to the address is counted and refused. */
  emailHash: text('email_hash'),
  /** The provider who typed the address; null if its owner did. */
  emailBy: text('email_by'),
  openTo: text('open_to', { enum: ['anyone', 'accounts'] })
    .notNull()
    .default('anyone'),
  askPhone: text('ask_phone', { enum: ['no', 'optional', 'required'] })
    .notNull()
    .default('no'),
  askEmail: text('ask_email', { enum: ['no', 'optional', 'required'] })
    .notNull()
    .default('optional'),
  /** Until then a provider's address gets only the request to confirm it; a client's gets mail about appointments too. */
  emailConfirmedAt: instant('email_confirmed_at'),
  mailOff: jsonList<string>('mail_off').notNull().default([]), // the kinds of message that don't come by mail
  /** Minutes before its start at which a slot can no longer be booked. */
  notice: integer('notice').notNull().default(0),
  /** Minutes before the start at which a booker can no longer cancel or move; each booking keeps its own. */
  cancelUntil: integer('cancel_until').notNull().default(0),
  /** Days ahead within which slots can be booked; null without a limit. */
  horizonDays: integer('horizon_days'),
  /** The most coming appointments that one person may have. */
  perPerson: integer('per_person'),
  perDay: integer('per_day'), // the most booked appointments in a day
  reminders: jsonList<number>('reminders').notNull().default([1440]), // minutes before the start
  /** Days after which the answers of past appointments are deleted; null for never. */
  keepAnswersDays: integer('keep_answers_days'),
  waitlist: text('waitlist', { enum: ['on', 'off'] })
    .notNull()
    .default('on'),
  /** Slots during the provider's own parties and meetups can't be booked. */
  partiesBlock: integer('parties_block', { mode: 'boolean' }).notNull().default(true),
  /** The service that nobody has to choose: the only one offered, for one person at a time. Triggers keep it. */
  onlyServiceId: text('only_service_id'),
  colour: text('colour', { enum: ['red', 'blue', 'green', 'plum', 'gold', 'slate'] })
    .notNull()
    .default('red'),
  head: text('head', { enum: ['plain', 'festive'] })
    .notNull()
    .default('plain'),
});

/** Every ending of a provider's two names, for the search; triggers keep them. */
export const providerNames = sqliteTable(
  'provider_names',
  { ending: text('ending').notNull(), providerId: text('provider_id').notNull() },
  (table) => [primaryKey({ columns: [table.ending, table.providerId] })],
);
