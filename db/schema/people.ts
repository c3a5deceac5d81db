import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A provider's cards of clients. A trigger makes a card at the first booking, and counts attendance. */
export const people = sqliteTable(
  'people',
  {
    providerId: text('provider_id').notNull(),
    id: text('id').notNull(), // the id of the first account that books with this card
    name: text('name'), // null to use the account's name
    nameSortKey: text('name_sort_key').notNull(),
    email: text('email'),
    emailFolded: text('email_folded'),
    phone: text('phone'),
    /** The number without a plus or leading zeros, to compare numbers. */
    phoneDigits: text('phone_digits'),
    note: text('note'),
    /** Whom the provider's own bookings are made for: an account with a login, or a guest whom the provider made. */
    bookerId: text('booker_id'),
    seen: integer('seen').notNull().default(0),
    excused: integer('excused').notNull().default(0),
    missed: integer('missed').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);

/** Accounts and addresses of the same client, from merged cards, with what was typed on each of these. */
export const personAliases = sqliteTable(
  'person_aliases',
  {
    providerId: text('provider_id').notNull(),
    id: text('alias').notNull(), // an account's id or an e-mail address
    personId: text('person_id').notNull(),
    // What was typed on the merged card.
    email: text('email'),
    phone: text('phone'),
    phoneDigits: text('phone_digits'),
    note: text('note'),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);
