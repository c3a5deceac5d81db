import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { Instant } from '../domain/time/clock';

type Entry = {
  /** Never changes for one appointment or event, so a calendar updates its entry and makes no second one. */
  id: string;
  /** Rises with each change. */
  sequence: number;
  isCanceled?: boolean;
  startsAt: Instant;
  endsAt: Instant;
  summary: string;
  /** Who holds it. */
  providerName: string;
  description?: string | null;
  location?: string | null;
  url: string;
};

/**
 * A published or canceled entry must have an organizer with an address (RFC 5546, 3.2.1 and 3.2.5). We know no address
 * of a provider, so this one can never be anyone's (RFC 2606); people read the name beside it.
 */
const noAddress = 'organizer@daybook.invalid';

/** Makes a calendar file (RFC 5545) with one entry. A canceled entry removes itself from a calendar that has it. */
export function calendarFile(entry: Entry, now: Instant): Response {
  const calendar = ical({
    prodId: { company: 'Daybook', product: 'Daybook' },
    method: entry.isCanceled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
  });
  calendar.createEvent({
    id: `${entry.id}@daybook`,
    sequence: entry.sequence,
    status: entry.isCanceled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    stamp: new Date(now),
    start: new Date(entry.startsAt),
    end: new Date(entry.endsAt),
    summary: entry.summary,
    // The library escapes a quotation mark with a backslash; other programs end the name there.
    organizer: { name: entry.providerName.replaceAll(/["\\]/g, "'"), email: noAddress },
    description: entry.description ?? undefined,
    location: entry.location ?? undefined,
    url: entry.url,
  });
  // Each line ends in a line break, the last one too; the library leaves that one out.
  return new Response(`${calendar}\r\n`, {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="daybook.ics"',
    },
  });
}
