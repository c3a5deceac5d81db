import { dateWords, day, hour, type Instant, lengthWords, localDateOf, localTimeOf, minute } from '../time/clock';
import { type Message, type Subject, sentenceOf } from './messages';

type Times = Pick<Subject, 'startsAt' | 'timeZone'>;
const timeWords = ({ startsAt, timeZone }: Times) =>
  `${dateWords(localDateOf(startsAt, timeZone)).short}, ${localTimeOf(startsAt, timeZone)}`;

/** A short line for a provider's home: 'Zoë Martins booked Wed 25 Nov, 14:00'. */
export function briefOf(message: Message): string {
  const { kind, subject, was, other, isOwn, reason } = message;
  if (!subject || !isOwn || !other || subject.noun !== 'appointment') return sentenceOf(message);
  const reasonWords = reason ? `: ${reason}` : '';
  if (kind === 'booked') return `${other} booked ${timeWords(subject)}`;
  if (kind === 'canceled') return `${other} canceled ${timeWords(subject)}${reasonWords}`;
  if (kind === 'moved')
    return `${other} moved from ${timeWords({ ...subject, ...was })} to ${timeWords(subject)}${reasonWords}`;
  return sentenceOf(message);
}

/** '12 minutes ago'; the date after a day. */
export function agoWords(at: Instant, now: Instant, zone: string): string {
  const age = now - at;
  if (age < minute) return 'Just now';
  if (age < hour) return `${lengthWords(Math.floor(age / minute))} ago`;
  if (age < day) return `${lengthWords(Math.floor(age / hour) * 60)} ago`;
  return dateWords(localDateOf(at, zone)).short;
}
