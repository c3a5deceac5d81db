import { mapLink, type Party } from '../parties/parties';
import type { Instant } from '../time/clock';

/** One entry of a calendar file, feed or mail. */
export type Entry = {
  /** Never changes for one appointment or event, so a calendar updates its entry and makes no second one. */
  id: string;
  /** Rises with each change. */
  sequence: number;
  isCanceled?: boolean;
  startsAt: Instant;
  endsAt: Instant;
  summary: string;
  /** Who holds it; nobody in a feed that hides names. */
  providerName?: string;
  description?: string | null;
  location?: string | null;
  url?: string;
  /** When it was written, or changed last. */
  stampedAt: Instant;
  /** Who comes, as their own calendar knows them by their address: in a mail to them. */
  attendee?: { name: string; email: string };
  /** Minutes before the start at which the reader's calendar reminds them. */
  alarms?: number[];
};

/** What an appointment gives to its entry. */
type AppointmentOf = {
  /** Of the appointment, and of its entry: what was moved is still the same entry. */
  id: string;
  calendarId: string;
  sequence: number;
  startsAt: Instant;
  endsAt: Instant;
  providerName: string;
  bookerName: string | null;
  notes: string | null;
  location?: string | null;
  isCanceled: boolean;
};

/**
 * The entry of an appointment for one of its two people.
 * @param origin the address of this Daybook, without a slash at its end
 */
export function entryOfAppointment(
  { id, calendarId, notes, bookerName, ...appointment }: AppointmentOf,
  { isProvider, origin, stampedAt }: { isProvider: boolean; origin: string; stampedAt: Instant },
): Entry {
  return {
    ...appointment,
    id: calendarId,
    summary: isProvider ? (bookerName ?? 'Appointment') : appointment.providerName,
    description: notes,
    url: `${origin}/${isProvider ? 'details-provider' : 'details-cancel'}/${id}`,
    stampedAt,
  };
}

/** What a party or meetup gives to its entry. */
type EventOf = Pick<
  Party,
  'id' | 'sequence' | 'startsAt' | 'endsAt' | 'title' | 'providerName' | 'description' | 'address' | 'locationUrl'
>;

/** The entry of a party or meetup. @param url of the page of it that the reader has */
export function entryOfParty(
  { id, sequence, startsAt, endsAt, title, providerName, description, ...place }: EventOf,
  { isCanceled, url, stampedAt }: { isCanceled: boolean; url: string; stampedAt: Instant },
): Entry {
  return {
    id,
    sequence,
    isCanceled,
    startsAt,
    endsAt,
    summary: title,
    providerName,
    description,
    location: place.address ?? mapLink(place),
    url,
    stampedAt,
  };
}

/** What a file says of an appointment: its notes, the answers, and the link by which its booker comes back to it. */
export const descriptionOf = ({
  notes,
  answers,
  link,
}: {
  notes: string | null;
  answers: { question: string; answer: string }[];
  link: string | null;
}): string | null =>
  [notes, answers.map(({ question, answer }) => `${question} ${answer}`).join('\n'), link]
    .filter(Boolean)
    .join('\n\n') || null;

/** A day and an hour before, in minutes. */
export const usualAlarms = [24 * 60, 60];

/** The entry as somebody sees it who is to know when, and nothing else. */
export const busyEntry = ({ id, sequence, isCanceled, startsAt, endsAt, stampedAt }: Entry): Entry => ({
  id,
  sequence,
  isCanceled,
  startsAt,
  endsAt,
  stampedAt,
  summary: 'Busy',
});
