import { and, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict, type DomainError, notFound } from '../errors';
import { readAnswers } from '../templates/answers';
import type { Answer } from '../templates/questions';
import { findTemplateOfMove } from '../templates/templates.server';
import { type Instant, minute } from '../time/clock';
import { endHolds } from '../waitlist/holds.server';
import type { Appointment } from './appointments';
import { appointment, type Row, selectAppointment, selectBookings } from './appointments.server';
import { ended, publishAgain, type SubmittedAnswers } from './book.server';
import { type Claimed, claimedBy, hasNoSeat, notFree, questionsChanged, selectClaimed } from './claim.server';
import { columnsOfMoved, isPartOfOld, questionsOf, slotWithService, unfitForOld } from './claimable.server';
import { givenBy, hasStatus, heldBy, publishedBy } from './conditions.server';
import { alreadyStarted, isChangeable, tooLate } from './deadline';
import { type Booker, hasAccess, noLongerAllowed, selectAccess } from './link-holders.server';
import { alreadyThere, classStays, ruledOut, slotTaken } from './refusals';
import { brokenRule } from './rules.server';
import { status } from './status';

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
  const checkedAnswers = submitted && (await readAnswersFor(db, booker, { id, to, submitted }, now));
  const created = sql`(SELECT new.id FROM ${bookings} AS new WHERE new.provider_id = ${providerOf(to)} AND new.starts_at = ${startOf(to)}
    AND (new.id = ${to} OR new.id = ${seatId}) AND new.moved_from = ${id} AND new.status = 1)`;
  const isMoved = and(hasId(bookings, id), hasStatus(status.booked), sql`${created} IS NOT NULL`);
  const {
    old: [old],
    other,
    moved: [moved],
    allowed: [allowed],
  } = await db.run({
    overdue: endHolds(now),
    claimed: claimOther(booker, { ...move, seatId }, checkedAnswers, now),
    published: republish ? publishAgain(and(isMoved, givenBy(booker))) : undefined,
    ended: orm
      .update(bookings)
      .set(ended(booker, { reason, republish, movedTo: created }, now))
      .where(isMoved),
    ...selectBoth(booker, move, now),
    allowed: selectAccess(booker, id, now),
  });
  if (moved?.slotId === to) return appointment(moved, booker.accountId);
  if (old && !allowed?.may) throw noLongerAllowed(booker);
  const target = claimedBy(other, booker.accountId);
  const refusal = refusalOf(old, target, booker, now);
  throw (
    refusal ?? (checkedAnswers && target?.templateId !== checkedAnswers.templateId ? questionsChanged() : slotTaken())
  );
}

function newSeatId(slotId: string): string {
  const randomBytes = crypto.getRandomValues(new Uint8Array(6));
  return slotId.slice(0, -12) + Array.from(randomBytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `templateId` is null if there are no questions. */
type CheckedAnswers = { answers: Answer[]; templateId: string | null };

function claimOther(
  booker: Booker,
  { id, to, seatId }: Move & { seatId: string },
  checkedAnswers: CheckedAnswers | null,
  now: Instant,
) {
  const me = booker.accountId;
  const old = alias(bookings, 'old');
  const answers = checkedAnswers?.answers;
  const questions = questionsOf({ isService: true });
  const hasCheckedQuestions = checkedAnswers ? sql`${questions} IS ${checkedAnswers.templateId}` : sql`true`;
  const columnOfOld = (column: string, fallback: string) =>
    sql`iif(${questions} IS old.template_id, old.${sql.identifier(column)}, ${sql.raw(fallback)})`;
  const isOwner = sql`old.provider_id = ${me}`;
  const mayAsBooker = sql`old.booker_id = ${me} AND old.starts_at - old.cancel_until * ${sql.raw(String(minute))} >= ${now}
    AND ${brokenRule(sql`provider`, { accountId: sql`old.booker_id`, now, except: id })} IS NULL`;
  return insertFrom(
    bookings,
    {
      ...columnsOfMoved,
      id: sql`iif(slots.seats = 1, slots.id, ${seatId})`,
      status: status.booked,
      people: sql`old.people`,
      bookerId: sql`old.booker_id`,
      personId: sql`old.person_id`,
      bookedAt: now,
      answers: answers ? answers : columnOfOld('answers', "'[]'"),
      answeredAt: answers ? now : columnOfOld('answered_at', 'NULL'),
      linkSeed: sql`old.link_seed`,
      claimHash: sql`old.claim_hash`,
      seriesId: sql`old.series_id`,
      privateNote: sql`old.private_note`,
      phone: sql`old.phone`,
      email: sql`old.email`,
      emailHash: sql`old.email_hash`,
      cancelUntil: sql`old.cancel_until`,
      movedFrom: id,
      movedBy: sql`iif(${isOwner}, 'provider', 'consumer')`,
      calendarId: sql`coalesce(old.calendar_id, old.id)`,
      sequence: sql`old.sequence + 1`,
    },
    sql`FROM bookings AS old CROSS JOIN ${slotWithService(sql`old.service_id`)}
        CROSS JOIN accounts AS provider ON provider.id = old.provider_id
      WHERE ${hasId(old, id)} AND old.status = 1 AND old.starts_at > ${now}
        AND ${hasId(slots, to)} AND slots.starts_at > ${now} AND slots.provider_id = old.provider_id
        AND (slots.state = 0 AND slots.taken + old.people <= slots.seats AND slots.starts_at <> old.starts_at OR ${isPartOfOld})
        AND ${unfitForOld(me)} IS NULL AND ${hasNoSeat(sql`old.booker_id`)}
        AND ${hasCheckedQuestions} AND (${isOwner} OR (${mayAsBooker})) AND ${hasAccess(booker, id, now)}`,
  );
}

const selectBoth = (booker: Booker, { id, to }: Pick<Move, 'id' | 'to'>, now: Instant) => {
  const isTheirs = or(givenBy(booker), heldBy(booker));
  const movedTo = sql`(SELECT moved_to FROM ${bookings} AS gone WHERE ${hasId(alias(bookings, 'gone'), id)})`;
  return {
    old: selectAppointment(id, { booked: isTheirs, free: publishedBy(booker) }),
    other: selectClaimed(to, booker.accountId, now, { moved: id }),
    moved: selectBookings().where(and(hasId(bookings, movedTo), sql`${bookings.status} > 0`, isTheirs)),
  };
};

/** The reason why the booking can't move there; undefined if it can. */
function refusalOf(
  old: Row | undefined,
  other: Claimed | undefined,
  booker: Booker,
  now: Instant,
): DomainError | undefined {
  if (old && !old.bookerId && old.room) return classStays();
  if (!old?.bookerId || other?.providerId !== old.providerId) throw notFound('appointment');
  if (old.status !== status.booked) return conflict('This appointment is canceled.');
  if (other.id === old.id || other.slotId === old.slotId) return conflict(alreadyThere);
  if (old.startsAt <= now) return alreadyStarted();
  const isBooker = old.providerId !== booker.accountId;
  if (isBooker && !isChangeable(old, now)) return tooLate(old, now);
  return (
    notFree(other, now, old.people ?? 1) ??
    (isBooker && other.rule ? ruledOut({ ...other, rule: other.rule }) : undefined)
  );
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
  const refusal = refusalOf(old, claimedBy(other, booker.accountId), booker, now);
  if (refusal) throw refusal;
  const questions = template?.questions ?? [];
  return { answers: readAnswers(questions, submitted(questions)), templateId: template?.id ?? null };
}
