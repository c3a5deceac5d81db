import { and, eq, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, bookings, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { hasEnded, isBooked } from '../../../db/states';
import { linkSourceOf } from '../people/client-columns.server';
import type { Rules } from '../profile/rules';
import type { Appointment } from './appointments';
import { openSlot } from './appointments.server';
import { bookedAsOpen, changeableUntil, changeableUntilIfBooked, contactColumns, openColumns } from './columns.server';

// What the form of a time says before anybody books it.

type Bookable = Pick<Rules, 'openTo' | 'askEmail' | 'askPhone'> & {
  appointment: Appointment;
  providerId: string;
  /** The seed and the id of which the personal link is made; null for everybody but the booker. */
  linkSource: string | null;
  /** The booker whose session it is; null for everybody but them. */
  bookerId: string | null;
};

/** Who looks at a time: an account, or whoever has the session that its booking opened. */
type Onlooker = { accountId: string } | { sessionId: string };

const { openTo, askEmail } = accounts;

// A canceled booking has an id of its own, and no slot has that id.
const offered = statement<{ id: string; reader: string; session: string }>()(({ id, reader, session }) => {
  const ofSlot = sql`${isBooked(bookings)} AND ${bookings.startsAt} = ${slots.startsAt}
    AND coalesce(${bookings.slotId}, ${bookings.id}) = ${slots.id}`;
  const ownBooker = sql`(SELECT ${bookings.bookerId} FROM ${bookings} WHERE ${session} <> ''
    AND ${bookings.providerId} = ${slots.providerId} AND ${ofSlot}
    AND EXISTS (SELECT 1 FROM sessions WHERE account_id = ${bookings.bookerId} AND id = ${session}))`;
  return unionAll(
    orm
      .select({
        ...openColumns,
        openTo,
        askEmail,
        ...contactColumns,
        changeableUntil: changeableUntilIfBooked.as('changeable_until'),
        providerId: slots.providerId,
        linkSource: sql<string | null>`(SELECT ${linkSourceOf} FROM ${bookings}
          WHERE ${bookings.bookerId} = coalesce(nullif(${reader}, ''), ${ownBooker}) AND ${ofSlot})`.as('own_link'),
        bookerId: sql<string | null>`${ownBooker}`.as('own_booker'),
      })
      .from(slots)
      .innerJoin(accounts, eq(accounts.id, slots.providerId))
      .where(hasId(slots, id)),
    orm
      .select({
        ...bookedAsOpen,
        openTo,
        askEmail,
        ...contactColumns,
        changeableUntil: changeableUntil.as('changeable_until'),
        providerId: bookings.providerId,
        linkSource: sql<string | null>`NULL`.as('own_link'),
        bookerId: sql<string | null>`NULL`.as('own_booker'),
      })
      .from(bookings)
      .innerJoin(accounts, eq(accounts.id, bookings.providerId))
      .where(and(hasId(bookings, id), hasEnded(bookings))),
  );
});

/** Finds a slot and its provider's rules; undefined if there is none. The result doesn't tell who booked the slot. */
export async function findBookable(db: Db, id: string, reader: Onlooker | null): Promise<Bookable | undefined> {
  const { accountId = '', sessionId = '' } = { ...reader } as { accountId?: string; sessionId?: string };
  const [[row]] = await db.run(offered({ id, reader: accountId, session: sessionId }));
  if (!row) return undefined;
  const {
    openTo,
    askEmail,
    askPhone,
    providerAddress,
    providerPhone,
    changeableUntil,
    providerId,
    linkSource,
    bookerId,
    ...slot
  } = row;
  const appointment = { ...openSlot(slot), changeableUntil, providerAddress, providerPhone };
  return { appointment, openTo, askEmail, askPhone, providerId, linkSource, bookerId };
}
