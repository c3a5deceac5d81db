import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { former, instant, jsonList, named, yesNo } from '../columns';
import { type BookingStatus, otherPlaces } from '../states';
import type { StoredAnswer } from './templates';

export const bookings = sqliteTable(
  'bookings',
  {
    providerId: text('provider_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    /** Contains the provider and the start: see db/ids.ts. A slot with one seat has the same id. */
    id: text('id').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** The booking takes all slots that start before this time. */
    takenUntil: instant('taken_until').notNull(),
    localDate: text('local_date').notNull(),
    timeZone: text('time_zone').notNull(),
    city: text('city').notNull(),
    notes: text('notes'),
    templateId: text('template_id'),
    slotId: text('slot_id'), // the slot if it has several seats
    status: integer('status').$type<BookingStatus>().notNull(),
    people: integer('people').notNull().default(1),
    bookerId: text('booker_id').notNull(),
    /** As their account has it: a trigger follows that. So that lists read no account for each booking. */
    bookerName: named('booker_name', former.person).notNull(),
    personId: text('person_id').notNull(),
    serviceId: text('service_id'),
    serviceName: text('service_name'), // the name and price at the time of booking
    price: text('price'),
    deposit: text('deposit'), // asked for in advance, at the time of booking
    paid: yesNo('paid').notNull().default(false),
    where: text('place_kind', { enum: otherPlaces }), // null at the provider's
    place: text('place'), // the video link or the client's address
    seriesId: text('series_id'),
    /** The write that made or ended several bookings at once, so that one message tells of all. */
    toldWith: text('told_with'),
    /** The standing time for which it was booked, even if that has ended. */
    standingId: text('standing_id'),
    bookedAt: instant('booked_at').notNull(),
    /** The provider's rule when the booking was made: minutes before the start. */
    cancelUntil: integer('cancel_until').notNull().default(0),
    answers: jsonList<StoredAnswer>('answers').notNull().default([]),
    answeredAt: instant('answered_at'),
    heldUntil: instant('held_until'),
    wishId: text('wish_id'),
    canceledAt: instant('canceled_at'),
    canceledBy: text('canceled_by', { enum: ['provider', 'consumer'] }),
    reason: text('reason'), // typed by the person who canceled or moved it
    withdraws: yesNo('withdraws').notNull().default(false), // true if its time is not published again
    movedFrom: text('moved_from'),
    movedBy: text('moved_by', { enum: ['provider', 'consumer'] }),
    movedTo: text('moved_to'),
    /** The first booking of a chain of moves, which share a calendar entry; null if it is this one. */
    calendarId: text('calendar_id'),
    sequence: integer('sequence').notNull().default(0), // rises when the booking moves or is canceled
    /** Seed of the personal link's key; null without a link. */
    linkSeed: text('link_seed'),
    /** The hash of the code by which a client takes over a booking that the provider made for them. */
    codeHash: text('code_hash'),
    /** An address typed on the page of the personal link; it replaces the account's. */
    email: text('email'),
    emailHash: text('email_hash'),
    privateNote: text('private_note'),
    phone: text('phone'), // typed with this booking
    attendance: text('attendance', { enum: ['seen', 'excused', 'missed'] }), // null until the provider marks it
    /** The shop under whose name it was booked. */
    shopId: text('shop_id'),
    /**
     * Minutes of the day that were taken and published, and of a series its dates, where the booker asked for anyone in the shop;
     * null for a chosen one.
     */
    turn: text('turn', { mode: 'json' }).$type<
      [taken: number, published: number] | [taken: number, published: number, dates: number]
    >(),
    /** Whoever of the shop booked, moved or canceled it last for its provider; null if the provider or the booker did. */
    actedBy: text('acted_by'),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.startsAt, table.id] })],
);

/** Seeds of personal links that a provider has replaced. They stay until their bookings are over. */
export const replacedLinks = sqliteTable(
  'replaced_links',
  {
    bookingId: text('booking_id').notNull(), // the first booking of the chain of moves
    linkSeed: text('link_seed').notNull(),
    forgetAt: instant('forget_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.bookingId, table.linkSeed] })],
);

/** A weekday and a time that a provider keeps for a client. It is booked whenever that time is published. */
export const standingTimes = sqliteTable(
  'standing_times',
  {
    providerId: text('provider_id').notNull(),
    id: text('id').notNull(), // also the id of the series of its bookings
    personId: text('person_id').notNull(),
    bookerId: text('booker_id').notNull(),
    /** The weekday (0 is Sunday), and minutes from midnight by the provider's clock. */
    day: integer('day').notNull(),
    minute: integer('minute').notNull(),
    weeks: integer('weeks').notNull(),
    fromDate: text('from_date').notNull(),
    untilDate: text('until_date'),
    serviceId: text('service_id'), // null to book the slot without a service
    setAt: instant('set_at').notNull(),
    /** The published dates on which it could not be booked. */
    missed: jsonList<[date: string, why: string, startsAt: number | null]>('missed').notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);
