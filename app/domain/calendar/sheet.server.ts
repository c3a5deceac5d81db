import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, bookings, people, slots, templates } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import type { Attendance } from '../appointments/appointments';
import { answerAsOffered } from '../templates/questions';
import { type Instant, type LocalDate, localTimeOf } from '../time/clock';
import { endOfDay, startOfDay } from '../time/zones';
import type { Came } from './came';

/** One appointment of a day sheet. */
export type SheetLine = {
  id: string;
  /** By the provider's clock. */
  times: string;
  name: string;
  username: string | null;
  answers: { question: string; answer: string }[];
  isOwed: boolean;
  privateNote: string | null;
  attendance: Attendance;
  hasBegun: boolean;
  came: Came;
};

/** How many appointments a sheet holds: one each five minutes of eight hours. */
const mostOfDay = 96;

const ofDay = statement<{ me: string; from: Instant; until: Instant }>()(({ me, from, until }) =>
  orm
    .select({
      id: slots.id,
      startsAt: slots.startsAt,
      endsAt: slots.endsAt,
      name: sql<string>`${accounts.displayName}`.as('name'),
      username: accounts.username,
      answers: bookings.answers,
      answeredAt: bookings.answeredAt,
      questions: sql`${templates.questions}`.mapWith(templates.questions).as('asked'),
      privateNote: bookings.privateNote,
      attendance: bookings.attendance,
      seen: sql<number>`coalesce(${people.seen}, 0)`.as('seen'),
      excused: sql<number>`coalesce(${people.excused}, 0)`.as('excused'),
      missed: sql<number>`coalesce(${people.missed}, 0)`.as('missed'),
    })
    .from(slots)
    .innerJoin(bookings, sql`${bookings.slotId} = ${slots.id} AND ${bookings.number} = 0`)
    .innerJoin(accounts, sql`${accounts.id} = ${bookings.bookerId}`)
    .leftJoin(people, sql`${people.providerId} = ${me} AND ${people.personId} = ${bookings.bookerId}`)
    .leftJoin(templates, sql`${templates.id} = ${slots.templateId}`)
    .where(
      sql`${slots.providerId} = ${me} AND ${slots.status} = 1 AND ${slots.startsAt} >= ${from} AND ${slots.startsAt} < ${until}`,
    )
    .orderBy(slots.startsAt)
    .limit(mostOfDay + 1),
);

/** Lists what is booked with the actor on one day of their zone, by start, and whether there is more than a sheet holds. */
export async function readDaySheet(
  db: Db,
  { accountId, timeZone }: Actor,
  date: LocalDate,
  now: Instant,
): Promise<{ lines: SheetLine[]; isCut: boolean }> {
  const edges = { from: startOfDay(date, timeZone), until: endOfDay(date, timeZone) };
  const [rows] = await db.run(ofDay({ me: accountId, ...edges }));
  const lines = rows.slice(0, mostOfDay).map((row): SheetLine => {
    const questions = row.questions ?? [];
    return {
      id: row.id,
      times: `${localTimeOf(row.startsAt, timeZone)} to ${localTimeOf(row.endsAt, timeZone)}`,
      name: row.name,
      username: row.username,
      answers: row.answers.map((answer) => ({ question: answer.question, answer: answerAsOffered(questions, answer) })),
      isOwed: questions.length > 0 && row.answeredAt === null,
      privateNote: row.privateNote,
      attendance: row.attendance ?? 'unknown',
      hasBegun: row.startsAt <= now,
      came: { seen: row.seen, excused: row.excused, missed: row.missed },
    };
  });
  return { lines, isCut: rows.length > mostOfDay };
}
