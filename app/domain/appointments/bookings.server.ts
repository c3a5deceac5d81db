import { and, type Column, eq, gt, inArray, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { bookings, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { conflict, invalid, notFound } from '../errors';
import { readAnswers } from '../templates/answers';
import type { Answer, Question } from '../templates/questions';
import { findTemplateOfSlot } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import {
  appointment,
  gone,
  heldBy,
  isIn,
  publishedBy,
  type Row,
  selectAppointments,
  started,
} from './appointments.server';
import { status } from './status';

/** Gives the submitted answers to these questions. A form names its fields by question, so it needs to know them. */
type SubmittedAnswers = (questions: Question[]) => Answer[];

type Booking = {
  id: string;
  accountId: string;
  sessionId: string;
  now: Instant;
  answers: string;
  answeredAt: Instant | null;
  /** 1 where a slot with questions is not to be booked, 0 where its answers may stay owed. */
  requireAnswers: number;
};

const claimSlot = statement<Booking>()((given) =>
  insertFrom(
    bookings,
    {
      slotId: sql`id`,
      bookerId: given.accountId,
      startsAt: sql`starts_at`,
      bookedAt: given.now,
      answers: given.answers,
      answeredAt: given.answeredAt,
    },
    sql`FROM slots WHERE id = ${given.id} AND status = 0 AND starts_at > ${given.now}
      AND (template_id IS NULL OR NOT ${given.requireAnswers}) AND ${isLoggedIn(given, given.now)}`,
  ),
);

/** The condition that this account has booked a slot. The plus keeps SQLite from reading all that the account has booked. */
const isHeldBy = (slotId: SQL | Column, accountId: string | Placeholder) =>
  sql`EXISTS (SELECT 1 FROM bookings WHERE slot_id = ${slotId} AND +booker_id = ${accountId})`;

const markAsBooked = statement<Pick<Booking, 'id' | 'accountId'>>()(({ id, accountId }) =>
  orm
    .update(slots)
    .set({ status: status.booked })
    .where(and(eq(slots.id, id), isIn(status.open), isHeldBy(sql`${id}`, accountId))),
);

const selectSlot = statement<{ id: string }>()(({ id }) => selectAppointments().where(eq(slots.id, id)));

/**
 * Books an open slot for the actor, with the answers to its questions, in one transaction. Of all who try at once, one
 * wins. A repeat by the winner returns the same.
 * @param submitted gives the answers. With null the actor books without, and owes them; with `requireAnswers` a slot
 *   that asks something then refuses the booking
 * @throws DomainError not_found, conflict (someone else was first, or it has begun), invalid (the answers)
 */
export async function bookAppointment(
  db: Db,
  { accountId, sessionId }: Actor,
  { id, submitted, requireAnswers }: { id: string; submitted: SubmittedAnswers | null; requireAnswers?: boolean },
  now: Instant,
): Promise<Appointment> {
  const answers = submitted && (await readAnswersFor(db, accountId, id, submitted, now));
  const [, , [row]] = await db.run(
    claimSlot({
      id,
      accountId,
      sessionId,
      now,
      answers: JSON.stringify(answers ?? []),
      answeredAt: answers && now,
      requireAnswers: requireAnswers && !submitted ? 1 : 0,
    }),
    markAsBooked({ id, accountId }),
    selectSlot({ id }),
  );
  if (!row) throw notFound('appointment');
  if (row.status === status.booked && row.bookerId === accountId) return appointment(row);
  refuseUnlessFree(row, now);
  throw invalid(null, 'Please answer the questions first.');
}

/** @throws DomainError conflict where a slot can't be booked (any more) */
function refuseUnlessFree({ status: state, startsAt }: Pick<Row, 'status' | 'startsAt'>, now: Instant): void {
  if (state !== status.open) throw gone();
  if (startsAt <= now) throw started();
}

/**
 * Refuses a slot that can't be booked, then validates the answers to its questions. A slot's template never changes, so
 * the answers stay valid until the write.
 */
async function readAnswersFor(
  db: Db,
  reader: string,
  id: string,
  submitted: SubmittedAnswers,
  now: Instant,
): Promise<Answer[]> {
  const [[[row]], template] = await Promise.all([db.run(selectSlot({ id })), findTemplateOfSlot(db, id)]);
  if (!row) throw notFound('appointment');
  const isMine = row.status === status.booked && row.bookerId === reader;
  if (!isMine) refuseUnlessFree(row, now);
  const questions = template?.questions ?? [];
  return isMine ? (row.answers ?? []) : readAnswers(questions, submitted(questions));
}

/**
 * Sets the answers of the actor's booked appointment, until it starts. They replace all earlier answers.
 * @throws DomainError not_found (not its booker), conflict (canceled, started, or it asks nothing), invalid
 */
export async function submitAnswers(
  db: Db,
  actor: Actor,
  { id, submitted }: { id: string; submitted: SubmittedAnswers },
  now: Instant,
): Promise<Appointment> {
  const own = selectAppointments().where(and(eq(slots.id, id), heldBy(actor)));
  const [[[row]], template] = await Promise.all([db.run(own), findTemplateOfSlot(db, id)]);
  if (!row) throw notFound('appointment');
  if (row.status !== status.booked) throw conflict('This appointment is canceled.');
  if (row.startsAt <= now) throw started();
  if (!template) throw conflict('This appointment asks no questions.');
  const answers = readAnswers(template.questions, submitted(template.questions));
  const [, [saved]] = await db.run(
    orm
      .update(bookings)
      .set({ answers, answeredAt: now })
      .where(
        and(
          sql`${bookings.slotId} = ${id} AND ${bookings.number} = 0`,
          heldBy(actor),
          sql`EXISTS (SELECT 1 FROM slots WHERE id = ${id} AND status = ${status.booked})`,
          isLoggedIn(actor, now),
        ),
      ),
    own,
  );
  if (saved?.status !== status.booked) throw conflict('This appointment is canceled.');
  return appointment(saved);
}

/**
 * Cancels a booked appointment, or withdraws an open slot. When a consumer cancels, the same transaction publishes a
 * new open slot with the same time, notes and template. A repeat returns the same.
 * @throws DomainError not_found (neither its booker nor its provider), conflict (it has begun)
 */
export async function cancelAppointment(db: Db, actor: Actor, id: string, now: Instant): Promise<Appointment> {
  const mine = or(publishedBy(actor), isHeldBy(slots.id, actor.accountId));
  const justCanceledByBooker = sql`id = ${id} AND canceled_at = ${now} AND canceled_by = ${actor.accountId}
    AND provider_id <> ${actor.accountId}`;
  const [, , [row]] = await db.run(
    orm
      .update(slots)
      .set({
        status: status.canceled,
        canceledAt: now,
        canceledBy: actor.accountId,
        wasBooked: sql`status = ${sql.raw(String(status.booked))}`,
      })
      .where(
        and(
          eq(slots.id, id),
          inArray(slots.status, [status.open, status.booked]),
          gt(slots.startsAt, now),
          mine,
          isLoggedIn(actor, now),
        ),
      ),
    insertFrom(
      slots,
      {
        id: newId(),
        providerId: slots.providerId,
        city: sql`(SELECT city FROM accounts WHERE id = provider_id)`,
        startsAt: slots.startsAt,
        endsAt: slots.endsAt,
        localDate: slots.localDate,
        timeZone: slots.timeZone,
        status: status.open,
        notes: slots.notes,
        templateId: slots.templateId,
        publication: slots.publication,
      },
      sql`FROM slots WHERE ${justCanceledByBooker}`,
    ),
    selectAppointments().where(and(eq(slots.id, id), or(publishedBy(actor), heldBy(actor)))),
  );
  if (!row) throw notFound('appointment');
  if (row.status !== status.canceled) throw started();
  return appointment(row);
}
