import { msg } from '@lingui/core/macro';
import type { Instant } from '../../time/clock';
import type { Words } from '../../words/words';
import { isLinkOver } from './events';
import type { Current, KindWith, MessageWith } from './kind';
import { hostInside, mailSubjectAbout, serviceOf, subjectButton, subjectLink, titleOf, whenOf } from './words';

/** The reader has not answered the invitation. */
type Reminder = { isWithoutRsvp: boolean };

function appointmentSentence(message: MessageWith<Reminder>): Words {
  const { subject } = message;
  const [host, service, when] = [hostInside(message), serviceOf(subject), whenOf(subject)];
  return service ? msg`You see ${host} for ${service} on ${when}.` : msg`You see ${host} on ${when}.`;
}

function eventSentence({ subject, data }: MessageWith<Reminder>): Words {
  const [title, when] = [titleOf(subject), whenOf(subject)];
  return data.isWithoutRsvp ? msg`${title} is on ${when}. Please say whether you come.` : msg`${title} is on ${when}.`;
}

const isStillBooked = ({ booking }: Current, now: Instant) =>
  booking?.isBooked && booking.isReaders && booking.startsAt > now;

const isStillAhead = ({ event }: Current, now: Instant) => event !== null && !event.isCalledOff && event.startsAt > now;

export const reminder: KindWith<Reminder> = {
  mails: msg`that remind you`,
  switchedOffBy: 'anyone',
  mail: { toUnconfirmed: true },
  data: ({ isWithoutRsvp = false }: Partial<Reminder>) => ({ isWithoutRsvp }),
  sentence: (message) =>
    message.subject?.noun === 'appointment' ? appointmentSentence(message) : eventSentence(message),
  link: subjectLink,
  mailSubject: (message, readerZone) =>
    mailSubjectAbout(msg({ message: 'Soon', context: 'subject of a mail' }), message, readerZone),
  button: subjectButton,
  isOver({ invitationId }, current, now) {
    const isComing = current.invitation?.isComing ?? null;
    if (invitationId !== null) return isLinkOver(current, now) || !isStillAhead(current, now) || isComing === false;
    return !isStillBooked(current, now) && !(isComing && isStillAhead(current, now));
  },
};
