import { msg, plural } from '@lingui/core/macro';
import { shortWhenWords } from '../../time/when-words';
import type { Words } from '../../words/words';
import type { KindWith, MessageWith } from './kind';
import { countFrom, firstAndLast, type Several, type SpanWords, type StoredSeveral, severalOf } from './several';
import {
  clientName,
  hostInside,
  mailSubjectAbout,
  otherName,
  senderAndTime,
  serviceOf,
  serviceThenTime,
  subjectButton,
  subjectLink,
  whenOf,
} from './words';

type Booked = {
  several: Several | null;
  /** How many have moved forward by the waitlist since a time came free; 0 if it was booked in another way. */
  filled: number;
};

function toClient(message: MessageWith<Booked>): Words {
  const { subject } = message;
  const [host, service, when] = [hostInside(message), serviceOf(subject), whenOf(subject)];
  return service
    ? msg`Your appointment for ${service} with ${host} is on ${when}.`
    : msg`Your appointment with ${host} is on ${when}.`;
}

function toProvider(message: MessageWith<Booked>): Words {
  const { filled } = message.data;
  const [other, service, when] = [otherName(message), serviceOf(message.subject), whenOf(message.subject)];
  if (filled > 1) {
    return service
      ? msg`Filled by the waitlist: ${plural({ filled }, { one: '# person', other: '# people' })} moved forward. The last, ${other}, booked ${service} on ${when}.`
      : msg`Filled by the waitlist: ${plural({ filled }, { one: '# person', other: '# people' })} moved forward. The last, ${other}, booked ${when}.`;
  }
  if (filled === 1) {
    return service
      ? msg`Filled by the waitlist: ${other} booked ${service} on ${when}.`
      : msg`Filled by the waitlist: ${other} booked ${when}.`;
  }
  return service ? msg`${other} booked ${service} on ${when}.` : msg`${other} booked ${when}.`;
}

/** What a colleague did for the provider. */
function toProviderOf(client: Words, message: MessageWith<Booked>): Words {
  const [other, what] = [otherName(message), serviceThenTime(message.subject)];
  return msg`${other} booked ${client} with you: ${what}.`;
}

function aboutSeveral(message: MessageWith<Booked>, { from, until }: SpanWords): Words {
  const { isToHost, count } = message;
  const service = serviceOf(message.subject);
  if (isToHost) {
    const [other, client] = [otherName(message), clientName(message)];
    if (client) {
      return msg`${other} booked ${plural({ count }, { one: '# appointment', other: '# appointments' })} with you for ${client}, from ${from}, to ${until}.`;
    }
    return service
      ? msg`${other} booked ${plural({ count }, { one: '# appointment', other: '# appointments' })} for ${service}, from ${from}, to ${until}.`
      : msg`${other} booked ${plural({ count }, { one: '# appointment', other: '# appointments' })}, from ${from}, to ${until}.`;
  }
  const host = hostInside(message);
  return service
    ? msg`You have ${plural({ count }, { one: '# appointment', other: '# appointments' })} for ${service} with ${host}, from ${from}, to ${until}.`
    : msg`You have ${plural({ count }, { one: '# appointment', other: '# appointments' })} with ${host}, from ${from}, to ${until}.`;
}

export const booked: KindWith<Booked> = {
  mails: msg`about new bookings`,
  switchedOffBy: 'anyone',
  mail: { toUnconfirmed: true, isByGuests: true },
  data: ({ filled = 0, ...stored }: StoredSeveral & { filled?: number }) => ({ several: severalOf(stored), filled }),
  sentence(message) {
    const several = firstAndLast(message);
    if (several) return aboutSeveral(message, several);
    if (!message.isToHost) return toClient(message);
    const client = clientName(message);
    return client ? toProviderOf(client, message) : toProvider(message);
  },
  brief(_, { other, client, subject }) {
    const when = shortWhenWords(subject.startsAt, subject.timeZone);
    return client ? msg`${other} booked ${client} with you ${when}` : msg`${other} booked ${when}`;
  },
  link: subjectLink,
  // The first mail of a booking begins with the provider's name.
  mailSubject(message, readerZone) {
    const count = countFrom(message);
    const about = message.isToHost ? null : senderAndTime(message, readerZone, count);
    if (!about)
      return mailSubjectAbout(msg({ message: 'Booked', context: 'subject of a mail' }), message, readerZone, count);
    const { sender, when } = about;
    return msg`${sender}: ${when}`;
  },
  button: subjectButton,
  calendarEntry: () => 'stands',
};
