import { msg, plural } from '@lingui/core/macro';
import type { Instant } from '../../time/clock';
import { shortWhenWords } from '../../time/when-words';
import type { Words } from '../../words/words';
import type { KindWith, MessageWith, Subject } from './kind';
import {
  clientName,
  hostInside,
  mailSubjectAbout,
  otherInside,
  otherName,
  serviceOf,
  stopped,
  subjectButton,
  subjectLink,
  whenOf,
  withReason,
} from './words';

type Moved = {
  was: { startsAt?: Instant; endsAt?: Instant };
  reason: string | null;
  /** How many have moved forward by the waitlist since a time came free; 0 if it was moved in another way. */
  filled: number;
};

const before = (subject: Subject | null, { was }: Moved) => subject && { ...subject, ...was };

function sentence(message: MessageWith<Moved>, given: string | null): Words {
  const { subject, data } = message;
  const [other, service] = [otherName(message), serviceOf(subject)];
  const [from, to] = [whenOf(before(subject, data)), whenOf(subject)];
  if (message.other === null) {
    const host = hostInside(message);
    return service
      ? msg`You moved the appointment for ${service} with ${host} on ${from}. It is now on ${to}.`
      : msg`You moved the appointment with ${host} on ${from}. It is now on ${to}.`;
  }
  const client = clientName(message);
  if (client) return withReason(msg`${other} moved the appointment with ${client} from ${from} to ${to}.`, given);
  const { filled } = data;
  if (filled > 1)
    return msg`Filled by the waitlist: ${plural({ filled }, { one: '# person', other: '# people' })} moved forward. The last, ${other}, moved from ${from} to ${to}.`;
  if (filled === 1) return msg`Filled by the waitlist: ${other} moved from ${from} to ${to}.`;
  if (!given) {
    return service
      ? msg`${other} moved the appointment for ${service} on ${from}. It is now on ${to}.`
      : msg`${other} moved the appointment on ${from}. It is now on ${to}.`;
  }
  const reason = stopped(given);
  return service
    ? msg`${other} moved the appointment for ${service} on ${from}. It is now on ${to}: ${reason}`
    : msg`${other} moved the appointment on ${from}. It is now on ${to}: ${reason}`;
}

export const moved: KindWith<Moved> = {
  mails: msg`about moved appointments`,
  switchedOffBy: 'anyone',
  data: ({ startsAt, endsAt, reason, filled = 0 }: Moved['was'] & { reason?: string; filled?: number }) => ({
    was: { startsAt, endsAt },
    reason: reason ?? null,
    filled,
  }),
  withoutHostTexts: (data) => ({ ...data, reason: null }),
  sentence: (message) => sentence(message, message.data.reason),
  brief({ data: { was, reason } }, { subject, other, client }) {
    const { startsAt, timeZone } = subject;
    const [from, to] = [shortWhenWords(was.startsAt ?? startsAt, timeZone), shortWhenWords(startsAt, timeZone)];
    if (client) return msg`${other} moved ${client} from ${from} to ${to}`;
    return reason ? msg`${other} moved from ${from} to ${to}: ${reason}` : msg`${other} moved from ${from} to ${to}`;
  },
  link: subjectLink,
  mailSubject: (message, readerZone) =>
    mailSubjectAbout(msg({ message: 'Moved', context: 'subject of a mail' }), message, readerZone),
  button: subjectButton,
  calendarEntry: () => 'stands',
  notice: {
    beside: 'appointments',
    title(message) {
      const other = otherInside(message);
      const { reason } = message.data;
      return reason ? msg`Moved by ${other}: ${reason}` : msg`Moved by ${other}`;
    },
    text: (message) => sentence(message, null),
  },
};
