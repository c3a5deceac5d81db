import { msg, plural } from '@lingui/core/macro';
import type { Instant } from '../../time/clock';
import { shortWhenWords } from '../../time/when-words';
import { inARow } from '../../words/joined';
import type { Words } from '../../words/words';
import type { KindWith, MessageWith, Subject } from './kind';
import { countFrom, firstAndLast, type Several, severalOf } from './several';
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
  /** Whose it was, where a colleague has it now. */
  from: string | null;
  /** Who have them now, for whoever had them. */
  to: string[] | null;
  several: Several | null;
};

type StoredMoved = Moved['was'] & {
  reason?: string;
  filled?: number;
  from?: string;
  /** A name alone in what 1.0.0 has written. */
  to?: string | string[];
  with?: string;
  count?: number;
  last?: Instant;
};

/** To the client: who has the appointment now. */
function goneToColleague(message: MessageWith<Moved>, from: string, given: string | null): Words {
  const { subject, data, count } = message;
  const [host, service, was, when] = [
    hostInside(message),
    serviceOf(subject),
    whenOf(before(subject, data)),
    whenOf(subject),
  ];
  if (message.other === null) {
    return service
      ? msg`You moved the appointment for ${service} with ${from} on ${was}. It is now on ${when}, with ${host}.`
      : msg`You moved the appointment with ${from} on ${was}. It is now on ${when}, with ${host}.`;
  }
  const span = firstAndLast(message);
  const [first, until] = [span?.from ?? '', span?.until ?? ''];
  const gone = span
    ? msg`${plural({ count }, { one: '# appointment', other: '# appointments' })} of yours with ${from}, from ${first}, to ${until}, are with colleagues now.`
    : was === when || data.was.startsAt === subject?.startsAt
      ? service
        ? msg`Your appointment for ${service} on ${when} was with ${from}. It is with ${host} now.`
        : msg`Your appointment on ${when} was with ${from}. It is with ${host} now.`
      : msg`Your appointment with ${from} on ${was} was moved. It is now on ${when}, with ${host}.`;
  return inARow(given ? [gone, stopped(given)] : [gone]);
}

/** To whoever has it now, or had it. */
function passedOn(message: MessageWith<Moved>): Words {
  const { subject, data, count } = message;
  const { from, to } = data;
  const [other, was, when] = [otherName(message), whenOf(before(subject, data)), whenOf(subject)];
  const client = clientName(message);
  const span = firstAndLast(message);
  const [first, until] = [span?.from ?? '', span?.until ?? ''];
  if (from !== null) {
    return span
      ? msg`${other} moved ${plural({ count }, { one: '# appointment', other: '# appointments' })} from ${from} to you, from ${first}, to ${until}.`
      : data.was.startsAt === subject?.startsAt
        ? client
          ? msg`${other} moved the appointment with ${client} from ${from} to you: ${when}.`
          : msg`${other} moved an appointment from ${from} to you: ${when}.`
        : client
          ? msg`${other} moved the appointment with ${client} from ${from}, ${was}, to you: ${when}.`
          : msg`${other} moved an appointment from ${from}, ${was}, to you: ${when}.`;
  }
  const colleague: Words = { list: to ?? [] };
  return span
    ? msg`${other} moved ${plural({ count }, { one: '# appointment', other: '# appointments' })} of yours to ${colleague}, from ${first}, to ${until}.`
    : client
      ? msg`${other} moved your appointment with ${client} on ${when} to ${colleague}.`
      : msg`${other} moved your appointment on ${when} to ${colleague}.`;
}

const before = (subject: Subject | null, { was }: Moved) => subject && { ...subject, ...was };

function sentence(message: MessageWith<Moved>, given: string | null): Words {
  const { subject, data } = message;
  if (message.isToHost && (data.from !== null || data.to !== null)) return passedOn(message);
  if (data.from !== null) return goneToColleague(message, data.from, given);
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
  mail: { toUnconfirmed: true },
  data: ({ startsAt, endsAt, reason, filled = 0, from, to, count, ...stored }: StoredMoved) => ({
    was: { startsAt, endsAt },
    reason: reason ?? null,
    filled,
    from: from ?? null,
    to: to === undefined ? null : [to].flat(),
    // The message to a colleague counts without listing, since it is about several clients.
    several: severalOf(stored.with === undefined && count ? { ...stored, with: '' } : stored),
  }),
  withoutHostTexts: (data) => ({ ...data, reason: null }),
  sentence: (message) => sentence(message, message.data.reason),
  brief(message, { subject, other, client }) {
    const { was, reason } = message.data;
    if (message.data.from !== null || message.data.to !== null) return passedOn(message);
    const { startsAt, timeZone } = subject;
    const [from, to] = [shortWhenWords(was.startsAt ?? startsAt, timeZone), shortWhenWords(startsAt, timeZone)];
    if (client) return msg`${other} moved ${client} from ${from} to ${to}`;
    return reason ? msg`${other} moved from ${from} to ${to}: ${reason}` : msg`${other} moved from ${from} to ${to}`;
  },
  link: subjectLink,
  mailSubject: (message, readerZone) =>
    mailSubjectAbout(
      message.data.from !== null && !message.isToHost
        ? msg`With somebody else now`
        : msg({ message: 'Moved', context: 'subject of a mail' }),
      message,
      readerZone,
      countFrom(message),
    ),
  button: subjectButton,
  calendarEntry: () => 'stands',
  notice: {
    beside: 'appointments',
    title(message) {
      const other = otherInside(message);
      const { reason, from } = message.data;
      if (from !== null) return reason ? msg`With somebody else now: ${reason}` : msg`With somebody else now`;
      return reason ? msg`Moved by ${other}: ${reason}` : msg`Moved by ${other}`;
    },
    text: (message) => sentence(message, null),
  },
};
