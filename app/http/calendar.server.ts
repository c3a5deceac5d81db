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
  /** Who holds it. */
  providerName: string;
  description?: string | null;
  location?: string | null;
  url: string;
};

/**
 * Whoever publishes or cancels an entry must say who organizes it, by an address (RFC 5546, 3.2.1 and 3.2.5). We know no
 * address of a provider, so this is one that can never be anybody's (RFC 2606); the name beside it is what people read.
 */
const noAddress = 'organizer@daybook.invalid';

/** One entry as a calendar file (RFC 5545). A canceled one takes the entry out of a calendar that has it. */
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
    // The library writes a quotation mark with a backslash, on which other programs end the name.
    organizer: { name: entry.providerName.replaceAll(/["\\]/g, "'"), email: noAddress },
    description: entry.description ?? undefined,
    location: entry.location ?? undefined,
    url: entry.url,
  });
  // Every line ends in a line break, the last one too; the library leaves that one out.
  return new Response(`${calendar}\r\n`, {
    headers: {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'attachment; filename="daybook.ics"',
    },
  });
}
