import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/sqlite-core';
import { hasId, startOf } from '../../../db/ids';
import { accounts, bookings, services, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked, wasBooked } from '../../../db/states';
import type { bookingsOnCards } from '../people/cards.server';
import { isOwnedBy } from '../profile/accounts';
import type { Where } from '../services/where';
import type { Appointment } from './appointments';
import { whyNot } from './claimable.server';
import { asColumnsOf, bookedColumns, booker, freeColumns, openColumns, type Room } from './columns.server';
import { isKnown, isShown } from './conditions.server';
import { whyNotForOld } from './movable.server';
import type { WhyNot } from './refusals';
import { countingName } from './rules.server';
import { placeKindOf, questionsOf } from './slot-with-service.server';
import { type Status, status } from './status';
import { turnWords } from './turns';
import { isOfColleague } from './with-colleague.server';

/**
 * Selects bookings as appointments. Conditions may name `accounts` (the provider) and `booker`.
 * @param from the bookings, or their view
 */
export const selectBookings = (from: typeof bookings | typeof bookingsOnCards = bookings) =>
  orm
    .select(bookedColumns)
    .from(from)
    .innerJoin(accounts, eq(accounts.id, bookings.providerId))
    .innerJoin(booker, eq(booker.id, bookings.bookerId));

export const selectUnbooked = () =>
  orm
    .select(asColumnsOf<typeof bookedColumns>(freeColumns))
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId));

export const selectAppointment = (
  id: SQL | Placeholder | string,
  { booked, free }: { booked?: SQL; free?: SQL } = {},
) =>
  unionAll(
    selectBookings().where(and(hasId(bookings, id), wasBooked(bookings), booked)),
    selectUnbooked().where(and(hasId(slots, id), isShown, free)),
  );

const rules = {
  openTo: accounts.openTo,
  askEmail: accounts.askEmail,
  perPerson: accounts.perPerson,
  countingName: countingName(sql`accounts`).as('counting_name'),
  perDay: accounts.perDay,
};

/** SQL: whoever has the booking, nobody else can have its time. */
const whyNotBooked = sql<WhyNot | null>`iif(${isBooked(bookings)} AND ${bookings.slotId} IS NOT NULL, 'full', 'taken')`;

type AskingParams = {
  accountId: Placeholder;
  now: Placeholder;
  people: Placeholder;
  terms: Placeholder;
  isBound: boolean;
  mayBeOff?: boolean;
  personId?: Placeholder;
};
/** What is asked of a slot: to book it, perhaps for a service, or to move the booking `old` there. */
type Purpose = { service: Placeholder | null } | { old: Placeholder };

/**
 * Selects an appointment, its provider's rules, and why this account can't have it. For a class it also selects the
 * account's booking.
 */
export const selectBookable = (id: Placeholder, reader: AskingParams, use: Purpose) => {
  const bookable = {
    ...bookedColumns,
    ...rules,
    where: sql<Where | null>`${bookings.where}`.as('booked_where'),
    why: whyNotBooked.as('why_not'),
    isOfColleague: sql<number>`0`.as('is_of_colleague'),
  };
  const provider = sql`accounts`;
  const why =
    'old' in use
      ? whyNotForOld({ me: reader.accountId, now: reader.now, provider })
      : whyNot({ ...reader, provider }, use.service);
  const isService = 'old' in use || use.service !== null;
  const slotColumns = {
    ...freeColumns,
    templateId: sql`${questionsOf({ isService })}`.as('template_id'),
    ...rules,
    where: placeKindOf({ isService }).as('wanted_where'),
    why: sql<WhyNot | null>`${why}`.as('why_not'),
    // A booking may move to a colleague of its provider, too.
    isOfColleague: sql<number>`${'old' in use ? isOfColleague : sql`0`}`.as('is_of_colleague'),
  };
  const selectBooked = () =>
    orm
      .select(bookable)
      .from(bookings)
      .innerJoin(accounts, eq(accounts.id, bookings.providerId))
      .innerJoin(booker, eq(booker.id, bookings.bookerId));
  const wantedService = alias(services, 'service');
  const isWantedService = (serviceId: SQL | Placeholder | null) =>
    and(
      eq(wantedService.providerId, slots.providerId),
      sql`${wantedService.id} = coalesce(${slots.serviceId}, ${serviceId})`,
    );
  const selectSlots = () =>
    orm
      .select(asColumnsOf<typeof bookable>(slotColumns))
      .from(slots)
      .innerJoin(accounts, eq(accounts.id, slots.providerId));
  const old = alias(bookings, 'old');
  return unionAll(
    selectBooked().where(and(hasId(bookings, id), wasBooked(bookings))),
    selectBooked().where(
      and(
        and(eq(bookings.bookerId, reader.accountId), isBooked(bookings)),
        sql`${bookings.startsAt} = ${startOf(id)} AND ${bookings.slotId} = ${id}`,
      ),
    ),
    'old' in use
      ? selectSlots()
          .innerJoin(old, hasId(old, use.old))
          .leftJoin(wantedService, isWantedService(sql`old.service_id`))
          .where(and(hasId(slots, id), isKnown))
      : selectSlots()
          .leftJoin(wantedService, isWantedService(use.service))
          .where(and(hasId(slots, id), isKnown)),
  );
};

