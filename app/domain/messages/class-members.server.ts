import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { startOf } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { bookings } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import { booker, phoneOfBooking } from '../bookings/columns.server';
import { limits } from '../input/limits';
import { guestLinkSourceOf, languageOfClient } from '../people/client-columns.server';
import { aboutBooking, type TextAbout } from '../people/texts.server';
import type { Actor } from '../profile/accounts';
import type { Way } from './ways';
import { wayToBooker } from './ways.server';

export type ClassMember = {
  id: string;
  name: string;
  people: number;
  phone: string | null;
  way: Way;
  /** What a text to them is about; null without a number. */
  about: TextAbout | null;
};

const members = statement<{ me: string; id: string; hasMail: number }>()(({ me, id, hasMail }) =>
  orm
    .select({
      id: sql<string>`${bookings.id}`.as('booking_id'),
      name: sql<string>`${booker.displayName}`.mapWith(booker.displayName).as('member'),
      people: bookings.people,
      phone: phoneOfBooking.as('number'),
      way: wayToBooker(hasMail).as('way'),
      startsAt: bookings.startsAt,
      timeZone: bookings.timeZone,
      lang: languageOfClient(booker).as('member_lang'),
      linkSource: guestLinkSourceOf(booker).as('guest_link'),
    })
    .from(bookings)
    .crossJoin(booker)
    .where(
      and(
        and(ownedBy(me, bookings), isBooked(bookings), eq(booker.id, bookings.bookerId)),
        sql`${bookings.startsAt} = ${startOf(id)} AND ${bookings.slotId} = ${id}`,
      ),
    )
    .orderBy(sql`${booker.displaySortKey}, ${bookings.id}`)
    .limit(limits.service.seats),
);

/** Lists the people of a class by name; empty if the id is not a class. */
export async function listMembers(
  db: Db,
  { accountId: me }: Actor,
  id: string,
  hasMail: boolean,
): Promise<ClassMember[]> {
  const { rows } = await db.run({ rows: members({ me, id, hasMail: hasMail ? 1 : 0 }) });
  return rows.map(({ startsAt, timeZone, lang, linkSource, ...member }) => ({
    ...member,
    about: aboutBooking({ id: member.id, startsAt, timeZone }, { lang, linkSource }, member.phone),
  }));
}
