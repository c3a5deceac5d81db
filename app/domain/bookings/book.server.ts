import { msg } from '@lingui/core/macro';
import { and, eq, gt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { hasId, providerOf, startOf } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { bookingStatus, isBooked, isOpen, madeBy, slotState, wasBooked } from '../../../db/states';
import { conflict, notLoggedIn } from '../errors';
import { guestLimit } from '../guests/guests.server';
import { selectIsLoggedIn } from '../login/sessions.server';
import { type Origin, type RateLimit, tryWithin } from '../login/throttles.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import { tellHowMany } from '../series/message.server';
import { answersOrThrow, type SubmittedAnswers } from '../templates/answers';
import type { Instant } from '../time/clock';
import type { Appointment } from './appointments';
import { appointment, selectAppointment, selectBookings } from './appointments.server';
import { claimOfOne, readAnswersFor, sendClaim, type Wanted, whyNoTime } from './claim-one.server';
import { bookedBy, isOnlyHeld, isStillChangeable, mayBeWithdrawn } from './conditions.server';
import { alreadyStarted, tooLate } from './deadline';
import { barredFrom, type FoundTime, givenIn, whyNotGranted } from './found-time.server';
import { endBrokenHolds, runAfterHolds } from './holds.server';
import { type Asker, actedBy, hasAccess, noLongerAllowed, selectAccess } from './link-owners.server';
import { endStanding, isLaterInSeries, selectCanceledLater, tellOfCanceled } from './series.server';
import { isInTimeOf } from './slot-with-service.server';
import { status } from './status';
import { findTemplateOfSlot } from './template-of.server';
import type { Terms } from './terms';
import { isPassedOn } from './with-colleague.server';

type BookingRequest = Wanted & {
  service?: string | null;
  /** What the form said of the service. */
  terms?: Terms | null;
  people?: number;
  submitted: SubmittedAnswers | null;
  /** Refuses a booking without answers if the slot has questions. */
  requireAnswers?: boolean;
  phone?: string | null;
  /** Where it takes place, if that is at the client's. */
  address?: string | null;
};

const guestBookingLimit = (address: string) =>
  ({ ...guestLimit, bucket: `guest-booking:${address}` }) satisfies RateLimit;

/**
 * Books an open slot for the actor, or with anyone in a shop. If several try at once, as many get it as there are places. If the same person
 * tries again, they get the same booking.
 * @param origin the actor's network, for the rate limit of guests; null without limits
 * @throws DomainError not_found, forbidden (a guest, if only accounts may book), conflict (taken or begun), invalid,
 * too_many, unauthenticated
 */
export async function bookAppointment(
  db: Db,
  actor: Actor,
  request: BookingRequest,
  now: Instant,
  origin: Origin = null,
): Promise<Appointment> {
  const { service = null, terms = null, people = 1, submitted, requireAnswers } = request;
  const { phone = null, address = null } = request;
  const { accountId, isGuest = false } = actor;
  const one = { wanted: request, accountId, service, terms, people };
  const whyBarred = (time: FoundTime) => barredFrom(time, { isGuest });
  const answered = submitted && (await readAnswersFor(db, one, { submitted, barredFrom: whyBarred }, now));
  const limit = isGuest && origin ? guestBookingLimit(origin.address) : undefined;
  const tries = tryWithin(limit ? [limit] : [], now);
  const ready = claimOfOne(
    one,
    { asker: actor, seed: newId(), given: { phone, address }, answered, requireAnswers, limit },
    now,
  );
  const { done, own, time } = await sendClaim(
    db,
    one,
    ready,
    {
      counted: tries.count,
      session: answered ? selectIsLoggedIn(actor, now) : undefined,
    },
    now,
  );
  tries.refuse(done.counted);
  if (own) return appointment(own, accountId);
  if (!time) throw await whyNoTime(db, request);
  if (done.session && !done.session[0]?.isLoggedIn) throw notLoggedIn();
  const given = { ...givenIn({ phone, address }), hasEmail: isGuest ? undefined : true };
  throw whyNotGranted(time, { isGuest, given, answered, requireAnswers });
}

/**
 * Replaces all answers of the actor's appointment, until it starts.
 * @throws DomainError not_found, conflict (canceled, begun, or without questions), invalid, unauthenticated
 */
export async function submitAnswers(
  db: Db,
  asker: Asker,
  { id, submitted }: { id: string; submitted: SubmittedAnswers },
  now: Instant,
): Promise<Appointment> {
  const own = selectBookings().where(and(hasId(bookings, id), bookedBy(asker), wasBooked(bookings)));
  const [[[row]], template] = await Promise.all([db.run(own), findTemplateOfSlot(db, id)]);
  if (!row) throw notFound('appointment');
  if (row.status !== status.booked) throw conflict(msg`This appointment is canceled.`);
  if (row.startsAt <= now) throw alreadyStarted();
  if (!template) throw conflict(msg`This appointment asks no questions.`);
  const answers = answersOrThrow(template.questions, submitted(template.questions));
  const {
    saved: [saved],
    allowed: [allowed],
  } = await db.run({
    answered: orm
      .update(bookings)
      .set({ answers, answeredAt: now })
      .where(and(hasId(bookings, id), bookedBy(asker), isBooked(bookings), hasAccess(asker, id, now))),
    saved: own,
    allowed: selectAccess(asker, id, now),
  });
  if (!allowed?.may) throw noLongerAllowed(asker);
  if (saved?.status !== status.booked) throw conflict(msg`This appointment is canceled.`);
  return appointment(saved, asker.accountId);
}

type End = {
  reason: string | null;
  /** True if a provider wants the time to be published again. When a client cancels, it always is. */
  republish?: boolean;
  movedTo?: SQL;
  /** The id of the write that cancels several bookings, so that they send one message together. */
  toldWith?: string | undefined;
};

/** What a booking has once it has ended. Triggers free its time and tell people. */
export const ended = (
  asker: { accountId: string | SQLWrapper; memberId?: string | undefined },
  { reason, republish = false, movedTo, toldWith }: End,
  now: Instant,
) => {
  const isOwner = ownedBy(asker.accountId, bookings);
  return {
    status: bookingStatus.ended,
    canceledAt: now,
    canceledBy: sql`iif(${isOwner}, 'provider', 'consumer')`,
    reason,
    withdraws: republish ? false : isOwner,
    sequence: sql`${bookings.sequence} + 1`,
    toldWith: toldWith ?? null,
    actedBy: actedBy(asker),
    ...(movedTo && { movedTo }),
  };
};

// SQL: the booking has this slot, or a seat in it.
const isOfBooking = (slot: string) => sql`(${isInTimeOf(sql`bookings`, `${slot}.`)}
  AND (${sql.raw(slot)}.part_of = ${bookings.startsAt} OR ${sql.raw(slot)}.id = ${bookings.slotId}))`;

/**
 * Publishes the times of these bookings again, also where they had been withdrawn before, and by hand where hours want nothing of
 * them any more. It runs before they end, since what nobody wants goes with its booking.
 */
export const publishAgain = (areEnding: SQL | undefined) =>
  orm.run(sql`UPDATE slots SET withdrawn_at = NULL, made_by = iif(goes, ${madeBy.hand}, made_by)
    FROM (SELECT freed.provider_id AS provider, freed.starts_at AS start, freed.made_by = ${madeBy.formerHours} AND NOT EXISTS (
        SELECT 1 FROM slots AS wanted WHERE ${isOfBooking('wanted')} AND wanted.made_by <> ${madeBy.formerHours}) AS goes
      FROM bookings CROSS JOIN slots AS freed ON ${isOfBooking('freed')} WHERE ${areEnding})
    WHERE slots.provider_id = provider AND slots.starts_at = start AND (goes OR slots.withdrawn_at IS NOT NULL)`);

const isSeatIn = (id: string) =>
  sql`(${bookings.providerId} = ${providerOf(id)} AND ${bookings.startsAt} = ${startOf(id)} AND ${bookings.slotId} = ${id})`;

export type Cancellation = { id: string; following?: boolean } & Omit<End, 'movedTo' | 'toldWith'>;

/**
 * Cancels a booking, withdraws an open slot, or cancels a class with all its bookings. A repeat returns the same. With
 * `following`, it also cancels the later bookings of the series.
 * @throws DomainError not_found, conflict (begun, moved, or too late for the client), unauthenticated
 */
export async function cancelAppointment(
  db: Db,
  asker: Asker,
  { id, reason, republish, following = false }: Cancellation,
  now: Instant,
): Promise<Appointment> {
  const isProvider = 'role' in asker && asker.role === 'Provider';
  const toldWith = following ? newId() : undefined;
  // For a class that somebody of the shop cancels, its provider gets one message.
  const classAct = isProvider && actedBy(asker) !== null ? newId() : undefined;
  const mayEnd = and(
    isBooked(bookings),
    gt(bookings.startsAt, now),
    or(ownedBy(asker, bookings), and(bookedBy(asker), isStillChangeable(now))),
    hasAccess(asker, id, now),
  );
  const mayWithdraw = and(
    and(hasId(slots, id), mayBeWithdrawn, gt(slots.startsAt, now), ownedBy(asker, slots), hasAccess(asker, id, now)),
    republish ? eq(slots.seats, 1) : undefined,
  );
  const {
    appointments: [row],
    later,
    allowed: [allowed],
  } = await runAfterHolds(db, now, {
    // Before anybody leaves a class or a held time, so that it is offered to nobody else.
    marked: isProvider
      ? orm
          .update(slots)
          .set({ withdrawnAt: now, reason })
          .where(and(mayWithdraw, or(sql`${slots.seats} > 1`, isOnlyHeld)))
      : undefined,
    published:
      republish && isProvider
        ? publishAgain(and(or(hasId(bookings, id), isSeatIn(id), following ? isLaterInSeries(id) : undefined), mayEnd))
        : undefined,
    canceled: orm
      .update(bookings)
      .set(ended(asker, { reason, republish, toldWith }, now))
      .where(and(hasId(bookings, id), mayEnd)),
    ...(toldWith && {
      laterCanceled: orm
        .update(bookings)
        .set(ended(asker, { reason, republish, toldWith }, now))
        .where(and(isLaterInSeries(id), mayEnd)),
      notice: tellOfCanceled(id, toldWith),
      standing: endStanding(id, toldWith),
    }),
    classCanceled: isProvider
      ? orm
          .update(bookings)
          .set(ended(asker, { reason, republish, toldWith: classAct }, now))
          .where(and(isSeatIn(id), ownedBy(asker, bookings), mayEnd))
      : undefined,
    // Whoever loses a hold looks for another time once all has ended: the class may have been what filled the day.
    droppedHolds: isProvider ? endBrokenHolds(sql`(${asker.accountId})`, now) : undefined,
    classTold: classAct
      ? tellHowMany('canceled', sql`told.provider_id = ${providerOf(id)} AND told.starts_at = ${startOf(id)}`, classAct)
      : undefined,
    withdrawn: orm
      .update(slots)
      .set({ state: slotState.withdrawn, withdrawnAt: now, reason })
      .where(and(mayWithdraw, isOpen(slots))),
    appointments: selectAppointment(id, {
      booked: or(ownedBy(asker, bookings), bookedBy(asker)),
      free: ownedBy(asker, slots),
    }),
    later: following ? selectCanceledLater(id) : undefined,
    allowed: selectAccess(asker, id, now),
  });
  if (!row) throw notFound('appointment');
  if (isPassedOn(row)) throw conflict(msg`This appointment is with somebody else now. Please open it again.`);
  if (row.movedTo !== null) throw conflict(msg`This appointment has been moved. Please open it again.`);
  const isFollowed = following && (later?.[0]?.canceled ?? 0) > 0;
  // A class stays open even if all its bookings were canceled.
  const isEmptied = republish && row.bookerId === null && row.status === status.open && row.startsAt > now;
  if (row.status !== status.canceled && !((isEmptied || isFollowed) && allowed?.may)) {
    throw allowed?.may ? tooLate(row, now) : noLongerAllowed(asker);
  }
  return appointment(row, asker.accountId);
}
