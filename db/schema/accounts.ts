import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { former, id, instant, jsonList, named } from '../columns';

/** A city, spelt as it was first registered. */
export const cities = sqliteTable('cities', {
  folded: text('folded').primaryKey(),
  name: text('name').notNull(),
  providers: integer('providers').notNull().default(0),
});

/**
 * A person or company. A consumer books, a provider publishes. A guest is a consumer without a login. A shop is a name
 * under which several providers are booked; it has no login either, but a page.
 */
export const accounts = sqliteTable('accounts', {
  id: id(),
  /** Null for a guest, as are `usernameFolded` and `passwordHash`. The last is null for a shop too. */
  username: text('username'),
  usernameFolded: text('username_folded'),
  displayName: named('display_name', former.person).notNull(),
  displayPlain: text('display_plain').notNull(),
  displaySortKey: text('display_sort_key').notNull(),
  passwordHash: text('password_hash'),
  role: text('role', { enum: ['Consumer', 'Provider', 'Shop'] }).notNull(),
  timeZone: text('time_zone').notNull(),
  /** The language of their mails and, unless they are a guest, of their screens. Null where they chose none. */
  lang: text('lang'),
  /** The language in which they last read a page. Where they chose none, their mails and feeds are in it; null for English. */
  readIn: text('read_in'),
  city: text('city').references(() => cities.folded),
  description: text('description'),
  address: text('address'),
  phone: text('phone'),
  /** How deposits are paid; null where none is asked for. */
  payBy: text('pay_by', { mode: 'json' }).$type<{ link: string } | { iban: string; name: string }>(),
  createdAt: instant('created_at').notNull(),
  openSlotsAtMost: integer('open_slots_at_most').notNull().default(0),
  email: text('email'),
  /** A hash of the address, by which mail is counted and refused. */
  emailHash: text('email_hash'),
  /** The provider who typed the address; null if its owner typed it. */
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
  /**
   * When the address was confirmed. Until then a provider gets only the mail that asks for it; a client also gets mail
   * about appointments.
   */
  emailConfirmedAt: instant('email_confirmed_at'),
  mailOff: jsonList<string>('mail_off').notNull().default([]), // kinds of message that don't come by mail
  /** A slot can't be booked later than this many minutes before its start. */
  notice: integer('notice').notNull().default(0),
  /**
   * A booking can't be canceled or moved later than this many minutes before its start. Each booking keeps its own
   * value.
   */
  cancelUntil: integer('cancel_until').notNull().default(0),
  /** How many days ahead slots can be booked; null without a limit. */
  horizonDays: integer('horizon_days'),
  /** The most coming appointments that one person may have. */
  perPerson: integer('per_person'),
  perDay: integer('per_day'), // the most bookings on a day
  reminders: jsonList<number>('reminders').notNull().default([1440]), // minutes before the start
  /** How many days after an appointment its answers are deleted; null for never. */
  keepAnswersDays: integer('keep_answers_days'),
  waitlist: text('waitlist', { enum: ['on', 'off'] })
    .notNull()
    .default('on'),
  /** Slots during the provider's own parties and meetups can't be booked. */
  partiesBlock: integer('parties_block', { mode: 'boolean' }).notNull().default(true),
  /** The service that needs no choice: the only one offered, for one person at a time. Triggers keep it up to date. */
  onlyServiceId: text('only_service_id'),
  colour: text('colour', { enum: ['red', 'blue', 'green', 'plum', 'gold', 'slate'] })
    .notNull()
    .default('red'),
  head: text('head', { enum: ['plain', 'festive'] })
    .notNull()
    .default('plain'),
  embedOn: jsonList<string>('embed_on').notNull().default([]), // origins of sites that may show their page in a frame
  /** The rules that a shop sets for all its people, by their names; null if it sets none. */
  houseRules: text('house_rules', { mode: 'json' }).$type<Record<string, unknown>>(),
});

/** Every ending of a provider's two names, so that a search finds any part. Triggers keep them up to date. */
export const providerNames = sqliteTable(
  'provider_names',
  { ending: text('ending').notNull(), providerId: text('provider_id').notNull() },
  (table) => [primaryKey({ columns: [table.ending, table.providerId] })],
);
