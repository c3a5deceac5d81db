import * as paths from '../../paths';
import { formerName, providerWords } from '../leaving/former';
import { mapLink, type Party } from '../parties/parties';
import { type Answer, answersInWords, type Question } from '../templates/questions';
import type { Instant } from '../time/clock';

export type Entry = {
  /** Never changes for one appointment or event, so a calendar updates its entry and makes no second one. */
  id: string;
  sequence: number;
  isCanceled?: boolean;
  startsAt: Instant;
  endsAt: Instant;
  summary: string;
  /** The provider or host; left out in a feed that hides names. */
  providerName?: string;
  description?: string | null;
  location?: string | null;
  url?: string;
  /** The last change. */
  stampedAt: Instant;
  /** The reader of a mail, by the address that their own calendar knows. */
  attendee?: { name: string; email: string };
  /** Minutes before the start at which the reader's calendar reminds them. */
  alarms?: number[];
};

type AppointmentOf = {
  /** A moved appointment gets a new id, and keeps its entry. */
  id: string;
  calendarId: string;
  sequence: number;
  startsAt: Instant;
  endsAt: Instant;
  providerName: string;
  bookerName: string | null;
  notes: string | null;
  service: string | null;
  location?: string | null;
  isCanceled: boolean;
};

/**
 * The entry of an appointment for one of its two people.
 * @param origin the address of this Daybook, without a slash at its end
 */
export function entryOfAppointment(
  { id, calendarId, sequence, startsAt, endsAt, providerName, bookerName, notes, service, ...booking }: AppointmentOf,
  { isProvider, origin, stampedAt }: { isProvider: boolean; origin: string; stampedAt: Instant },
): Entry {
  const { location, isCanceled } = booking;
  const who = isProvider ? (bookerName ?? 'Appointment') : providerWords(providerName, true);
  return {
    id: calendarId,
    sequence,
    isCanceled,
    startsAt,
    endsAt,
    providerName: providerWords(providerName, true),
    location,
    summary: service ? `${service}, ${who}` : who,
    description: notes,
    url: origin + (isProvider ? paths.providerDetails(id) : paths.appointment(id)),
    stampedAt,
  };
}

/** A day and an hour before, in minutes. */
const usualAlarms = [24 * 60, 60];

/** A booking in a calendar file or a mail. */
export type BookingOf = Required<AppointmentOf> & {
  answers: Answer[];
  questions: Question[];
  /** The booker's username; null for a guest, whose only way in is the personal link. */
  username: string | null;
  /** The path of the personal link; null if the reader has none. */
  linkPath: string | null;
};

/**
 * The one entry of a booking for one of its two people, in files and in mails: with notes, answers and the personal link, by
 * which its booker comes back to it, and with alarms.
 * @param origin the address of this Daybook, without a slash at its end
 */
export function bookingEntry(
  { answers, questions, username, linkPath, ...booking }: BookingOf,
  reader: { isProvider: boolean; origin: string; stampedAt: Instant },
): Entry {
  const link = linkPath && reader.origin + linkPath;
  const said = answersInWords(questions, answers).map(({ question, answer }) => `${question} ${answer}`);
  const notes = [booking.notes, said.join('\n'), link].filter(Boolean).join('\n\n') || null;
  const entry = entryOfAppointment({ ...booking, notes }, reader);
  return { ...entry, ...(link && username === null && { url: link }), alarms: usualAlarms };
}

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
    // A host who left takes the title along.
    summary: providerName === formerName ? 'Called off' : title,
    providerName: providerWords(providerName, true),
    description,
    location: place.address ?? mapLink(place),
    url,
    stampedAt,
  };
}

/** The entry for a reader who may know the time, and nothing else. */
export const busyEntry = ({ id, sequence, isCanceled, startsAt, endsAt, stampedAt }: Entry): Entry => ({
  id,
  sequence,
  isCanceled,
  startsAt,
  endsAt,
  stampedAt,
  summary: 'Busy',
});
