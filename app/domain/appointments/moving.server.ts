import { and, eq, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict, type DomainError, notFound } from '../errors';
import { readAnswers } from '../templates/answers';
import type { Answer } from '../templates/questions';
import { findTemplateOfSlot } from '../templates/templates.server';
import { type Instant, minute } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, heldBy, isIn, publishedBy, type Row, selectAppointments } from './appointments.server';
import { brokenRule } from './bookable.server';
import { type Booker, mayNoLonger, selectMay, stillMay } from './bookers.server';
import type { SubmittedAnswers } from './bookings.server';
import { askedAnew, type Claimed, selectClaimed } from './claiming.server';
import { isChangeable, started, tooLate } from './deadline';
import { alreadyThere, gone, ruledOut } from './refusals';
import { republish } from './republishing.server';
import { status } from './status';

/** A move as it is asked for. */
export type Move = {
  id: string;
  /** An open slot of the same provider. */
  to: string;
  /** Gives the answers to the questions of the other slot. With null those of this one go along, where they are the same. */
  submitted: SubmittedAnswers | null;
  /** In the words of whoever moves it. */
  reason: string | null;
};

/**
 * Moves a booked appointment to an open slot of the same provider, in one transaction: the person has the other slot, and
 * this one is canceled. Where the booker moves it, its time is published again. Where the other slot is gone, the booking
 * stands as it is. A repeat returns the same. The provider is bound by no rule of theirs.
 * @returns the appointment at its new time
 * @throws DomainError not_found (either of the two; the link is another by now), conflict (gone, begun, canceled, too late, or a
 *   rule), invalid (the answers), unauthenticated
 */
export async function moveAppointment(db: Db, who: Booker, move: Move, now: Instant): Promise<Appointment> {
  const { id, to, submitted, reason } = move;
  const judged = submitted && (await readAnswersFor(db, who, { id, to, submitted }, now));
  const isMoved = sql`EXISTS (SELECT 1 FROM bookings WHERE slot_id = ${to} AND number = 0 AND moved_from = ${id})`;
  const results = await db.run(
    claimOther(who, move, judged, now),
    orm
      .update(slots)
      .set({ status: status.booked })
      .where(and(eq(slots.id, to), isIn(status.open), isMoved)),
    orm
      .update(slots)
      .set({
        status: status.canceled,
        canceledAt: now,
        canceledBy: who.accountId,
        cancelReason: reason,
        wasBooked: true,
        movedTo: to,
      })
      .where(and(eq(slots.id, id), isIn(status.booked), isMoved)),
    republish({ id, by: who.accountId, now }),
    ...selectBoth(who, move, now),
    selectMay(who, id, now),
  );
  const [[old], [other], [still]] = results.slice(-3) as [Row[], Claimed[], { may: number }[]];
  if (old) db.changedPages.add(old.providerId);
  if (old && other && old.movedTo === to) return appointment(other, who.accountId);
  if (old && !still?.may) throw mayNoLonger(who);
  const refusal = refusalOf(old, other, who, now);
  throw refusal ?? (judged && other?.templateId !== judged.asked ? askedAnew() : gone());
}

/** Answers, and the template whose questions they are to; null where there is none. */
type Judged = { answers: Answer[]; asked: string | null };

/** Books the other slot for the booker, where everything allows it. */
function claimOther(who: Booker, { id, to }: Move, judged: Judged | null, now: Instant) {
  const me = who.accountId;
  const answers = judged?.answers;
  const isAsked = judged ? sql`slots.template_id IS ${judged.asked}` : sql`true`;
  const kept = (column: string, none: string) =>
    sql`iif(slots.template_id IS here.template_id, old.${sql.identifier(column)}, ${sql.raw(none)})`;
  const isOwner = sql`here.provider_id = ${me}`;
  const mayAsBooker = sql`old.booker_id = ${me} AND here.starts_at - old.cancel_until * ${sql.raw(String(minute))} >= ${now}
    AND ${brokenRule(sql`provider`, { accountId: sql`old.booker_id`, now, except: id })} IS NULL`;
  return insertFrom(
    bookings,
    {
      slotId: sql`slots.id`,
      bookerId: sql`old.booker_id`,
      startsAt: sql`slots.starts_at`,
      bookedAt: now,
      answers: answers ? answers : kept('answers', "'[]'"),
      answeredAt: answers ? now : kept('answered_at', 'NULL'),
      linkSeed: sql`old.link_seed`,
      privateNote: sql`old.private_note`,
      cancelUntil: sql`old.cancel_until`,
      movedFrom: id,
      movedBy: sql`iif(${isOwner}, 'provider', 'consumer')`,
      calendarId: sql`coalesce(old.calendar_id, here.id)`,
      sequence: sql`old.sequence + 1`,
    },
    sql`FROM bookings AS old CROSS JOIN slots AS here ON here.id = old.slot_id
      CROSS JOIN slots ON slots.id = ${to} CROSS JOIN accounts AS provider ON provider.id = here.provider_id
      WHERE old.slot_id = ${id} AND old.number = 0 AND here.status = 1 AND here.starts_at > ${now}
        AND slots.status = 0 AND slots.starts_at > ${now} AND slots.provider_id = here.provider_id AND ${isAsked}
        AND (${isOwner} OR (${mayAsBooker})) AND ${stillMay(who, id, now)}`,
  );
}

/** The statements that read both slots: the old one where it is this person's to move, the other whoever may see it. */
const selectBoth = (who: Booker, { id, to }: Pick<Move, 'id' | 'to'>, now: Instant) =>
  [
    selectAppointments().where(and(eq(slots.id, id), or(publishedBy(who), heldBy(who)))),
    selectClaimed(to, who.accountId, now, id),
  ] as const;

/** Why an appointment can't be moved to that slot; undefined where it can. @throws DomainError not_found */
function refusalOf(
  old: Row | undefined,
  other: Claimed | undefined,
  who: Booker,
  now: Instant,
): DomainError | undefined {
  if (!old?.bookerId || other?.providerId !== old.providerId) throw notFound('appointment');
  if (old.status !== status.booked) return conflict('This appointment is canceled.');
  if (other.id === old.id) return conflict(alreadyThere);
  if (old.startsAt <= now) return started();
  const isBooker = old.providerId !== who.accountId;
  if (isBooker && !isChangeable(old, now)) return tooLate(old, now);
  if (other.status !== status.open) return gone();
  if (other.startsAt <= now) return started();
  return isBooker && other.rule ? ruledOut({ ...other, rule: other.rule }) : undefined;
}

/** Refuses what can't be moved there, then validates the answers to the questions of the other slot. */
async function readAnswersFor(
  db: Db,
  who: Booker,
  { id, to, submitted }: Pick<Move, 'id' | 'to'> & { submitted: SubmittedAnswers },
  now: Instant,
): Promise<Judged> {
  const [[[old], [other]], template] = await Promise.all([
    db.run(...selectBoth(who, { id, to }, now)),
    findTemplateOfSlot(db, to),
  ]);
  if (other && old?.movedTo === to) return { answers: other.answers ?? [], asked: other.templateId };
  const refusal = refusalOf(old, other, who, now);
  if (refusal) throw refusal;
  const questions = template?.questions ?? [];
  return { answers: readAnswers(questions, submitted(questions)), asked: template?.id ?? null };
}
