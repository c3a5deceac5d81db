import { shortWhenWords } from '../../time/when-words';
import type { KindWith, MessageWith } from './kind';
import { countFrom, firstAndLast, type Several, type StoredSeveral, severalOf } from './several';
import {
  appointmentsOf,
  fromTo,
  mailSubjectAbout,
  otherName,
  senderAndTime,
  serviceAndTimeOf,
  serviceOf,
  subjectButton,
  subjectLink,
  whenOf,
} from './words';

type Booked = {
  several: Several | null;
  /** How many have moved forward by the waitlist since a time came free; 0 if it was booked in another way. */
  filled: number;
};

function toClient({ subject, host }: MessageWith<Booked>): string {
  const [service, when] = [serviceOf(subject), whenOf(subject)];
  return service
    ? `Your appointment for ${service} with ${host} is on ${when}.`
    : `Your appointment with ${host} is on ${when}.`;
}

function toProvider(message: MessageWith<Booked>): string {
  const { filled } = message.data;
  const [other, booked] = [otherName(message), serviceAndTimeOf(message.subject)];
  if (filled > 1)
    return `Filled by the waitlist: ${filled} people moved forward. The last, ${other}, booked ${booked}.`;
  return filled === 1 ? `Filled by the waitlist: ${other} booked ${booked}.` : `${other} booked ${booked}.`;
}

function aboutSeveral(message: MessageWith<Booked>, times: string): string {
  const { isOwn, count, host, subject } = message;
  const appointments = appointmentsOf(count, subject);
  return isOwn
    ? `${otherName(message)} booked ${appointments}, ${times}.`
    : `You have ${appointments} with ${host}, ${times}.`;
}

export const booked: KindWith<Booked> = {
  mails: 'about new bookings',
  switchedOffBy: 'anyone',
  data: ({ filled = 0, ...stored }: StoredSeveral & { filled?: number }) => ({ several: severalOf(stored), filled }),
  sentence(message) {
    const several = firstAndLast(message);
    if (several) return aboutSeveral(message, fromTo(several.first, several.last));
    return message.isOwn ? toProvider(message) : toClient(message);
  },
  brief: (_, { other, subject }) => `${other} booked ${shortWhenWords(subject.startsAt, subject.timeZone)}`,
  link: subjectLink,
  // The first mail of a booking begins with the provider's name.
  mailSubject(message, readerZone) {
    const about = message.isOwn ? null : senderAndTime(message, readerZone);
    const count = countFrom(message);
    return about ? `${about.sender}: ${count}${about.when}` : mailSubjectAbout('Booked', message, readerZone, count);
  },
  button: subjectButton,
  calendarEntry: () => 'stands',
};
