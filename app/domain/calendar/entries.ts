import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import * as paths from '../../paths';
import { mapLink, type Party } from '../parties/parties';
import { formerName, providerWords } from '../profile/former';
import { locationOf, type Where } from '../services/where';
import { providerInShop, type ShopInShort } from '../shop/in-shop';
import { type Answer, answersInWords, type Question } from '../templates/questions';
import type { Instant } from '../time/clock';
import { worded } from '../words/worded';
import type { Words } from '../words/words';

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
  /** The link of a video call. */
  conference?: string | null;
  url?: string;
  stampedAt: Instant;
  /** The person who gets the mail, by the address that their calendar knows. */
  attendee?: { name: string; email: string };
  /** Minutes before the start. */
  alarms?: number[];
};

/** 'Colour, Karla'. @param person the other of the two */
export const appointmentTitle = (service: string | null, person: Words): Words =>
  service ? msg`${service}, ${person}` : person;

type AppointmentOf = {
  id: string;
  calendarId: string;
  sequence: number;
  startsAt: Instant;
  endsAt: Instant;
  providerName: string;
  shop: Pick<ShopInShort, 'displayName'> | null;
  bookerName: string | null;
  notes: string | null;
  service: string | null;
  /** Of the provider: their address, or their city. */
  location?: string | null;
  where: Where | null;
  place: string | null;
  isCanceled: boolean;
};

type EntryReader = {
  isProvider: boolean;
  /** Without a slash at its end. */
  origin: string;
  stampedAt: Instant;
  /** Words the entry. */
  i18n: I18n;
};

/** The calendar entry of an appointment, for one of its two people. */
export function entryOfAppointment(
  { id, calendarId, sequence, startsAt, endsAt, bookerName, notes, service, ...booking }: AppointmentOf,
  { isProvider, origin, stampedAt, i18n }: EntryReader,
): Entry {
  const { location, where, place, isCanceled } = booking;
  const at = locationOf({ where, place }, location ?? null, isProvider);
  const provider = providerInShop(booking, true);
  const person = isProvider ? (bookerName ?? msg`Appointment`) : provider;
  return {
    id: calendarId,
    sequence,
    isCanceled,
    startsAt,
    endsAt,
    providerName: worded(i18n, provider),
    location: at && worded(i18n, at),
    conference: where === 'video' ? place : null,
    summary: worded(i18n, appointmentTitle(service, person)),
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
  reader: EntryReader,
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
  { isCanceled, url, stampedAt, i18n }: { isCanceled: boolean; url: string } & Pick<EntryReader, 'stampedAt' | 'i18n'>,
): Entry {
  return {
    id,
    sequence,
    isCanceled,
    startsAt,
    endsAt,
    // After a host has left, their title is gone too.
    summary: worded(i18n, providerName === formerName ? msg`Called off` : title),
    providerName: worded(i18n, providerWords(providerName, true)),
    description,
    location: place.address ?? mapLink(place),
    url,
    stampedAt,
  };
}

/** Shows only when the time is, not what it is for. */
export const busyEntry = ({ id, sequence, isCanceled, startsAt, endsAt, stampedAt }: Entry, i18n: I18n): Entry => ({
  id,
  sequence,
  isCanceled,
  startsAt,
  endsAt,
  stampedAt,
  summary: worded(i18n, msg({ message: 'Busy', context: 'state' })),
});
