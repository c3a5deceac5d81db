import { msg } from '@lingui/core/macro';
import { and, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { hasId, providerIn, providerOf, startOf } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { bookingStatus, isBooked, isToCome, wasBooked } from '../../../db/states';
import { conflict, type DomainError } from '../errors';
import { notFound } from '../not-found';
import { cardOf } from '../people/card-of.server';
import { type Actor, isOwnedBy } from '../profile/accounts';
import type { SubmittedAnswers } from '../templates/answers';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, type Row, selectAppointment, selectBookings } from './appointments.server';
import { ended, publishAgain } from './book.server';
import type { CheckedAnswers } from './claim-request.server';
import { bookedBy, isStillChangeable } from './conditions.server';
import { alreadyStarted, isChangeable, tooLate } from './deadline';
import { barredFrom, checkedAnswers, type FoundTime, selectFoundTime } from './found-time.server';
import { runAfterHolds } from './holds.server';
import { type Asker, actedBy, hasAccess, noLongerAllowed, selectAccess } from './link-owners.server';
import { columnsOfMoved, isOfSameProvider, takenAlong, whyNotForOld } from './movable.server';
import { alreadyThere, classStays, questionsChanged, slotTaken } from './refusals';
import { shopOf } from './rules.server';
import { questionsOf, slotWithService } from './slot-with-service.server';
import { status } from './status';
import { findTemplateOfMove } from './template-of.server';
import { isOfColleague, mayGoTo, tellOfPassedOn } from './with-colleague.server';

export type Move = {
  id: string;
  to: string;
  /** The answers to the new slot's questions. With null the old answers move along, if the questions are the same. */
  submitted: SubmittedAnswers | null;
  reason: string | null;
  /** True if a provider wants the old time to be published again. When a client moves, it always is. */
  republish?: boolean;
};

/**
 * Moves a booking to an open slot of the same provider, in one transaction; in a shop also to that of a colleague who does the
 * same for the same price, where its client or the desk moves it. The booking keeps its length and may use
 * later slots of its own time. A repeat returns the same. The rules bind clients, not the provider.
 * @throws DomainError not_found, conflict (taken, begun, canceled, too late, or a rule), invalid (the answers),
 * unauthenticated
 */
export async function moveAppointment(db: Db, asker: Asker, move: Move, now: Instant): Promise<Appointment> {
  const { id, to, submitted, reason, republish } = move;
  const seatId = newSeatId(to);
  const answered = submitted && (await readAnswersFor(db, asker, { id, to, submitted }, now));
  const created = sql`(SELECT new.id FROM ${bookings} AS new WHERE new.provider_id = ${providerOf(to)} AND new.starts_at = ${startOf(to)}
    AND (new.id = ${to} OR new.id = ${seatId}) AND new.moved_from = ${id} AND ${isBooked('new')})`;
  const isMoved = and(hasId(bookings, id), isBooked(bookings), sql`${created} IS NOT NULL`);
  const isPassedOn = providerIn(to) !== providerIn(id);
  const passing =
    isPassedOn && providerIn(id) === asker.accountId && 'sessionId' in asker ? passingOn(asker, id) : undefined;
  const {
    old: [old],
    other,
    moved: [moved],
    allowed: [allowed],
  } = await runAfterHolds(db, now, {
    claimed: claimOther(asker, { ...move, seatId, toldWith: passing?.act ?? null }, answered, now),
    published: republish ? publishAgain(and(isMoved, ownedBy(asker, bookings))) : undefined,
    ended: orm
      .update(bookings)
      .set(ended(asker, { reason, republish, movedTo: created, toldWith: passing?.act }, now))
      .where(isMoved),
    told: passing && tellOfPassedOn(passing, now),
    ...selectBoth(asker, move, now),
    allowed: selectAccess(asker, id, now),
  });
  if (moved?.slotId === to) return appointment(moved, passing ? moved.providerId : asker.accountId);
  if (old && !allowed?.may) throw noLongerAllowed(asker);
  const target = slotOf(other);
  const barred = barredFromMove(old, target, asker, now);
  throw barred ?? (answered && target?.templateId !== answered.templateId ? questionsChanged() : slotTaken());
}

