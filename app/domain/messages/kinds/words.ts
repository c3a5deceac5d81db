import * as paths from '../../../paths';
import { formerProvider } from '../../profile/former';
import { dateWords, type Instant, isSameAt, localDateOf, zoneWords } from '../../time/clock';
import { shortWhenWords, whenWords } from '../../time/when-words';
import type { MessageWith, Subject } from './kind';

/* What the sentences of several kinds say alike: names, times, and what they are about. */

type About = Pick<MessageWith<unknown>, 'subject' | 'isOwn' | 'host' | 'other' | 'invitationId'>;

/** Names begin a sentence here. */
const atStart = (name: string) => (name === formerProvider ? 'A provider who has left' : name);

export const hostName = ({ host }: Pick<About, 'host'>) => atStart(host ?? '');
export const otherName = ({ other }: Pick<About, 'other'>) => (other === null ? 'Somebody' : atStart(other));

/** 'one more person', '3 more people'. */
export const counted = (count: number, one: string, many: string) => (count === 1 ? one : `${count} ${many}`);

/** ': ill', or nothing. */
export const reasonWords = (reason: string | null) => (reason ? `: ${reason}` : '');

/** The end of a sentence: the reason, and one full stop. */
export const reasonAndStop = (reason: string | null) =>
  `${reasonWords(reason)}${/[.!?…]$/.test(reason ?? '') ? '' : '.'}`;

export const whenOf = (subject: Subject | null) => (subject ? whenWords(subject) : '');

/** 'Colour', 'Morning yoga, 3 people'; null for a plain appointment of one person. */
export function serviceOf(subject: Subject | null): string | null {
  if (subject?.noun !== 'appointment') return null;
  const { service, people } = subject;
  return [service, people > 1 && `${people} people`].filter(Boolean).join(', ') || null;
}

export function appointmentOf(subject: Subject | null): string {
  const service = serviceOf(subject);
  return service ? `the appointment for ${service}` : 'the appointment';
}

/** '5 appointments', '5 appointments for Colour'. */
export function appointmentsOf(count: number, subject: Subject | null): string {
  const service = serviceOf(subject);
  return service ? `${count} appointments for ${service}` : `${count} appointments`;
}

/** 'Colour on Wednesday, 2 December 2026, 10:00 to 10:30, Lisbon time'. */
export function serviceAndTimeOf(subject: Subject | null): string {
  const [service, when] = [serviceOf(subject), whenOf(subject)];
  return service ? `${service} on ${when}` : when;
}

/** 'from Tuesday, 1 December 2026, 10:00 to 10:30, Lisbon time, to Tuesday, 29 December 2026'. */
export function fromTo(first: Subject, last: Instant | null): string {
  const until = dateWords(localDateOf(last ?? first.startsAt, first.timeZone)).full;
  return `from ${whenWords(first)}, to ${until}`;
}

/** What an event is called. */
export const titleOf = (subject: Subject | null): string =>
  subject?.title ?? (subject?.noun === 'appointment' ? 'an appointment' : `a ${subject?.noun ?? 'party'}`);

/** 'Karla', 'Karla, Colour' or 'Karla, Garden party'. */
function senderWords({ isOwn, other, host }: About, { noun, title, service }: Subject): string {
  const event = title ?? `a ${noun}`;
  const person = isOwn ? (other ?? 'Somebody') : (host ?? 'Your appointment');
  if (noun === 'appointment') return service ? `${person}, ${service}` : person;
  return isOwn ? event : `${host}, ${event}`;
}

/** 'Karla, Tue 24 Nov, 09:30', with the time zone if the reader's clock differs. Null without a subject. */
export function senderAndTime(message: About, readerZone: string): { sender: string; when: string } | null {
  const { subject } = message;
  if (!subject) return null;
  const { startsAt, timeZone } = subject;
  const words = shortWhenWords(startsAt, timeZone);
  const when = isSameAt(startsAt, timeZone, readerZone) ? words : `${words} (${zoneWords(timeZone)})`;
  return { sender: senderWords(message, subject), when };
}

/** 'Canceled: Karla, Tue 24 Nov, 09:30'. @param count before the time, such as '5 appointments from ' */
export function mailSubjectAbout(what: string, message: About, readerZone: string, count = ''): string {
  const about = senderAndTime(message, readerZone);
  return about ? `${what}: ${about.sender}, ${count}${about.when}` : what;
}

/** The page of what it is about. */
export function subjectLink({ subject, isOwn, invitationId }: About): string {
  if (invitationId) return paths.meetup(invitationId);
  if (!subject) return paths.profile();
  const { noun, id } = subject;
  if (noun === 'appointment') return isOwn ? paths.providerView(id) : paths.appointment(id);
  if (noun === 'meetup') return isOwn ? paths.manageMeetup(id) : paths.invitations();
  return isOwn ? paths.manageParty(id) : paths.party(id);
}

export const openDaybook = 'Open Daybook';
export const seeAppointment = 'See the appointment';

/** The button to `subjectLink`. */
export function subjectButton({ subject, isOwn }: About, canChange: boolean): string {
  if (!subject) return openDaybook;
  if (subject.noun !== 'appointment') return isOwn ? 'See the answers' : 'See the invitation';
  return isOwn || !canChange ? seeAppointment : 'Change or cancel';
}
