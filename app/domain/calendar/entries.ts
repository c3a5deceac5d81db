import * as paths from '../../paths';
import { mapLink, type Party } from '../parties/parties';
import { formerName, providerWords } from '../profile/former';
import { type Answer, answersInWords, type Question } from '../templates/questions';
import type { Instant } from '../time/clock';

export type Entry = {
  /** Never changes for one appointment or event, so that a calendar updates its entry instead of adding another. */
  id: string;
  sequence: number;
  isCanceled?: boolean;
  startsAt: Instant;
  endsAt: Instant;
  summary: string;
  /** Left out if the feed hides names. */
  providerName?: string;
  description?: string | null;
  location?: string | null;
  url?: string;
  stampedAt: Instant;
  /** The person who gets the mail, by the address that their calendar knows. */
  attendee?: { name: string; email: string };
  /** Minutes before the start. */
  alarms?: number[];
};

/** 'Colour, Karla'. @param person the other of the two */
export const appointmentTitle = (service: string | null, person: string): string =>
  service ? `${service}, ${person}` : person;

type AppointmentOf = {
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

/** The calendar entry of an appointment, for one of its two people. @param origin without a slash at its end */
export function entryOfAppointment(
  { id, calendarId, sequence, startsAt, endsAt, providerName, bookerName, notes, service, ...booking }: AppointmentOf,
  { isProvider, origin, stampedAt }: { isProvider: boolean; origin: string; stampedAt: Instant },
): Entry {
  const { location, isCanceled } = booking;
  const summary = isProvider ? (bookerName ?? 'Appointment') : providerWords(providerName, true);
  return {
    id: calendarId,
    sequence,
    isCanceled,
    startsAt,
    endsAt,
    providerName: providerWords(providerName, true),
    location,
    summary: appointmentTitle(service, summary),
    description: notes,
    url: origin + (isProvider ? paths.providerDetails(id) : paths.appointment(id)),
    stampedAt,
  };
}

/** In minutes. */
const usualAlarms = [24 * 60, 60];

type BookingOf = Required<AppointmentOf> & {
  answers: Answer[];
  questions: Question[];
  /** Null for a guest, whose entry leads to the personal link. */
  username: string | null;
  linkPath: string | null;
};

/** The entry for files and mails, with notes, answers, reminders, and the client's personal link. */
export function bookingEntry(
  { answers, questions, username, linkPath, ...booking }: BookingOf,
  reader: { isProvider: boolean; origin: string; stampedAt: Instant },
): Entry {
  const link = linkPath && reader.origin + linkPath;
  const answerLines = answersInWords(questions, answers).map(({ question, answer }) => `${question} ${answer}`);
  const notes = [booking.notes, answerLines.join('\n'), link].filter(Boolean).join('\n\n') || null;
  const entry = entryOfAppointment({ ...booking, notes }, reader);
  return { ...entry, ...(link && username === null && { url: link }), alarms: usualAlarms };
}

type EventOf = Pick<
  Party,
  'id' | 'sequence' | 'startsAt' | 'endsAt' | 'title' | 'providerName' | 'description' | 'address' | 'locationUrl'
>;

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
    // After a host has left, their title is gone too.
    summary: providerName === formerName ? 'Called off' : title,
    providerName: providerWords(providerName, true),
    description,
    location: place.address ?? mapLink(place),
    url,
    stampedAt,
  };
}

/** Shows only when the time is, not what it is for. */
export const busyEntry = ({ id, sequence, isCanceled, startsAt, endsAt, stampedAt }: Entry): Entry => ({
  id,
  sequence,
  isCanceled,
  startsAt,
  endsAt,
  stampedAt,
  summary: 'Busy',
});
