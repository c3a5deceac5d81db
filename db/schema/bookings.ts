import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, jsonList, yesNo } from '../columns';
import type { StoredAnswer } from './templates';

export const bookings = sqliteTable(
  'bookings',
  {
    providerId: text('provider_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    /** Holds the provider and the start: see db/ids.ts. The id of the slot too, if that has one seat. */
    id: text('id').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** The booking takes the slots from its start until then. */
    keptUntil: instant('kept_until').notNull(),
    localDate: text('local_date').notNull(),
    timeZone: text('time_zone').notNull(),
    city: text('city').notNull(),
    notes: text('notes'),
    templateId: text('template_id'),
    slotId: text('slot_id'), // the slot of several seats
    status: integer('status').$type<0 | 1 | 2>().notNull(), // held, booked, canceled
    people: integer('people').notNull().default(1),
    bookerId: text('booker_id').notNull(),
    personId: text('person_id').notNull(),
    serviceId: text('service_id'),
    serviceName: text('service_name'), // the name and price when it was booked
    price: text('price'),
    seriesId: text('series_id'),
    /** The write that made or ended several bookings at once: one message tells of them all. */
    toldWith: text('told_with'),
    /** The standing time it was booked for; kept when that ends. */
    standingId: text('standing_id'),
    bookedAt: instant('booked_at').notNull(),
    /** Minutes before the start, as set when it was booked. */
    cancelUntil: integer('cancel_until').notNull().default(0),
    answers: jsonList<StoredAnswer>('answers').notNull().default([]),
    answeredAt: instant('answered_at'),
    heldUntil: instant('held_until'),
    wishId: text('wish_id'),
    canceledAt: instant('canceled_at'),
    canceledBy: text('canceled_by', { enum: ['provider', 'consumer'] }),
    reason: text('reason'), // the canceler's or mover's words
    withdraws: yesNo('withdraws').notNull().default(false), // its time is not published again
    movedFrom: text('moved_from'),
    movedBy: text('moved_by', { enum: ['provider', 'consumer'] }),
    movedTo: text('moved_to'),
    /** The first booking of a chain of moves, which are one calendar entry; null for its own id. */
    calendarId: text('calendar_id'),
    sequence: integer('sequence').notNull().default(0), // rises with each move and with the cancellation
    /** Seed of the personal link's key; null without a link. */
    linkSeed: text('link_seed'),
    /** The hash of the code by which a client takes over what the provider booked for them. */
    claimHash: text('claim_hash'),
    /** An address typed at the personal link, used in place of the account's. */
    email: text('email'),
    emailHash: text('email_hash'),
    privateNote: text('private_note'),
    phone: text('phone'), // as given with this booking
    attendance: text('attendance', { enum: ['seen', 'excused', 'missed'] }), // null until the provider marks it
  },
  (table) => [primaryKey({ columns: [table.providerId, table.startsAt, table.id] })],
);

/** Seeds of personal links that a provider has replaced, kept until their bookings have passed. */
export const replacedLinks = sqliteTable(
  'replaced_links',
  {
    bookingId: text('booking_id').notNull(), // the first booking of the chain of moves
    linkSeed: text('link_seed').notNull(),
    forgetAt: instant('forget_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.bookingId, table.linkSeed] })],
);

/** A weekday and a time that a provider keeps for a client; booked whenever it is published. */
export const standingTimes = sqliteTable(
  'standing_times',
  {
    providerId: text('provider_id').notNull(),
    id: text('id').notNull(), // the series of its bookings has this id too
    personId: text('person_id').notNull(),
    bookerId: text('booker_id').notNull(),
    /** The weekday from Sunday, 0; minutes from midnight by the provider's clock. */
    day: integer('day').notNull(),
    minute: integer('minute').notNull(),
    weeks: integer('weeks').notNull(),
    fromDate: text('from_date').notNull(),
    untilDate: text('until_date'),
    serviceId: text('service_id'), // null to book the slot as it is
    setAt: instant('set_at').notNull(),
    /** The published dates on which it could not be booked. */
    unkept: jsonList<[date: string, why: string, startsAt: number | null]>('unkept').notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);
