import { msg } from '@lingui/core/macro';
import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, people, templates } from '../../../db/schema';
import { startsIn } from '../../../db/starts-in';
import { orm, statement } from '../../../db/statement';
import { isBooked, isHeld } from '../../../db/states';
import type { By } from '../bookings/appointments';
import { byOf, json } from '../bookings/columns.server';
import { guestLinkSourceOf, languageOfClient } from '../people/client-columns.server';
import { aboutBooking, type TextAbout } from '../people/texts.server';
import type { Actor } from '../profile/accounts';
import type { Where } from '../services/where';
import { answersInWords } from '../templates/questions';
import { type Instant, type LocalDate, timeWords } from '../time/clock';
import { spanWords } from '../time/span-words';
import { momentWords } from '../time/when-words';
import { edgesOfDay, type Span } from '../time/zones';
import type { Words } from '../words/words';
import type { SheetLine } from './sheet';

/** A line, and what a text to its client is about; null without a number. */
export type SheetRow = SheetLine & { about: TextAbout | null };

/** A time that is held for somebody who waits, and the words that say so. */
type HeldSpan = Span & { words: Words };

/** The most lines of a sheet: eight hours, one every five minutes. */
export const mostOfDay = 96;

const ofDay = statement<{ me: string; from: Instant; until: Instant }>()(({ me, from, until }) =>
  orm
    .select({
      id: bookings.id,
      startsAt: bookings.startsAt,
      endsAt: bookings.endsAt,
      name: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('name'),
      username: accounts.username,
      service: bookings.serviceName,
      isStanding: sql<boolean>`${bookings.standingId} IS NOT NULL`.mapWith(Boolean).as('is_standing'),
      by: json<By | null>(byOf, 'by_member'),
      price: bookings.price,
      deposit: bookings.deposit,
      paid: bookings.paid,
      personId: bookings.personId,
      people: bookings.people,
      classId: bookings.slotId,
      phone: sql<string | null>`coalesce(${bookings.phone}, ${people.phone})`.as('number'),
      where: sql<Where | null>`${bookings.where}`.as('booked_where'),
      place: sql<string | null>`${bookings.place}`.as('booked_place'),
      answers: bookings.answers,
      answeredAt: bookings.answeredAt,
      questions: sql`${templates.questions}`.mapWith(templates.questions).as('asked'),
      privateNote: bookings.privateNote,
      attendance: bookings.attendance,
      timeZone: bookings.timeZone,
      lang: languageOfClient(accounts).as('client_lang'),
      linkSource: guestLinkSourceOf(accounts).as('guest_link'),
      seen: sql<number>`coalesce(${people.seen}, 0)`.as('seen'),
      excused: sql<number>`coalesce(${people.excused}, 0)`.as('excused'),
      missed: sql<number>`coalesce(${people.missed}, 0)`.as('missed'),
    })
    .from(bookings)
    .innerJoin(accounts, sql`${accounts.id} = ${bookings.bookerId}`)
    .leftJoin(people, sql`${ownedBy(me, people)} AND ${people.id} = ${bookings.personId}`)
    .leftJoin(templates, sql`${templates.id} = ${bookings.templateId}`)
    .where(
      sql`${ownedBy(me, bookings)} AND ${isBooked(bookings)}
        AND ${startsIn({ from, until }, bookings)}`,
    )
    .orderBy(bookings.startsAt, bookings.id)
    .limit(mostOfDay + 1),
);

const heldOn = statement<{ me: string; from: Instant; until: Instant; now: Instant }>()(({ me, from, until, now }) =>
  orm
    .select({
      startsAt: bookings.startsAt,
      endsAt: bookings.endsAt,
      heldUntil: sql<Instant>`${bookings.heldUntil}`.as('held_until'),
      name: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('name'),
    })
    .from(bookings)
    .innerJoin(accounts, sql`${accounts.id} = ${bookings.bookerId}`)
    .where(
      sql`${ownedBy(me, bookings)} AND ${isHeld(bookings)} AND ${bookings.heldUntil} > ${now}
        AND ${startsIn({ from, until }, bookings)}`,
    )
    .orderBy(bookings.startsAt, bookings.id),
);

/** Reads a day's bookings by start, whether there are more than fit on a sheet, and what is held for the waitlist. */
export async function readDaySheet(
  db: Db,
  { accountId, timeZone }: Actor,
  date: LocalDate,
  now: Instant,
): Promise<{ lines: SheetRow[]; held: HeldSpan[]; isCut: boolean }> {
  const values = { me: accountId, ...edgesOfDay(date, timeZone) };
  const { rows, holds } = await db.run({
    rows: ofDay(values),
    holds: heldOn({ ...values, now }),
  });
  const held = holds.map(({ startsAt, endsAt, heldUntil, name }) => {
    const [time, until] = [timeWords(startsAt, timeZone), momentWords(heldUntil, timeZone)];
    return { startsAt, endsAt, words: msg`${time} is held for ${name} until ${until}` };
  });
  const lines = rows.slice(0, mostOfDay).map((row): SheetRow => {
    const questions = row.questions ?? [];
    return {
      id: row.id,
      startsAt: row.startsAt,
      endsAt: row.endsAt,
      times: spanWords(row, timeZone),
      name: row.name,
      username: row.username,
      service: row.service,
      isStanding: row.isStanding,
      by: row.by?.displayName ?? null,
      price: row.price,
      deposit: row.deposit,
      paid: row.paid,
      personId: row.personId,
      people: row.people,
      classId: row.classId,
      phone: row.phone,
      where: row.where,
      place: row.place,
      about: aboutBooking(row, row, row.phone),
      answers: answersInWords(questions, row.answers),
      lacksAnswers: questions.length > 0 && row.answeredAt === null,
      privateNote: row.privateNote,
      attendance: row.attendance ?? 'unknown',
      hasBegun: row.startsAt <= now,
      attendanceCounts: { seen: row.seen, excused: row.excused, missed: row.missed },
    };
  });
  return { lines, held, isCut: rows.length > mostOfDay };
}
