import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { former, id, instant, jsonList, named, yesNo } from '../columns';
import type { StoredAnswer } from './templates';

/** An event: a party has one link for all, a meetup a personal link for each name. */
export const parties = sqliteTable('parties', {
  id: id(),
  kind: text('kind', { enum: ['party', 'meetup'] }).notNull(),
  providerId: text('provider_id').notNull(),
  title: named('title', former.party).notNull(),
  description: text('description'),
  startsAt: instant('starts_at').notNull(),
  endsAt: instant('ends_at').notNull(),
  localDate: text('local_date').notNull(),
  timeZone: text('time_zone').notNull(),
  address: text('address'),
  locationUrl: text('location_url'),
  templateId: text('template_id'),
  capacity: integer('capacity'),
  rsvpBy: text('rsvp_by'),
  rsvpClosesAt: instant('rsvp_closes_at'),
  plusOnes: integer('plus_ones').notNull().default(0),
  hideGoing: yesNo('hide_going').notNull().default(false),
  going: integer('going').notNull().default(0),
  invited: integer('invited').notNull().default(0),
  sequence: integer('sequence').notNull().default(0),
  createdAt: instant('created_at').notNull(),
  openTo: text('open_to', { enum: ['anyone', 'accounts'] })
    .notNull()
    .default('accounts'),
  showOnPage: yesNo('show_on_page').notNull().default(false),
  askEmail: text('ask_email', { enum: ['no', 'optional', 'required'] })
    .notNull()
    .default('optional'),
  askPhone: text('ask_phone', { enum: ['no', 'optional', 'required'] })
    .notNull()
    .default('no'),
  changedAt: instant('changed_at'),
  deletedAt: instant('deleted_at'),
  cancelReason: text('cancel_reason'),
});

/** The time and place of a party or meetup before they were changed. */
export const partyMoves = sqliteTable(
  'party_moves',
  {
    partyId: text('party_id').notNull(),
    movedAt: instant('moved_at').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    localDate: text('local_date').notNull(),
    address: text('address'),
    locationUrl: text('location_url'),
  },
  (table) => [primaryKey({ columns: [table.partyId, table.movedAt] })],
);

/** An account's RSVP to a party, or a name's personal link to a meetup. */
export const invitations = sqliteTable(
  'invitations',
  {
    partyId: text('party_id').notNull(),
    invitee: text('invitee').notNull(), // an account's id, or a folded name
    id: text('id').notNull(),
    accountId: text('account_id'),
    /** Null for a guest, and for a name on a meetup's list. */
    username: text('username'),
    name: named('name', former.person).notNull(),
    nameSortKey: text('name_sort_key').notNull(),
    accepted: yesNo('accepted'),
    plusOnes: integer('plus_ones').notNull().default(0),
    answers: jsonList<StoredAnswer>('answers').notNull().default([]),
    rsvpAt: instant('rsvp_at'),
    createdAt: instant('created_at').notNull(),
    /** SHA-256 of the key in a guest's personal link, in hexadecimal. */
    linkHash: text('link_hash'),
    /**
     * The address for this invitation alone. The host typed it for a name, or a guest for this RSVP. `emailIsOwn`:
     * the invited person typed it.
     */
    email: text('email'),
    emailHash: text('email_hash'),
    emailAt: instant('email_at'),
    emailIsOwn: yesNo('email_is_own').notNull().default(false),
    mailEndedAt: instant('mail_ended_at'),
    phone: text('phone'),
    lang: text('lang'), // in which a name of a meetup answered
    /** The message to that address which a limit withholds. */
    withheldMail: text('withheld_mail'),
    partyStartsAt: instant('party_starts_at'), // only for an account's RSVP, and a trigger changes it with the party
  },
  ({ partyId, invitee }) => [primaryKey({ columns: [partyId, invitee] })],
);

/** Links of names that a host has replaced. They stay until their meetups are over. */
export const replacedInvitations = sqliteTable('replaced_invitations', {
  id: text('id').primaryKey(),
  partyId: text('party_id').notNull(),
  forgetAt: instant('forget_at').notNull(),
});
