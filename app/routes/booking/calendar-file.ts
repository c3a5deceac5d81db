import { redirect } from '@remix-run/cloudflare';
import { findPlaceOf, getAppointment } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { findTemplateOfSlot } from '../../domain/bookings/template-of.server';
import { bookingEntry } from '../../domain/calendar/entries';
import { bookingPath } from '../../domain/links.server';
import { notFound } from '../../domain/not-found';
import { listSeriesEntries } from '../../domain/series/appointments.server';
import { calendarFile } from '../../http/calendar.server';
import { fileLoader } from '../../http/page.server';
import * as paths from '../../paths';

/**
 * Serves the appointment, or its whole series, as a calendar file for its client and its provider. If it is canceled,
 * the file says so.
 */
export const loader = fileLoader('member', async ({ db, links, actor, now, i18n }, { params: { id = '' }, url }) => {
  const isSeries = url.searchParams.has('series');
  const [appointment, place, template, series] = await Promise.all([
    getAppointment(db, actor, id),
    findPlaceOf(db, id),
    findTemplateOfSlot(db, id),
    isSeries ? listSeriesEntries(db, actor, id) : [],
  ]);
  if (appointment.status === status.open) throw notFound('booked appointment');
  // The appointment has moved; its entry stays the same and has the new time.
  if (appointment.movedTo)
    return redirect(paths.appointmentFile(appointment.movedTo, { series: isSeries ? 'yes' : null }));
  const booking = {
    ...appointment,
    service: appointment.service?.name ?? null,
    location: appointment.providerAddress ?? place ?? null,
    isCanceled: appointment.status === status.canceled,
    questions: template?.questions ?? [],
    linkPath: appointment.linkSource && bookingPath(links, appointment.linkSource),
  };
  const reader = { isProvider: actor.role === 'Provider', origin: url.origin, stampedAt: now, i18n };
  const [first, ...later] = series.map((appointment) =>
    bookingEntry(
      { ...appointment, linkPath: appointment.linkSource && bookingPath(links, appointment.linkSource) },
      reader,
    ),
  );
  return first ? calendarFile(first, ...later) : calendarFile(bookingEntry(booking, reader));
});
