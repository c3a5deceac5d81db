import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { id, instant, yesNo } from '../columns';

/** What somebody is told: a line in their news, a mail, or both. The mail policy says which (mail-policy.server.ts). */
export const messages = sqliteTable('messages', {
  id: id(),
  accountId: text('account_id').notNull(),
  kind: text('kind').notNull(),
  bookingId: text('booking_id'),
  partyId: text('party_id'),
  actorId: text('actor_id'),
  data: text('data', { mode: 'json' }).notNull().default({}),
  createdAt: instant('created_at').notNull(),
  isRead: yesNo('is_read').notNull().default(false),
  email: text('email'),
  emailHash: text('email_hash'),
  senderId: text('sender_id'), // the provider or host who typed the address
  isLimited: yesNo('is_limited').notNull().default(false), // limits count the mail: nobody has confirmed the address
  /**
   * `asked`: a limit must still decide. `withheld`: a limit withholds it. `waiting`: it is withheld until `dueAt`; then the
   * hourly job sets it to `asked`, and a trigger judges it again. `dead`: we gave up at `dueAt`. `dropped`: it is no longer
   * of interest.
   */
  mailState: text('mail_state', { enum: ['asked', 'withheld', 'waiting', 'due', 'leased', 'sent', 'dead', 'dropped'] }),
  tries: integer('tries').notNull().default(0),
  dueAt: instant('due_at'),
  reason: text('reason'),
  /** The name of a meetup, or an invitation to a shop, to whom the mail goes; the message itself is the sender's. */
  invitationId: text('invitation_id'),
});

/** All numbers of minutes before a start at which somebody wants a reminder, except the usual 1440. */
export const reminderTimes = sqliteTable('reminder_times', { minutes: integer('minutes').primaryKey() });

/** Addresses whose owners said that the mail is not for them. */
export const refusedAddresses = sqliteTable('refused_addresses', {
  emailHash: text('email_hash').primaryKey(),
  refusedAt: instant('refused_at').notNull(),
});

/** The addresses that a provider or host has typed, and to which mail went. */
export const mailContacts = sqliteTable(
  'mail_contacts',
  {
    senderId: text('sender_id').notNull(),
    emailHash: text('email_hash').notNull(),
    firstAt: instant('first_at').notNull(),
    endedAt: instant('ended_at'), // when the owner of the address unsubscribed
  },
  (table) => [primaryKey({ columns: [table.senderId, table.emailHash] })],
);

/** A local server puts a row here to lift the mail limits. */
export const liftedLimits = sqliteTable('lifted_limits', { name: text('name').primaryKey() });
