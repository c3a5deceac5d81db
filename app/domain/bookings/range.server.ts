import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, templates } from '../../../db/schema';
import { startsIn } from '../../../db/starts-in';
import { orm, statement } from '../../../db/statement';
import { hasEnded, wasBooked } from '../../../db/states';
import { entryOf } from '../people/client-columns.server';
import type { Actor } from '../profile/accounts';
import { referenceFrom } from '../services/references';
import type { Where } from '../services/where';
import type { Answer } from '../templates/questions';
import { answersInWords } from '../templates/questions';
import { type Instant, type LocalDate, type LocalTime, localDateOf, localTimeOf } from '../time/clock';
import { edgesOfDays } from '../time/zones';
import type { DayRange } from './range';

export type ListedBooking = {
  id: string;
  date: LocalDate;
  start: LocalTime;
  end: LocalTime;
  name: string;
  username: string | null;
  /** A guest's address; null for an account, which doesn't show its address. */
  email: string | null;
  phone: string | null;
  service: string | null;
  deposit: string | null;
  reference: string | null;
  paid: boolean;
  people: number;
  isCanceled: boolean;
  canceledBy: 'provider' | 'consumer' | null;
  movedTo: string | null;
  reason: string | null;
  attendance: 'seen' | 'excused' | 'missed' | null;
  notes: string | null;
  privateNote: string | null;
  answers: Answer[];
  bookedAt: Instant;
  where: Where | null;
  place: string | null;
};

const ofRange = statement<{ me: string; from: Instant; until: Instant }>()(({ me, from, until }) =>
  orm
    .select({
      id: bookings.id,
      startsAt: bookings.startsAt,
      endsAt: bookings.endsAt,
      name: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('name'),
      username: accounts.username,
      email: sql<
        string | null
      >`iif(${accounts.username} IS NULL, coalesce(${bookings.email}, ${accounts.email}), NULL)`.as('written_to'),
      phone: bookings.phone,
      service: bookings.serviceName,
      deposit: bookings.deposit,
      paid: bookings.paid,
      entryId: entryOf.as('entry_id'),
      people: bookings.people,
      isCanceled: sql<boolean>`${hasEnded(bookings)}`.mapWith(Boolean).as('is_canceled'),
      canceledBy: bookings.canceledBy,
      movedTo: bookings.movedTo,
      reason: bookings.reason,
      attendance: bookings.attendance,
      notes: bookings.notes,
      privateNote: bookings.privateNote,
      answers: bookings.answers,
      bookedAt: bookings.bookedAt,
      where: bookings.where,
      place: bookings.place,
      questions: sql`coalesce(${templates.questions}, '[]')`.mapWith(templates.questions).as('asked'),
    })
    .from(bookings)
    .innerJoin(accounts, eq(accounts.id, bookings.bookerId))
    .leftJoin(templates, eq(templates.id, bookings.templateId))
    .where(and(ownedBy(me, bookings), wasBooked(bookings), startsIn({ from, until }, bookings)))
    .orderBy(asc(bookings.startsAt), asc(bookings.id)),
);

/** Lists bookings by start, on days of the actor's time zone. Canceled ones are listed too. */
export async function listBookings(
  db: Db,
  { accountId, timeZone }: Actor,
  { from, to }: DayRange,
): Promise<ListedBooking[]> {
  const { rows } = await db.run({ rows: ofRange({ me: accountId, ...edgesOfDays(from, to, timeZone) }) });
  return rows.map(({ questions, startsAt, endsAt, entryId, ...row }) => ({
    ...row,
    reference: row.deposit ? referenceFrom(entryId) : null,
    date: localDateOf(startsAt, timeZone),
    start: localTimeOf(startsAt, timeZone),
    end: localTimeOf(endsAt, timeZone),
    answers: answersInWords(questions, row.answers),
  }));
}
