import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, bookings, people, slots } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import type { Attendance } from '../appointments/appointments';
import { notFound } from '../errors';
import { type Page, pageOf, pageSize } from '../input/fields';
import { fold } from '../input/fold';
import type { Instant, LocalDate } from '../time/clock';
import type { Came } from './came';

/* The people who have booked with a provider. Nobody sees those of another. */

/** One of them, with how often they came. */
export type Person = Came & { id: string; name: string; username: string | null };

const columns = {
  id: people.personId,
  name: sql<string>`${accounts.displayName}`.as('person_name'),
  username: accounts.username,
  seen: people.seen,
  excused: people.excused,
  missed: people.missed,
};

const byName = statementBy<{ isSearch: boolean }, { me: string; q: string; skip: number }>()(
  ({ isSearch }, { me, q, skip }) =>
    orm
      .select(columns)
      .from(people)
      .crossJoin(accounts)
      .where(
        and(
          eq(people.providerId, me),
          isSearch ? sql`instr(${people.nameFolded}, ${q}) > 0` : undefined,
          eq(accounts.id, people.personId),
        ),
      )
      .orderBy(asc(people.nameFolded), asc(people.personId))
      .limit(pageSize + 1)
      .offset(skip),
);

/**
 * Lists whom the actor has had, by name: all, or those whose name contains `q` in any case. A search looks at the names of
 * all of them, at most.
 */
export async function listPeople(
  db: Db,
  actor: Actor,
  { q, page }: { q: string; page: number },
): Promise<Page<Person>> {
  const folded = fold(q.trim());
  const values = { me: actor.accountId, q: folded, skip: page * pageSize };
  const [rows] = await db.run(byName({ isSearch: folded !== '' }, values));
  return pageOf(rows);
}

/** An appointment of one person with the actor. */
export type Visit = {
  id: string;
  startsAt: Instant;
  endsAt: Instant;
  date: LocalDate;
  timeZone: string;
  attendance: Attendance | null;
  privateNote: string | null;
};

const one = statement<{ me: string; id: string }>()(({ me, id }) =>
  orm
    .select(columns)
    .from(people)
    .crossJoin(accounts)
    .where(and(eq(people.providerId, me), eq(people.personId, id), eq(accounts.id, people.personId))),
);

const visits = statementBy<{ isPast: boolean }, { me: string; id: string; now: Instant; skip: number }>()(
  ({ isPast }, { me, id, now, skip }) =>
    orm
      .select({
        id: slots.id,
        startsAt: slots.startsAt,
        endsAt: slots.endsAt,
        date: slots.localDate,
        timeZone: slots.timeZone,
        attendance: bookings.attendance,
        privateNote: bookings.privateNote,
      })
      .from(bookings)
      .crossJoin(slots)
      .where(
        and(
          eq(bookings.bookerId, id),
          sql`${bookings.isCanceled} = 0`,
          isPast ? sql`${bookings.startsAt} <= ${now}` : sql`${bookings.startsAt} > ${now}`,
          eq(slots.id, bookings.slotId),
          eq(slots.providerId, me),
        ),
      )
      .orderBy(isPast ? desc(bookings.startsAt) : asc(bookings.startsAt))
      .limit(pageSize + 1)
      .offset(skip),
);

/**
 * Reads one of the actor's people with what they have had, newest first, a page at a time, and the next twenty that are to
 * come.
 * @throws DomainError not_found (nobody who has booked with the actor)
 */
export async function getPerson(db: Db, actor: Actor, id: string, page: number, now: Instant) {
  const given = { me: actor.accountId, id, now };
  const [[person], coming, past] = await db.run(
    one({ me: actor.accountId, id }),
    visits({ isPast: false }, { ...given, skip: 0 }),
    visits({ isPast: true }, { ...given, skip: page * pageSize }),
  );
  if (!person) throw notFound('person');
  return { person, coming: coming.slice(0, pageSize), past: pageOf(past) };
}

const ofSlot = statement<{ me: string; slot: string }>()(({ me, slot }) =>
  orm
    .select({ id: people.personId, seen: people.seen, excused: people.excused, missed: people.missed })
    .from(people)
    .where(
      and(
        eq(people.providerId, me),
        eq(people.personId, sql`(SELECT booker_id FROM bookings WHERE slot_id = ${slot} AND number = 0)`),
      ),
    ),
);

/** Finds how often whoever has booked this slot came to the actor; undefined where nobody has, or it is another's. */
export async function findRecord(db: Db, actor: Actor, slot: string): Promise<(Came & { id: string }) | undefined> {
  const [[found]] = await db.run(ofSlot({ me: actor.accountId, slot }));
  return found;
}
