import { redirect } from '@remix-run/cloudflare';
import { findPlaceOf, getAppointment } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { bookingEntry } from '../../domain/calendar/entries';
import { notFound } from '../../domain/errors';
import { bookingPath } from '../../domain/links.server';
import { findTemplateOfSlot } from '../../domain/templates/templates.server';
import { calendarFile } from '../../http/calendar.server';
import { answerFile } from '../../http/page.server';
import * as paths from '../../paths';

/** Serves the appointment as a calendar file, for its booker and its provider. For a canceled one the file says so. */
export const loader = answerFile('member', async ({ db, links, actor, now }, { params: { id = '' }, url }) => {
  const [appointment, place, template] = await Promise.all([
    getAppointment(db, actor, id),
    findPlaceOf(db, id),
    findTemplateOfSlot(db, id),
  ]);
  if (appointment.status === status.open) throw notFound('booked appointment');
  // It is still the same entry, and stands where it was moved to.
  if (appointment.movedTo) return redirect(paths.appointmentFile(appointment.movedTo));
  const booking = {
    ...appointment,
    service: appointment.service?.name ?? null,
    location: place ?? null,
    isCanceled: appointment.status === status.canceled,
    questions: template?.questions ?? [],
    linkPath: appointment.linkSeed && bookingPath(links, appointment.linkSeed),
  };
  const isProvider = actor.role === 'Provider';
  return calendarFile(bookingEntry(booking, { isProvider, origin: url.origin, stampedAt: now }));
});
