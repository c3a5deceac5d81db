import { findCityByKey, getByKey } from '../../domain/appointments/bookers.server';
import { status } from '../../domain/appointments/status';
import { descriptionOf, entryOfAppointment, usualAlarms } from '../../domain/calendar/entries';
import { calendarFile } from '../../http/calendar.server';
import { answerFile } from '../../http/page.server';

/** Serves a booking as a calendar file, for whoever has its personal link. For a canceled one the file says so. */
export const loader = answerFile('anyone', async ({ db, now, pageHeaders }, { params: { key = '' }, url }) => {
  const [{ appointment }, location] = await Promise.all([getByKey(db, key), findCityByKey(db, key)]);
  pageHeaders['Referrer-Policy'] = 'no-referrer';
  const { id, calendarId, sequence, startsAt, endsAt, providerName, bookerName } = appointment;
  const isCanceled = appointment.status === status.canceled;
  const link = `${url.origin}/booking/${key}`;
  const notes = descriptionOf({ ...appointment, link });
  const entry = entryOfAppointment(
    { id, calendarId, sequence, startsAt, endsAt, providerName, bookerName, notes, location, isCanceled },
    { isProvider: false, origin: url.origin, stampedAt: now },
  );
  return calendarFile({ ...entry, url: link, alarms: usualAlarms });
});
