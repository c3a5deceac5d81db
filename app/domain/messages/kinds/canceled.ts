import { msg, plural } from '@lingui/core/macro';
import * as paths from '../../../paths';
import { shortWhenWords } from '../../time/when-words';
import type { Words } from '../../words/words';
import type { KindWith, MessageWith } from './kind';
import { countFrom, firstAndLast, type Several, type SpanWords, type StoredSeveral, severalOf } from './several';
import {
  clientName,
  hostInside,
  mailSubjectAbout,
  openDaybook,
  otherInside,
  otherName,
  seeAppointment,
  serviceOf,
  serviceThenTime,
  stopped,
  subjectLink,
  whenOf,
  withReason,
} from './words';

type Canceled = {
  several: Several | null;
  /** Of how many clients the appointments were, for a provider whose colleague canceled them together. */
  clients?: number | undefined;
  reason: string | null;
};

function aboutSeveral(message: MessageWith<Canceled>, { from, until }: SpanWords, given: string | null): Words {
  const { count } = message;
  const service = serviceOf(message.subject);
  if (message.other === null) {
    const host = hostInside(message);
    return service
      ? msg`You canceled ${plural({ count }, { one: '# appointment', other: '# appointments' })} for ${service} with ${host}, from ${from}, to ${until}.`
      : msg`You canceled ${plural({ count }, { one: '# appointment', other: '# appointments' })} with ${host}, from ${from}, to ${until}.`;
  }
  const [other, client] = [otherName(message), clientName(message)];
  if (client) {
    const words = msg`${other} canceled ${plural({ count }, { one: '# appointment', other: '# appointments' })} with ${client}, from ${from}, to ${until}.`;
    return withReason(words, given);
  }
  const { subject, data } = message;
  if (data.several?.last === subject?.startsAt) {
    const words = msg`${other} canceled ${plural({ count }, { one: '# appointment', other: '# appointments' })} on ${from}.`;
    return withReason(words, given);
  }
  if (!given) {
    return service
      ? msg`${other} canceled ${plural({ count }, { one: '# appointment', other: '# appointments' })} for ${service}, from ${from}, to ${until}.`
      : msg`${other} canceled ${plural({ count }, { one: '# appointment', other: '# appointments' })}, from ${from}, to ${until}.`;
  }
  const reason = stopped(given);
  return service
    ? msg`${other} canceled ${plural({ count }, { one: '# appointment', other: '# appointments' })} for ${service}, from ${from}, to ${until}: ${reason}`
    : msg`${other} canceled ${plural({ count }, { one: '# appointment', other: '# appointments' })}, from ${from}, to ${until}: ${reason}`;
}

function aboutOne(message: MessageWith<Canceled>, given: string | null): Words {
  const [service, when] = [serviceOf(message.subject), whenOf(message.subject)];
  if (message.other === null) {
    const host = hostInside(message);
    return service
      ? msg`You canceled the appointment for ${service} with ${host} on ${when}.`
      : msg`You canceled the appointment with ${host} on ${when}.`;
  }
  const [other, client] = [otherName(message), clientName(message)];
  if (client) {
    const what = serviceThenTime(message.subject);
    return withReason(msg`${other} canceled the appointment with ${client}: ${what}.`, given);
  }
  if (!given) {
    return service
      ? msg`${other} canceled the appointment for ${service} on ${when}.`
      : msg`${other} canceled the appointment on ${when}.`;
  }
  const reason = stopped(given);
  return service
    ? msg`${other} canceled the appointment for ${service} on ${when}: ${reason}`
    : msg`${other} canceled the appointment on ${when}: ${reason}`;
}

function sentence(message: MessageWith<Canceled>, reason: string | null): Words {
  const several = firstAndLast(message);
  return several ? aboutSeveral(message, several, reason) : aboutOne(message, reason);
}

export const canceled: KindWith<Canceled> = {
  mails: msg`about cancellations`,
  switchedOffBy: 'anyone',
  mail: { toUnconfirmed: true },
  data: ({ reason, clients, ...stored }: StoredSeveral & { reason?: string; clients?: number }) => ({
    several: severalOf(stored),
    clients,
    reason: reason ?? null,
  }),
  withoutHostTexts: (data) => ({ ...data, reason: null }),
  sentence: (message) => sentence(message, message.data.reason),
  brief(message, { other, client, subject }) {
    const { reason, clients } = message.data;
    if (clients) return sentence(message, reason);
    const when = shortWhenWords(subject.startsAt, subject.timeZone);
    if (client) return msg`${other} canceled ${client} ${when}`;
    return reason ? msg`${other} canceled ${when}: ${reason}` : msg`${other} canceled ${when}`;
  },
  link: subjectLink,
  mailSubject: (message, readerZone) =>
    mailSubjectAbout(
      msg({ message: 'Canceled', context: 'subject of a mail' }),
      message,
      readerZone,
      countFrom(message),
    ),
  button: ({ subject }) => (subject ? seeAppointment : openDaybook),
  bookAgain: ({ isToHost, hostUsername }, service) =>
    isToHost || !hostUsername ? null : paths.provider(hostUsername, { service }),
  calendarEntry: () => 'canceled',
  notice: {
    beside: 'appointments',
    title(message) {
      const other = otherInside(message);
      const { reason } = message.data;
      return reason ? msg`Canceled by ${other}: ${reason}` : msg`Canceled by ${other}`;
    },
    text: (message) => sentence(message, null),
    offersAnother: true,
  },
};
