import { and, eq, gt, inArray, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { bookings, slots, type throttles } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { selectStanding } from '../accounts/sessions.server';
import { countTry, type Origin, type RateLimit, refuseTooMany } from '../accounts/throttles.server';
import { conflict, notFound, notLoggedIn } from '../errors';
import type { NewLink } from '../links.server';
import { readAnswers } from '../templates/answers';
import type { Answer, Question } from '../templates/questions';
import { findTemplateOfSlot } from '../templates/templates.server';
import { hour, type Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, heldBy, isStillChangeable, publishedBy, selectAppointments } from './appointments.server';
import { type Booker, mayNoLonger, selectMay, stillMay } from './bookers.server';
import {
  askedAnew,
  type Claimed,
  claimSlot,
  isFree,
  isHeldBy,
  noGuests,
  refusalOf,
  selectClaimed,
} from './claiming.server';
import { started, tooLate } from './deadline';
import { republish } from './republishing.server';
import { status } from './status';

/** Gives the submitted answers to these questions. A form names its fields by question, so it needs to know them. */
export type SubmittedAnswers = (questions: Question[]) => Answer[];

type Count = typeof throttles.$inferSelect;
type Standing = { isLoggedIn: number };

/** A booking as it is asked for. */
export type BookingRequest = {
  id: string;
  /** Gives the answers. With null one books without, and owes them. */
  submitted: SubmittedAnswers | null;
  /** A slot that asks something refuses a booking without answers. */
  requireAnswers?: boolean;
  /** The personal link that the booking gets. */
  link?: NewLink;
};

/** How many bookings guests of one network may try in an hour. */
const guestBookingsFrom = (address: string) =>
  ({
    bucket: `guest-booking:${address}`,
    limit: 60,
    window: hour,
  }) satisfies RateLimit;

/**
 * Books an open slot for the actor, with the answers to its questions, in one transaction. Of all who try at once, one
 * wins. A repeat by the winner returns the same.
 * @param origin where the actor comes from, for the rate limit of guests; null where it is off
 * @throws DomainError not_found, forbidden (a guest, where only accounts may), conflict (someone else was first, or it has
 *   begun), invalid (the answers, or a guest without the e-mail address that is asked for), too_many, unauthenticated
 */
export async function bookAppointment(
  db: Db,
  actor: Actor,
  { id, submitted, requireAnswers, link }: BookingRequest,
  now: Instant,
  origin: Origin = null,
): Promise<Appointment> {
  const { accountId, sessionId, isGuest = false } = actor;
  const judged = submitted && (await readAnswersFor(db, actor, id, submitted, now));
  const rateLimit = isGuest && origin ? guestBookingsFrom(origin.address) : undefined;
  const counting = rateLimit ? [countTry(rateLimit, now)] : [];
  const results: unknown[] = await db.run(
    ...counting,
    ...claimSlot({
      id,
      accountId,
      sessionId,
      now,
      answers: judged?.answers ?? null,
      asked: judged?.asked,
      requireAnswers: requireAnswers && !submitted ? 1 : 0,
      link,
      ...(rateLimit && { bucket: rateLimit.bucket, limit: rateLimit.limit }),
    }),
    ...(judged ? [selectStanding(actor, now)] : []),
  );
  if (rateLimit) refuseTooMany([rateLimit], results[0] as Count[], now);
  const [standing] = judged ? (results.pop() as Standing[]) : [];
  const [row] = results.at(-1) as Claimed[];
  if (!row) throw notFound('appointment');
  db.changedPages.add(row.providerId);
  if (row.status === status.booked && row.bookerId === accountId) return appointment(row, accountId);
  if (standing && !standing.isLoggedIn) throw notLoggedIn();
  if (judged && isFree(row, now) && row.templateId !== judged.asked) throw askedAnew();
  throw refusalOf(row, isGuest, now);
}

/**
 * Refuses a slot that can't be booked, then validates the answers to its questions: the template `asked`. Its provider may
 * change that before the write, which names it.
 */
async function readAnswersFor(
  db: Db,
  actor: Pick<Actor, 'accountId' | 'isGuest'>,
  id: string,
  submitted: SubmittedAnswers,
  now: Instant,
): Promise<{ answers: Answer[]; asked: string | null }> {
  const isGuest = actor.isGuest === true;
  const [[[row]], template] = await Promise.all([
    db.run(selectClaimed(id, actor.accountId, now)),
    findTemplateOfSlot(db, id),
  ]);
  if (!row) throw notFound('appointment');
  if (row.status === status.booked && row.bookerId === actor.accountId) {
    return { answers: row.answers ?? [], asked: row.templateId };
  }
  if (!isFree(row, now) || (isGuest && noGuests(row))) throw refusalOf(row, isGuest, now);
  const questions = template?.questions ?? [];
  return { answers: readAnswers(questions, submitted(questions)), asked: template?.id ?? null };
}

/**
 * Sets the answers of the actor's booked appointment, until it starts. They replace all earlier answers.
 * @throws DomainError not_found (not its booker), conflict (canceled, started, or it asks nothing), invalid,
 *   unauthenticated
 */
export async function submitAnswers(
  db: Db,
  who: Booker,
  { id, submitted }: { id: string; submitted: SubmittedAnswers },
  now: Instant,
): Promise<Appointment> {
  const own = selectAppointments().where(and(eq(slots.id, id), heldBy(who)));
  const [[[row]], template] = await Promise.all([db.run(own), findTemplateOfSlot(db, id)]);
  if (!row) throw notFound('appointment');
  if (row.status !== status.booked) throw conflict('This appointment is canceled.');
  if (row.startsAt <= now) throw started();
  if (!template) throw conflict('This appointment asks no questions.');
  const answers = readAnswers(template.questions, submitted(template.questions));
  const [, [saved], [still]] = await db.run(
    orm
      .update(bookings)
      .set({ answers, answeredAt: now })
      .where(
        and(
          sql`${bookings.slotId} = ${id} AND ${bookings.number} = 0`,
          heldBy(who),
          sql`EXISTS (SELECT 1 FROM slots WHERE id = ${id} AND status = ${status.booked})`,
          stillMay(who, id, now),
        ),
      ),
    own,
    selectMay(who, id, now),
  );
  if (!still?.may) throw mayNoLonger(who);
  if (saved?.status !== status.booked) throw conflict('This appointment is canceled.');
  return appointment(saved, who.accountId);
}

/**
 * Cancels a booked appointment, or withdraws an open slot. When a consumer cancels, the same transaction publishes a
 * new open slot with the same time, notes and template. A repeat returns the same.
 * @param reason in the words of whoever cancels, or null
 * @throws DomainError not_found (neither its booker nor its provider; the link is another by now), conflict (it has begun, or
 *   the time in which its booker may cancel is over), unauthenticated
 */
export async function cancelAppointment(
  db: Db,
  who: Booker,
  { id, reason }: { id: string; reason: string | null },
  now: Instant,
): Promise<Appointment> {
  const mine = or(publishedBy(who), isHeldBy(slots.id, who.accountId));
  const [, , [row], [still]] = await db.run(
    orm
      .update(slots)
      .set({
        status: status.canceled,
        canceledAt: now,
        canceledBy: who.accountId,
        cancelReason: reason,
        wasBooked: sql`status = ${sql.raw(String(status.booked))}`,
      })
      .where(
        and(
          eq(slots.id, id),
          inArray(slots.status, [status.open, status.booked]),
          gt(slots.startsAt, now),
          mine,
          or(publishedBy(who), isStillChangeable(now)),
          stillMay(who, id, now),
        ),
      ),
    republish({ id, by: who.accountId, now }),
    selectAppointments().where(and(eq(slots.id, id), or(publishedBy(who), heldBy(who)))),
    selectMay(who, id, now),
  );
  if (!row) throw notFound('appointment');
  if (row.status !== status.canceled) throw still?.may ? tooLate(row, now) : mayNoLonger(who);
  db.changedPages.add(row.providerId);
  return appointment(row, who.accountId);
}
