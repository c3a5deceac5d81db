import { findPlaceByKey, getByKey } from '../../domain/bookings/link-owners.server';
import { status } from '../../domain/bookings/status';
import { findTemplateOf } from '../../domain/bookings/template-of.server';
import { bookingEntry } from '../../domain/calendar/entries';
import { bookingPath } from '../../domain/links.server';
import { listSeriesEntriesByLink } from '../../domain/series/appointments.server';
import { calendarFile } from '../../http/calendar.server';
import { fileLoader } from '../../http/page.server';
import * as paths from '../../paths';

/** Serves a booking as a calendar file, for whoever has its personal link, or its whole series. For a canceled one the file says so. */
export const loader = fileLoader(
  'anyone',
  async ({ db, now, links, pageHeaders, i18n }, { params: { key = '' }, url }) => {
    const [{ appointment }, place, template, series] = await Promise.all([
      getByKey(db, links, key),
      findPlaceByKey(db, key),
      findTemplateOf(db, 'booking', key),
      url.searchParams.has('series') ? listSeriesEntriesByLink(db, key) : [],
    ]);
    pageHeaders['Referrer-Policy'] = 'no-referrer';
    const booking = {
      ...appointment,
      service: appointment.service?.name ?? null,
      location: appointment.providerAddress ?? place ?? null,
      isCanceled: appointment.status === status.canceled,
      questions: template?.questions ?? [],
      linkPath: paths.booking(key),
    };
    const reader = { isProvider: false, origin: url.origin, stampedAt: now, i18n };
    const [first, ...later] = series.map((booking) =>
      bookingEntry({ ...booking, linkPath: booking.linkSource && bookingPath(links, booking.linkSource) }, reader),
    );
    return first ? calendarFile(first, ...later) : calendarFile(bookingEntry(booking, reader));
  },
);
