import * as paths from '../../../paths';
import { shortWhenWords } from '../../time/when-words';
import type { KindWith, MessageWith } from './kind';
import { countFrom, firstAndLast, type Several, type StoredSeveral, severalOf } from './several';
import {
  appointmentOf,
  appointmentsOf,
  fromTo,
  mailSubjectAbout,
  openDaybook,
  otherName,
  reasonAndStop,
  reasonWords,
  seeAppointment,
  subjectLink,
  whenOf,
} from './words';

type Canceled = { several: Several | null; reason: string | null };

function sentence(message: MessageWith<Canceled>, reason: string | null): string {
  const { subject, host, count } = message;
  const isByReader = message.other === null;
  const several = firstAndLast(message);
  if (several) {
    const times = fromTo(several.first, several.last);
    const appointments = appointmentsOf(count, subject);
    return isByReader
      ? `You canceled ${appointments} with ${host}, ${times}.`
      : `${otherName(message)} canceled ${appointments}, ${times}${reasonAndStop(reason)}`;
  }
  const [appointment, when] = [appointmentOf(subject), whenOf(subject)];
  return isByReader
    ? `You canceled ${appointment} with ${host} on ${when}.`
    : `${otherName(message)} canceled ${appointment} on ${when}${reasonAndStop(reason)}`;
}

export const canceled: KindWith<Canceled> = {
  mails: 'about cancellations',
  switchedOffBy: 'anyone',
  data: ({ reason, ...stored }: StoredSeveral & { reason?: string }) => ({
    several: severalOf(stored),
    reason: reason ?? null,
  }),
  withoutHostTexts: (data) => ({ ...data, reason: null }),
  sentence: (message) => sentence(message, message.data.reason),
  brief: ({ data }, { other, subject }) =>
    `${other} canceled ${shortWhenWords(subject.startsAt, subject.timeZone)}${reasonWords(data.reason)}`,
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout('Canceled', message, readerZone, countFrom(message)),
  button: ({ subject }) => (subject ? seeAppointment : openDaybook),
  bookAgain: ({ isOwn, hostUsername }, service) =>
    isOwn || !hostUsername ? null : paths.provider(hostUsername, { service }),
  calendarEntry: () => 'canceled',
  notice: {
    beside: 'appointments',
    title: ({ other, data }) => `Canceled by ${other ?? 'somebody'}${reasonWords(data.reason)}`,
    text: (message) => sentence(message, null),
    offersAnother: true,
  },
};
