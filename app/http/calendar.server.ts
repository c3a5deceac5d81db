import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { Instant } from '../domain/time/clock';

type Entry = {
  /** Never changes for one thing, so that a calendar that has it updates its entry instead of making another. */
  id: string;
  /** Rises with every change. */
  sequence: number;
  isCanceled?: boolean;
  startsAt: Instant;
  endsAt: Instant;
  summary: string;
  description?: string | null;
  location?: string | null;
  url: string;
};

/** One entry as a calendar file (RFC 5545). */
export function calendarFile(entry: Entry, now: Instant): Response {
  const calendar = ical({ prodId: { company: 'Daybook', product: 'Daybook' }, method: ICalCalendarMethod.PUBLISH });
  calendar.createEvent({
    id: `${entry.id}@daybook`,
    sequence: entry.sequence,
    status: entry.isCanceled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    stamp: new Date(now),
    start: new Date(entry.startsAt),
    end: new Date(entry.endsAt),
    summary: entry.summary,
    description: entry.description ?? undefined,
    location: entry.location ?? undefined,
    url: entry.url,
  });
  return new Response(calendar.toString(), {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="daybook.ics"',
    },
  });
}
