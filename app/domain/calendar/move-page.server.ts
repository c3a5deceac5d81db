import { msg } from '@lingui/core/macro';
import type { Db } from '../../../db/client';
import type { Appointment } from '../bookings/appointments';
import { isChangeable, tooLateWords } from '../bookings/deadline';
import { getByKey } from '../bookings/link-owners.server';
import { getAppointment } from '../bookings/read.server';
import { status } from '../bookings/status';
import { findTemplateOfSlot } from '../bookings/template-of.server';
import { listColleaguesFor } from '../bookings/with-colleague.server';
import { findHours } from '../hours/hours.server';
import { isWanted } from '../hours/planned-slots';
import type { Links } from '../links.server';
import { findWays, findWaysByLink } from '../messages/ways.server';
import { findRecord } from '../people/people.server';
import { aboutBooking, type TextAbout } from '../people/texts.server';
import type { Actor } from '../profile/accounts';
import { findMoveTarget } from '../slots/open-slots.server';
import type { Instant, LocalDate } from '../time/clock';
import { type Month, monthOf } from '../time/month';
import { todayIn } from '../time/zones';
import { listNearestTo, readMoveChoice } from './move-choice.server';
import type { MovePage } from './moving';

/** Somebody who is logged in and names the booking, or whoever has its personal link. */
type Mover = { actor: Actor; id: string } | { links: Links; key: string };

type Shown = { to?: string; month?: Month; day?: LocalDate; other?: string };

/**
 * Reads what the page of a move shows: the booking, and where it can move or, with `to`, the time that is chosen.
 * @throws DomainError not_found
 */
export async function readMovePage(
  db: Db,
  mover: Mover,
  { to, month, day, other: otherName }: Shown,
  { now, hasMail }: { now: Instant; hasMail: boolean },
): Promise<Omit<MovePage, 'text'> & { about: TextAbout | null }> {
  const byLink = 'key' in mover;
  const isProvider = !byLink && mover.actor.role === 'Provider';
  const provider = isProvider ? mover : undefined;
  const member = isProvider ? (mover.actor.memberId ?? mover.actor.accountId) : undefined;
  const shown = { member, month, day, other: otherName };
  const [appointment, other, template, hours, choice, nearestToLost, ways, record] = await Promise.all([
    byLink
      ? getByKey(db, mover.links, mover.key).then(({ appointment }) => appointment)
      : getAppointment(db, mover.actor, mover.id),
    to ? findMoveTarget(db, to) : undefined,
    to ? findTemplateOfSlot(db, to) : undefined,
    provider && findHours(db, provider.actor),
    to ? undefined : readMoveChoice(db, mover, shown, now),
    to ? listNearestTo(db, to, isProvider, now) : [],
    byLink ? findWaysByLink(db, mover.key, hasMail, 'moved') : findWays(db, mover.id, hasMail, 'moved'),
    provider && findRecord(db, provider.actor, provider.id),
  ]);
  const { startsAt, templateId, date } = appointment;
  const phone = isProvider ? (appointment.bookerPhone ?? record?.phone ?? null) : null;
  const mayMove = startsAt > now && (isProvider || isChangeable(appointment, now));
  const colleagues = appointment.shop && mayMove ? await listColleaguesFor(db, appointment.id, member) : [];
  const isWith = ({ username }: { username: string }) => username === (to ? other?.provider : otherName);
  const withWhom = colleagues.find(isWith) ?? null;
  const isStaying = other?.provider === appointment.provider;
  const isTheirs = (isStaying || withWhom !== null) && other !== undefined && other.startsAt > now;
  const isFree = isTheirs && (other.partOf === null || (isStaying && other.partOf === startsAt));
  const target = isFree ? asMoved(other, appointment) : undefined;
  const isAsking = !isProvider && target !== undefined && target.templateId !== templateId;
  const isOfDay = choice !== undefined && day !== undefined;
  return {
    appointment,
    isBooked: appointment.status === status.booked,
    other: target,
    isThere: to === appointment.id,
    template: isAsking && template?.questions.length ? template : undefined,
    times: isOfDay
      ? choice.times
      : (choice?.nearest ?? nearestToLost.filter((time) => time.provider === appointment.provider)),
    day: isOfDay ? day : null,
    isClosed: isOfDay && choice.isClosed,
    days: choice && {
      days: choice.days,
      edges: choice.edges,
      month: month ?? monthOf(date),
      today: todayIn(appointment.timeZone, now),
    },
    refusal: mayMove
      ? undefined
      : startsAt > now
        ? tooLateWords(appointment)
        : msg`This appointment has already started.`,
    isProvider,
    colleagues,
    withWhom,
    isTimeWanted: hours !== undefined && isWanted(hours, appointment, now),
    ways: { toBooker: ways?.toBooker ?? 'call', toProvider: ways?.toProvider ?? 'news' },
    phone,
    about: ways ? aboutBooking(appointment, ways, phone) : null,
  };
}

/** The new time as the booking will have it: in free time it keeps its length. */
const asMoved = (slot: Appointment, { startsAt, endsAt, service }: Appointment): Appointment => ({
  ...slot,
  service,
  endsAt: slot.service?.id === service?.id ? slot.endsAt : slot.startsAt + endsAt - startsAt,
});
