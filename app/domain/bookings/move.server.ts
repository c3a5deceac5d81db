import { msg } from '@lingui/core/macro';
import { and, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked, wasBooked } from '../../../db/states';
import { conflict, type DomainError, notFound } from '../errors';
import { type Instant, minute } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, type Row, selectAppointment, selectBookings } from './appointments.server';
import { ended, publishAgain } from './book.server';
import type { CheckedAnswers } from './claim.server';
import { columnsOfMoved, questionsOf, slotWithService, takenAlong, whyNotForOld } from './claimable.server';
import { barredFrom, type Claimed, checkedAnswers, type SubmittedAnswers, selectClaimed } from './claimed.server';
import { bookedBy } from './conditions.server';
import { alreadyStarted, isChangeable, tooLate } from './deadline';
import { runAfterHolds } from './holds.server';
import { actedBy, type Booker, hasAccess, noLongerAllowed, selectAccess } from './link-owners.server';
import { alreadyThere, classStays, questionsChanged, slotTaken } from './refusals';
import { shopOf } from './rules.server';
import { status } from './status';
import { findTemplateOfMove } from './template-of.server';

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
 * Moves a booking to an open slot of the same provider, in one transaction. The booking keeps its length and may use
 * later slots of its own time. A repeat returns the same. The rules bind clients, not the provider.
 * @throws DomainError not_found, conflict (taken, begun, canceled, too late, or a rule), invalid (the answers),
 * unauthenticated
 */
export async function moveAppointment(db: Db, booker: Booker, move: Move, now: Instant): Promise<Appointment> {
  const { id, to, submitted, reason, republish } = move;
  const seatId = newSeatId(to);
  const answered = submitted && (await readAnswersFor(db, booker, { id, to, submitted }, now));
  const created = sql`(SELECT new.id FROM ${bookings} AS new WHERE new.provider_id = ${providerOf(to)} AND new.starts_at = ${startOf(to)}
    AND (new.id = ${to} OR new.id = ${seatId}) AND new.moved_from = ${id} AND ${isBooked('new')})`;
  const isMoved = and(hasId(bookings, id), isBooked(bookings), sql`${created} IS NOT NULL`);
  const {
    old: [old],
    other,
    moved: [moved],
    allowed: [allowed],
  } = await runAfterHolds(db, now, {
    claimed: claimOther(booker, { ...move, seatId }, answered, now),
    published: republish ? publishAgain(and(isMoved, ownedBy(booker, bookings))) : undefined,
    ended: orm
      .update(bookings)
      .set(ended(booker, { reason, republish, movedTo: created }, now))
      .where(isMoved),
    ...selectBoth(booker, move, now),
    allowed: selectAccess(booker, id, now),
  });
  if (moved?.slotId === to) return appointment(moved, booker.accountId);
  if (old && !allowed?.may) throw noLongerAllowed(booker);
  const target = slotOf(other);
  const barred = barredFromMove(old, target, booker, now);
  throw barred ?? (answered && target?.templateId !== answered.templateId ? questionsChanged() : slotTaken());
}

function newSeatId(slotId: string): string {
  const randomBytes = crypto.getRandomValues(new Uint8Array(6));
  return slotId.slice(0, -12) + Array.from(randomBytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function claimOther(
  booker: Booker,
  { id, to, seatId }: Move & { seatId: string },
  answered: CheckedAnswers | null,
  now: Instant,
) {
  const me = sql`${booker.accountId}`;
  const old = alias(bookings, 'old');
  const questions = questionsOf({ isService: true });
  const hasCheckedQuestions = answered ? sql`${questions} IS ${answered.templateId}` : sql`true`;
  const isOwner = ownedBy(me, 'old');
  const mayAsBooker = sql`old.booker_id = ${me} AND old.starts_at - old.cancel_until * ${sql.raw(String(minute))} >= ${now}`;
  const whyNot = whyNotForOld({ me, now: sql`${now}`, provider: sql`provider` });
  return insertFrom(
    bookings,
    {
      ...columnsOfMoved,
      id: sql`iif(slots.seats = 1, slots.id, ${seatId})`,
      status: status.booked,
      people: sql`old.people`,
      bookerId: sql`old.booker_id`,
      bookedAt: now,
      shopId: shopOf(sql`old.provider_id`),
      seriesId: sql`old.series_id`,
      ...takenAlong(
        (column) => sql`old.${sql.identifier(column)}`,
        sql`${questions} IS old.template_id`,
        answered,
        now,
      ),
      movedFrom: id,
      movedBy: sql`iif(${isOwner}, 'provider', 'consumer')`,
      actedBy: actedBy(booker),
    },
    sql`FROM bookings AS old CROSS JOIN ${slotWithService(sql`old.service_id`)}
        CROSS JOIN accounts AS provider ON provider.id = old.provider_id
      WHERE ${hasId(old, id)} AND ${isBooked('old')} AND old.starts_at > ${now}
        AND ${hasId(slots, to)} AND slots.provider_id = old.provider_id AND ${whyNot} IS NULL
        AND ${hasCheckedQuestions} AND (${isOwner} OR (${mayAsBooker})) AND ${hasAccess(booker, id, now)}`,
  );
}

const selectBoth = (booker: Booker, { id, to }: Pick<Move, 'id' | 'to'>, now: Instant) => {
  const isTheirs = or(ownedBy(booker, bookings), bookedBy(booker));
  const movedTo = sql`(SELECT moved_to FROM ${bookings} AS gone WHERE ${hasId(alias(bookings, 'gone'), id)})`;
  return {
    old: selectAppointment(id, { booked: isTheirs, free: ownedBy(booker, slots) }),
    other: selectClaimed(to, { accountId: booker.accountId, moved: id }, now),
    moved: selectBookings().where(and(hasId(bookings, movedTo), wasBooked(bookings), isTheirs)),
  };
};

/** Picks the slot to move to, or the booking that has it, and not a place of the booker's in that class. */
const slotOf = (rows: Claimed[]): Claimed | undefined => rows.find(({ bookerId }) => bookerId === null) ?? rows[0];

/** Why the booking can't move there; undefined if it can. */
function barredFromMove(
  old: Row | undefined,
  other: Claimed | undefined,
  booker: Booker,
  now: Instant,
): DomainError | undefined {
  if (old && !old.bookerId && old.room) return classStays();
  if (!old?.bookerId || other?.providerId !== old.providerId) throw notFound('appointment');
  if (old.status !== status.booked) return conflict(msg`This appointment is canceled.`);
  if (other.id === old.id || other.slotId === old.slotId) return conflict(alreadyThere);
  if (old.startsAt <= now) return alreadyStarted();
  if (old.providerId !== booker.accountId && !isChangeable(old, now)) return tooLate(old, now);
  return barredFrom(other, { isGuest: false });
}

async function readAnswersFor(
  db: Db,
  booker: Booker,
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
  ] = await Promise.all([db.run(selectBoth(booker, { id, to }, now)), findTemplateOfMove(db, { id, to })]);
  if (moved?.slotId === to) return { answers: moved.answers, templateId: moved.templateId };
  const barred = barredFromMove(old, slotOf(other), booker, now);
  return checkedAnswers({ own: undefined, barred, questions: template }, submitted);
}
