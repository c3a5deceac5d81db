import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { id, instant, yesNo } from '../columns';

/** A line in somebody's news, and a mail if they have a confirmed address and want it. */
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
  /**
   * `asked`: the limits have yet to decide; `held`: they hold it back; `waiting`: until `dueAt`; `dead`: given up at
   * `dueAt`; `dropped`: what it was about is over.
   */
  mailState: text('mail_state', { enum: ['asked', 'held', 'waiting', 'due', 'leased', 'sent', 'dead', 'dropped'] }),
  tries: integer('tries').notNull().default(0),
  dueAt: instant('due_at'),
  reason: text('reason'),
  /** The meetup's name that the mail is for; the message itself belongs to the host. */
  invitationId: text('invitation_id'),
});

/** Reminders in minutes before a start that anybody wants, without the usual 1440. */
export const reminderTimes = sqliteTable('reminder_times', { minutes: integer('minutes').primaryKey() });

/** Addresses whose owner said that the mail is for somebody else. */
export const refusedAddresses = sqliteTable('refused_addresses', {
  emailHash: text('email_hash').primaryKey(),
  refusedAt: instant('refused_at').notNull(),
});

/** The addresses that a provider or host has typed and written to. */
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

/** Has a row while a local server lifts the mail limits. */
export const liftedLimits = sqliteTable('lifted_limits', { name: text('name').primaryKey() });
