import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias, unionAll } from 'drizzle-orm/sqlite-core';
import { hasId, startOf } from '../../../db/ids';
import { accounts, bookings, services, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Appointment } from './appointments';
import type { bookingsOnCards } from './cards.server';
import { isPartOfOld, questionsOf, type Unfit, unfit, unfitForOld } from './claimable.server';
import { asColumnsOf, bookedColumns, booker, freeColumns, openColumns, type Room } from './columns.server';
import { hasStatus, isKnown, isOpen, isShown } from './conditions.server';
import { type BrokenRule, brokenRule } from './rules.server';
import { type Status, status } from './status';

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
    selectBookings().where(and(hasId(bookings, id), sql`${bookings.status} > 0`, booked)),
    selectUnbooked().where(and(hasId(slots, id), isShown, free)),
  );

const rules = {
  openTo: accounts.openTo,
  askEmail: accounts.askEmail,
  perPerson: accounts.perPerson,
  perDay: accounts.perDay,
};

/**
 * Selects an appointment, its provider's rules, and the rule that stops this account from booking. For a class it also
 * selects the account's booking.
 * @param service null to book the slot as it is
 * @param isMove the booking `except` moves there, so the later slots of its own time count as free
 */
export const selectBookable = (
  id: Placeholder,
  reader: { accountId: Placeholder; now: Placeholder; except: Placeholder; terms: Placeholder },
  service: Placeholder | null,
  isMove = false,
) => {
  const bookable = {
    ...bookedColumns,
    ...rules,
    rule: sql<BrokenRule | null>`NULL`.as('broken_rule'),
    unfit: sql<Unfit | null>`NULL`.as('unfit'),
  };
  const isThere = isMove ? sql`(${isOpen} OR ${isPartOfOld})` : isOpen;
  const slotColumns = {
    ...freeColumns,
    ...(isMove && { status: sql<Status>`iif(${isPartOfOld}, 0, ${slots.state})`.as('status') }),
    templateId: sql`${questionsOf({ isService: isMove || service !== null })}`.as('template_id'),
    ...rules,
    rule: sql<BrokenRule | null>`iif(${isThere}, ${brokenRule(sql`accounts`, reader)}, NULL)`.as('broken_rule'),
    unfit:
      sql<Unfit | null>`iif(${isThere}, ${isMove ? unfitForOld(reader.accountId) : unfit(service, reader.terms)}, NULL)`.as(
        'unfit',
      ),
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
    selectBooked().where(and(hasId(bookings, id), sql`${bookings.status} > 0`)),
    selectBooked().where(
      and(
        and(eq(bookings.bookerId, reader.accountId), hasStatus(status.booked)),
        sql`${bookings.startsAt} = ${startOf(id)} AND ${bookings.slotId} = ${id}`,
      ),
    ),
    isMove
      ? selectSlots()
          .innerJoin(old, hasId(old, reader.except))
          .leftJoin(wantedService, isWantedService(sql`old.service_id`))
          .where(and(hasId(slots, id), isKnown))
      : selectSlots()
          .leftJoin(wantedService, isWantedService(service))
          .where(and(hasId(slots, id), isKnown)),
  );
};

export const selectOpen = () =>
  orm.select(openColumns).from(slots).innerJoin(accounts, eq(accounts.id, slots.providerId));

export type Row = Awaited<ReturnType<typeof selectBookings>>[number];

/** Turns a row of selectAppointment into what this account may see of it. */
export function appointment(row: Row, reader: string): Appointment {
  const { bookerEmail, bookerPhone, providerEmail, privateNote, linkSeed, attendance } = row;
  const isProvider = reader === row.providerId;
  return {
    id: row.id,
    provider: row.provider,
    providerName: row.providerName,
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
    providerAddress: row.providerAddress,
    providerPhone: row.providerPhone,
    askPhone: row.askPhone,
    privateNote: isProvider ? privateNote : null,
    linkSeed: reader === row.bookerId ? linkSeed : null,
    cancelReason: row.cancelReason,
    movedFrom: row.movedFrom,
    movedTo: row.movedTo,
    seriesId: row.seriesId,
    changeableUntil: row.changeableUntil,
    calendarId: row.calendarId,
    sequence: row.sequence,
    attendance: isProvider && row.status === status.booked ? attendance : null,
  };
}

const seatsOf = (room: Room, state: Status) => room ?? { seats: 1, free: state === status.open ? 1 : 0 };

const unbooked = {
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
  providerEmail: null,
  providerAddress: null,
  providerPhone: null,
  askPhone: 'no' as const,
  privateNote: null,
  linkSeed: null,
  cancelReason: null,
  movedFrom: null,
  movedTo: null,
  seriesId: null,
  changeableUntil: null,
  sequence: 0,
  attendance: null,
};

export const openSlot = ({ room, ...row }: Awaited<ReturnType<typeof selectOpen>>[number]): Appointment => ({
  ...row,
  ...unbooked,
  ...seatsOf(room, status.open),
  slotId: row.id,
  calendarId: row.id,
});