export const selectOpen = () =>
  orm.select(openColumns).from(slots).innerJoin(accounts, eq(accounts.id, slots.providerId));

export type Row = Awaited<ReturnType<typeof selectBookings>>[number];

/** Turns a row of selectAppointment into what this account may see of it. */
export function appointment(row: Row, reader: string): Appointment {
  const { bookerEmail, bookerPhone, providerEmail, privateNote, linkSource, attendance } = row;
  const isProvider = isOwnedBy({ accountId: reader }, row);
  return {
    id: row.id,
    provider: row.provider,
    providerName: row.providerName,
    shop: row.shop && { username: row.shop.username, displayName: row.shop.displayName },
    username: row.username,
    bookerName: row.bookerName,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    date: row.date,
    timeZone: row.timeZone,
    status: row.status,
    notes: row.notes,
    templateId: row.templateId,
    ...seatsOf(row.room, row.status),
    slotId: row.slotId,
    people: row.people,
    service: row.service,
    answers: row.answers,
    answeredAt: row.answeredAt,
    canceledAt: row.canceledAt,
    canceledBy: row.canceledBy,
    bookerEmail: isProvider && row.username === null ? bookerEmail : null,
    providerEmail: reader === row.bookerId ? providerEmail : null,
    bookerPhone: isProvider ? bookerPhone : null,
    where: row.where ?? row.service?.where ?? 'here',
    place: isProvider || reader === row.bookerId ? row.place : null,
    providerAddress: row.providerAddress ?? row.shop?.address ?? null,
    providerPhone: row.providerPhone ?? row.shop?.phone ?? null,
    askPhone: row.askPhone,
    privateNote: isProvider ? privateNote : null,
    linkSource: reader === row.bookerId ? linkSource : null,
    cancelReason: row.cancelReason,
    movedFrom: row.movedFrom,
    movedTo: row.movedTo,
    seriesId: row.seriesId,
    paid: row.paid,
    payBy: reader === row.bookerId ? row.payBy : null,
    why: row.turn && turnWords(row.turn, row.providerName),
    by: isProvider ? row.by : null,
    changeableUntil: row.changeableUntil,
    calendarId: row.calendarId,
    sequence: row.sequence,
    attendance: isProvider && row.status === status.booked ? attendance : null,
  };
}

const seatsOf = (room: Room, state: Status) => room ?? { seats: 1, free: state === status.open ? 1 : 0 };

const unbooked = {
  shop: null,
  status: status.open,
  people: null,
  username: null,
  bookerName: null,
  answers: [],
  answeredAt: null,
  canceledAt: null,
  canceledBy: null,
  bookerEmail: null,
  bookerPhone: null,
  place: null,
  providerEmail: null,
  providerAddress: null,
  providerPhone: null,
  askPhone: 'no' as const,
  privateNote: null,
  linkSource: null,
  cancelReason: null,
  movedFrom: null,
  movedTo: null,
  seriesId: null,
  paid: false,
  payBy: null,
  why: null,
  by: null,
  changeableUntil: null,
  sequence: 0,
  attendance: null,
};

export const openSlot = ({ room, ...row }: Awaited<ReturnType<typeof selectOpen>>[number]): Appointment => ({
  ...row,
  ...unbooked,
  ...seatsOf(room, status.open),
  slotId: row.id,
  where: row.service?.where ?? 'here',
  calendarId: row.id,
});