/** What the desk moves to a colleague is told by this write. */
const passingOn = ({ accountId, memberId = accountId }: Actor, id: string) => ({
  ids: JSON.stringify([id]),
  act: newId(),
  memberId,
});

function newSeatId(slotId: string): string {
  const randomBytes = crypto.getRandomValues(new Uint8Array(6));
  return slotId.slice(0, -12) + Array.from(randomBytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function claimOther(
  asker: Asker,
  { id, to, seatId, toldWith }: Move & { seatId: string; toldWith: string | null },
  answered: CheckedAnswers | null,
  now: Instant,
) {
  const me = sql`${asker.accountId}`;
  const old = alias(bookings, 'old');
  const questions = questionsOf({ isService: true });
  const hasCheckedQuestions = answered ? sql`${questions} IS ${answered.templateId}` : sql`true`;
  const isOwner = ownedBy(me, 'old');
  const mayAsBooker = sql`old.booker_id = ${me} AND ${isStillChangeable(now, 'old')}`;
  const whyNot = whyNotForOld({ me, now: sql`${now}`, provider: sql`provider` });
  const member = 'linkSource' in asker ? sql`''` : sql`iif(${isOwner}, ${asker.memberId ?? asker.accountId}, '')`;
  return insertMoved(
    {
      id: sql`iif(slots.seats = 1, slots.id, ${seatId})`,
      movedBy: sql`iif(${isOwner}, 'provider', 'consumer')`,
      by: actedBy(asker),
      cancelUntil: sql`provider.cancel_until`,
      turn: sql`NULL`,
      toldWith,
      questions,
      answered,
    },
    sql`FROM bookings AS old CROSS JOIN ${slotWithService(sql`old.service_id`)}
        CROSS JOIN accounts AS provider ON provider.id = slots.provider_id
      WHERE ${hasId(old, id)} AND ${isToCome(now, 'old')}
        AND ${hasId(slots, to)} AND (${isOfSameProvider} OR ${isOfColleague} AND ${mayGoTo(sql`provider`, member)}) AND ${whyNot} IS NULL
        AND ${hasCheckedQuestions} AND (${isOwner} OR (${mayAsBooker})) AND ${hasAccess(asker, id, now)}`,
    now,
  );
}

/** What a booking has only once more happens to it than a move. All else moves along, or is said anew. */
type NotMoved =
  | 'canceledAt'
  | 'canceledBy'
  | 'reason'
  | 'withdraws'
  | 'movedTo'
  | 'heldUntil'
  | 'wishId'
  | 'standingId'
  | 'attendance';
type Moved = Record<Exclude<keyof typeof bookings.$inferInsert, NotMoved>, unknown>;

type MovedColumns = {
  id: SQL;
  movedBy: SQL;
  /** As actedBy. */
  by: SQL | string | null;
  /** What the booking has with another colleague, in place of what it had. */
  cancelUntil: SQL;
  turn: SQL;
  toldWith: string | null;
  /** SQL: the questions of the new time. */
  questions: SQL;
  answered: CheckedAnswers | null;
};

/**
 * Inserts what bookings become that move. With another colleague they get a card there, and leave behind what belongs to the
 * book that they were in: its private note, and its series.
 * @param from SQL, which names the booking `old`, the slot with its `service`, and the slot's `provider`
 */
export function insertMoved(
  { id, movedBy, by, cancelUntil, turn, toldWith, questions, answered }: MovedColumns,
  from: SQL,
  now: Instant,
) {
  const old = (column: string) => sql`old.${sql.identifier(column)}`;
  const ifPassedOn = (passedOn: SQL, kept: SQL) => sql`iif(${isOfSameProvider}, ${kept}, ${passedOn})`;
  const along = takenAlong(old, sql`${questions} IS old.template_id`, answered, now);
  return insertFrom(
    bookings,
    {
      ...columnsOfMoved,
      ...along,
      id,
      status: bookingStatus.booked,
      people: old('people'),
      bookerId: old('booker_id'),
      bookerName: old('booker_name'),
      bookedAt: now,
      shopId: shopOf(sql`slots.provider_id`),
      place: sql`iif(old.place_kind = 'video' AND NOT ${isOfSameProvider}, service.link, old.place)`,
      seriesId: ifPassedOn(sql`NULL`, old('series_id')),
      personId: ifPassedOn(cardOf(sql`slots.provider_id`, sql`old.booker_id`), along.personId),
      privateNote: ifPassedOn(sql`NULL`, along.privateNote),
      cancelUntil: ifPassedOn(cancelUntil, along.cancelUntil),
      turn: ifPassedOn(turn, along.turn),
      toldWith,
      movedFrom: old('id'),
      movedBy,
      actedBy: by,
    } satisfies Moved,
    from,
  );
}

const selectBoth = (asker: Asker, { id, to }: Pick<Move, 'id' | 'to'>, now: Instant) => {
  const isTheirs = or(ownedBy(asker, bookings), bookedBy(asker));
  // It may be in the book of a colleague now.
  const movedTo = sql`(SELECT moved_to FROM ${bookings} AS gone WHERE ${hasId(alias(bookings, 'gone'), id)}
    AND (${ownedBy(asker, 'gone')} OR gone.booker_id = ${asker.accountId}))`;
  return {
    old: selectAppointment(id, { booked: isTheirs, free: ownedBy(asker, slots) }),
    other: selectFoundTime(to, { accountId: asker.accountId, moved: id }, now),
    moved: selectBookings().where(and(hasId(bookings, movedTo), wasBooked(bookings))),
  };
};

/** Picks the slot to move to, or the booking that has it, and not a place of the client's in that class. */
const slotOf = (rows: FoundTime[]): FoundTime | undefined => rows.find(({ bookerId }) => bookerId === null) ?? rows[0];

/** Why the booking can't move there; undefined if it can. */
function barredFromMove(
  old: Row | undefined,
  other: FoundTime | undefined,
  asker: Asker,
  now: Instant,
): DomainError | undefined {
  if (old && !old.bookerId && old.room) return classStays();
  if (!old?.bookerId || !other) throw notFound('appointment');
  if (other.providerId !== old.providerId && other.bookerId !== null) return slotTaken();
  if (other.providerId !== old.providerId && !other.isOfColleague) throw notFound('appointment');
  if (old.status !== status.booked) return conflict(msg`This appointment is canceled.`);
  if (other.id === old.id || other.slotId === old.slotId) return conflict(alreadyThere);
  if (old.startsAt <= now) return alreadyStarted();
  const isMine = isOwnedBy(asker, old);
  if (!isMine && !isChangeable(old, now)) return tooLate(old, now);
  // A guest keeps their provider, whatever that one asks of new clients by now.
  const isNew = other.providerId !== old.providerId && !isMine;
  return barredFrom(other, { isGuest: isNew && old.username === null });
}

async function readAnswersFor(
  db: Db,
  asker: Asker,
  { id, to, submitted }: Pick<Move, 'id' | 'to'> & { submitted: SubmittedAnswers },
  now: Instant,
): Promise<CheckedAnswers> {
  const [
    {
      old: [old],
      other,
      moved: [moved],
    },
    template,
  ] = await Promise.all([db.run(selectBoth(asker, { id, to }, now)), findTemplateOfMove(db, { id, to })]);
  if (moved?.slotId === to) return { answers: moved.answers, templateId: moved.templateId };
  const barred = barredFromMove(old, slotOf(other), asker, now);
  return checkedAnswers({ own: undefined, barred, questions: template }, submitted);
}
