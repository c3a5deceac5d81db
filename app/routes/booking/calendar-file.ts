import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { getAppointment } from '../../domain/appointments.server';
import { notFound } from '../../domain/errors';
import { status } from '../../domain/status';
import { answerPage } from '../../http/page.server';

/**
 * The appointment as a calendar file (RFC 5545) for its booker and its provider. The UID never changes and SEQUENCE
 * rises with each change, so that a calendar that has it already updates its entry instead of making another.
 */
export const loader = answerPage('member', async ({ db, actor, now }, { params: { id = '' }, url }) => {
  const appointment = await getAppointment(db, actor, id);
  if (appointment.status === status.open) throw notFound('booked appointment');
  const { providerName, bookerName, startsAt, endsAt, notes, location } = appointment;
  const isCanceled = appointment.status === status.canceled;
  const calendar = ical({ prodId: { company: 'Daybook', product: 'Daybook' }, method: ICalCalendarMethod.PUBLISH });
  calendar.createEvent({
    id: `${id}@daybook`,
    sequence: isCanceled ? 1 : 0,
    status: isCanceled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    stamp: new Date(now),
    start: new Date(startsAt),
    end: new Date(endsAt),
    summary: actor.role === 'Provider' ? (bookerName ?? 'Appointment') : providerName,
    description: notes ?? undefined,
    location,
    url: `${url.origin}/${actor.role === 'Provider' ? 'details-provider' : 'details-cancel'}/${id}`,
  });
  return new Response(calendar.toString(), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="daybook.ics"',
    },
  });
});
