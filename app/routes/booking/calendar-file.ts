import { redirect } from '@remix-run/cloudflare';
import { findCityOf, getAppointment } from '../../domain/appointments/reading.server';
import { status } from '../../domain/appointments/status';
import { descriptionOf, entryOfAppointment, usualAlarms } from '../../domain/calendar/entries';
import { notFound } from '../../domain/errors';
import { bookingPath } from '../../domain/links.server';
import { calendarFile } from '../../http/calendar.server';
import { answerFile } from '../../http/page.server';

/** Serves the appointment as a calendar file, for its booker and its provider. For a canceled one the file says so. */
export const loader = answerFile('member', async ({ db, links, actor, now }, { params: { id = '' }, url }) => {
  const [appointment, location] = await Promise.all([getAppointment(db, actor, id), findCityOf(db, id)]);
  if (appointment.status === status.open) throw notFound('booked appointment');
  // It is still the same entry, and stands where it was moved to.
  if (appointment.movedTo) return redirect(`/appointments/${appointment.movedTo}/daybook.ics`);
  const { calendarId, sequence, providerName, bookerName, startsAt, endsAt } = appointment;
  const isCanceled = appointment.status === status.canceled;
  const link = appointment.linkSeed && url.origin + bookingPath(links, appointment.linkSeed);
  const description = descriptionOf({ ...appointment, link });
  const entry = entryOfAppointment(
    { id, calendarId, sequence, startsAt, endsAt, providerName, bookerName, notes: description, location, isCanceled },
    { isProvider: actor.role === 'Provider', origin: url.origin, stampedAt: now },
  );
  return calendarFile({ ...entry, alarms: usualAlarms });
});
