import type { Instant } from '../../time/clock';
import { shortWhenWords } from '../../time/when-words';
import type { KindWith, MessageWith, Subject } from './kind';
import {
  appointmentOf,
  mailSubjectAbout,
  otherName,
  reasonAndStop,
  reasonWords,
  subjectButton,
  subjectLink,
  whenOf,
} from './words';

type Moved = {
  was: { startsAt?: Instant; endsAt?: Instant };
  reason: string | null;
  /** How many have moved forward by the waitlist since a time came free; 0 if it was moved in another way. */
  filled: number;
};

const before = (subject: Subject | null, { was }: Moved) => subject && { ...subject, ...was };

function sentence(message: MessageWith<Moved>, reason: string | null): string {
  const { subject, data } = message;
  const [other, host, appointment] = [otherName(message), message.host, appointmentOf(subject)];
  const [from, to] = [whenOf(before(subject, data)), whenOf(subject)];
  if (message.other === null) return `You moved ${appointment} with ${host} on ${from}. It is now on ${to}.`;
  if (data.filled > 1)
    return `Filled by the waitlist: ${data.filled} people moved forward. The last, ${other}, moved from ${from} to ${to}.`;
  if (data.filled === 1) return `Filled by the waitlist: ${other} moved from ${from} to ${to}.`;
  return `${other} moved ${appointment} on ${from}. It is now on ${to}${reasonAndStop(reason)}`;
}

export const moved: KindWith<Moved> = {
  mails: 'about moved appointments',
  switchedOffBy: 'anyone',
  data: ({ startsAt, endsAt, reason, filled = 0 }: Moved['was'] & { reason?: string; filled?: number }) => ({
    was: { startsAt, endsAt },
    reason: reason ?? null,
    filled,
  }),
  withoutHostTexts: (data) => ({ ...data, reason: null }),
  sentence: (message) => sentence(message, message.data.reason),
  brief(message, { subject, other }) {
    const { startsAt, timeZone } = subject;
    const from = shortWhenWords(message.data.was.startsAt ?? startsAt, timeZone);
    return `${other} moved from ${from} to ${shortWhenWords(startsAt, timeZone)}${reasonWords(message.data.reason)}`;
  },
  link: subjectLink,
  mailSubject: (message, readerZone) => mailSubjectAbout('Moved', message, readerZone),
  button: subjectButton,
  calendarEntry: () => 'stands',
  notice: {
    beside: 'appointments',
    title: ({ other, data }) => `Moved by ${other ?? 'somebody'}${reasonWords(data.reason)}`,
    text: (message) => sentence(message, null),
  },
};
