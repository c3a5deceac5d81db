import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A provider's cards of clients. A trigger makes one with a first booking, and counts attendance. */
export const people = sqliteTable(
  'people',
  {
    providerId: text('provider_id').notNull(),
    id: text('id').notNull(), // the id of the account that booked first, or will
    name: text('name'), // null for the account's name
    nameFolded: text('name_folded').notNull(),
    email: text('email'),
    emailFolded: text('email_folded'),
    phone: text('phone'),
    /** Without a plus or leading zeros, so that numbers can be compared. */
    phoneDigits: text('phone_digits'),
    note: text('note'),
    seen: integer('seen').notNull().default(0),
    excused: integer('excused').notNull().default(0),
    missed: integer('missed').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);

/** The other accounts and addresses of a client, from merged cards and later bookings. */
export const personAliases = sqliteTable(
  'person_aliases',
  {
    providerId: text('provider_id').notNull(),
    alias: text('alias').notNull(), // an account's id or an e-mail address
    personId: text('person_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.alias] })],
);
