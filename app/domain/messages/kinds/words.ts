import { msg, plural, select } from '@lingui/core/macro';
import * as paths from '../../../paths';
import { formerName, providerWords } from '../../profile/former';
import { providerInShop } from '../../shop/in-shop';
import { isSameAt, zoneWords } from '../../time/clock';
import { shortWhenWords, whenWords } from '../../time/when-words';
import type { Words } from '../../words/words';
import type { MessageWith, Subject } from './kind';

/* What the sentences of several kinds say alike: names, times, and what they are about. */

type About = Pick<MessageWith<unknown>, 'subject' | 'isToHost' | 'host' | 'shop' | 'other' | 'client' | 'invitationId'>;

/** A name as a message has it. @param isFirst the name begins a sentence or stands alone */
function nameWords(name: string, isFirst: boolean): Words {
  if (name === '') return providerWords('', isFirst);
  return name === formerName ? msg`Former guest` : name;
}

type Host = Pick<About, 'host' | 'shop'>;
const hostWords = ({ host, shop }: Host, isFirst: boolean): Words =>
  host === null ? '' : providerInShop({ providerName: host, shop: shop ? { displayName: shop } : null }, isFirst);
export const hostName = (message: Host): Words => hostWords(message, true);
export const hostInside = (message: Host): Words => hostWords(message, false);
export const otherName = ({ other }: Pick<About, 'other'>): Words =>
  other === null ? msg`Somebody` : nameWords(other, true);
export const otherInside = ({ other }: Pick<About, 'other'>): Words =>
  other === null ? msg({ message: 'somebody', context: 'inside of a sentence' }) : nameWords(other, false);

/** The client of whom a provider reads, if a colleague acted for the provider; null elsewhere. */
export const clientName = ({ client }: Pick<About, 'client'>): Words | null =>
  client ? nameWords(client, true) : null;

/** A reason at the end of a sentence, with one full stop. */
export const stopped = (reason: string) => (/[.!?…]$/.test(reason) ? reason : `${reason}.`);

/** A sentence, and the reason behind it if there is one. */
export function withReason(sentence: Words, reason: string | null): Words {
  if (!reason) return sentence;
  const why = stopped(reason);
  return msg`${sentence} ${why}`;
}

export const whenOf = (subject: Subject | null): Words => (subject ? whenWords(subject) : '');

/** 'Colour', 'Morning yoga, 3 people'; null for a plain appointment of one person. */
export function serviceOf(subject: Subject | null): Words | null {
  if (subject?.noun !== 'appointment') return null;
  const { service, people } = subject;
  if (people < 2) return service || null;
  return service
    ? msg`${service}, ${plural({ people }, { one: '# person', other: '# people' })}`
    : msg({ message: plural({ people }, { one: '# person', other: '# people' }) });
}

/** 'Colour on Wednesday, 2 December 2026, 10:00 to 10:30, Lisbon time'. */
export function serviceAndTimeOf(subject: Subject | null): Words {
  const [service, when] = [serviceOf(subject), whenOf(subject)];
  return service ? msg`${service} on ${when}` : when;
}

/** 'Colour, Wednesday, 2 December 2026, 10:00 to 10:30, Lisbon time'. */
export function serviceThenTime(subject: Subject | null): Words {
  const [service, when] = [serviceOf(subject), whenOf(subject)];
  return service ? msg`${service}, ${when}` : when;
}

/** What an event is called. */
export function titleOf(subject: Subject | null): Words {
  if (subject?.title) return subject.title;
  const noun = subject?.noun ?? 'party';
  return msg({ message: select({ noun }, { appointment: 'an appointment', meetup: 'a meetup', other: 'a party' }) });
}

/** 'Karla', 'Karla, Colour' or 'Karla, Garden party'. */
function senderWords(message: About, subject: Subject): Words {
  const { isToHost, host } = message;
  const title = titleOf(subject);
  if (subject.noun === 'appointment') {
    const { service } = subject;
    const person = isToHost
      ? (clientName(message) ?? otherName(message))
      : host === null
        ? msg`Your appointment`
        : hostInside(message);
    return service ? msg`${person}, ${service}` : person;
  }
  if (isToHost) return title;
  const person = hostInside(message);
  return msg`${person}, ${title}`;
}

function whenOfMail({ startsAt, timeZone }: Subject, readerZone: string, count: number): Words {
  const [when, zone] = [shortWhenWords(startsAt, timeZone), zoneWords(timeZone)];
  const time = isSameAt(startsAt, timeZone, readerZone) ? when : msg`${when} (${zone})`;
  return count > 1 ? msg`${plural({ count }, { one: '# appointment', other: '# appointments' })} from ${time}` : time;
}

/**
 * 'Karla' and 'Tue 24 Nov, 09:30', with the time zone if the reader's clock differs. Null without a subject.
 * @param count how many appointments begin then
 */
export function senderAndTime(message: About, readerZone: string, count = 1): { sender: Words; when: Words } | null {
  const { subject } = message;
  return subject && { sender: senderWords(message, subject), when: whenOfMail(subject, readerZone, count) };
}

/** 'Canceled: Karla, Tue 24 Nov, 09:30'. */
export function mailSubjectAbout(what: Words, message: About, readerZone: string, count = 1): Words {
  const about = senderAndTime(message, readerZone, count);
  if (!about) return what;
  const { sender, when } = about;
  return msg`${what}: ${sender}, ${when}`;
}

/** The page of what it is about. */
export function subjectLink({ subject, isToHost, invitationId }: About): string {
  if (invitationId) return paths.meetup(invitationId);
  if (!subject) return paths.profile();
  const { noun, id } = subject;
  if (noun === 'appointment') return isToHost ? paths.providerView(id) : paths.appointment(id);
  if (noun === 'meetup') return isToHost ? paths.manageMeetup(id) : paths.invitations();
  return isToHost ? paths.manageParty(id) : paths.party(id);
}

export const openDaybook = msg`Open Daybook`;
export const seeAppointment = msg`See the appointment`;

/** The button to `subjectLink`. */
export function subjectButton({ subject, isToHost }: About, canChange: boolean): Words {
  if (!subject) return openDaybook;
  if (subject.noun !== 'appointment') return isToHost ? msg`See the answers` : msg`See the invitation`;
  return isToHost || !canChange ? seeAppointment : msg`Change or cancel`;
}
