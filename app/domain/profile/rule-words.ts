import { addDays, dateWords, type LocalDate, lengthWords } from '../time/clock';
import type { Rules } from './rules';

// Explains each rule by an example.

const [hour, day] = [60, 1440];

/** '2 hours', '3 days', '1 day 30 minutes'. */
export function minutesWords(minutes: number): string {
  const days = Math.floor(minutes / day);
  const rest = minutes % day;
  const words = days > 0 ? [days === 1 ? '1 day' : `${days} days`] : [];
  return [...words, ...(rest > 0 || days === 0 ? [lengthWords(rest)] : [])].join(' ');
}

// Writes minutes from midnight as 'HH:mm'.
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / hour)).padStart(2, '0')}:${String(minutes % hour).padStart(2, '0')}`;
const later = (days: number) => (days === 1 ? 'of the next day' : `${days} days later`);
const before = (days: number) => (days === 1 ? 'of the day before' : `${days} days before`);

/** @param notice in minutes */
export function noticeExample(notice: number): string {
  if (notice === 0) return 'Someone who opens your page at 10:00 can book a time at 10:05.';
  const at = 10 * hour + notice;
  const days = Math.floor(at / day);
  return `Someone who opens your page at 10:00 sees times from ${clock(at % day)}${days > 0 ? ` ${later(days)}` : ''}.`;
}

/** Until when people may change their mind. @param cancelUntil in minutes */
const freeToCancelWords = (cancelUntil: number): string =>
  `free to cancel until ${cancelUntil === 0 ? 'it begins' : `${minutesWords(cancelUntil)} before`}`;

type Promised = Pick<Rules, 'askEmail' | 'cancelUntil'> & { hasMail: boolean };

/** What whoever books can count on. */
export function promiseWords({ askEmail, cancelUntil, hasMail }: Promised): string {
  const ifGiven = askEmail === 'optional' ? ' if you leave an address' : '';
  const confirmation =
    hasMail && askEmail !== 'no' ? `A confirmation comes by mail${ifGiven}` : 'Your time is yours at once';
  return `${confirmation}; ${freeToCancelWords(cancelUntil)}.`;
}

/** @param cancelUntil in minutes */
export function cancelExample(cancelUntil: number): string {
  const at = 15 * hour - cancelUntil;
  const days = -Math.floor(at / day);
  return `An appointment at 15:00 can be canceled or moved until ${clock(((at % day) + day) % day)}${days > 0 ? ` ${before(days)}` : ''}.`;
}

export const horizonExample = (horizonDays: number | null, today: LocalDate): string =>
  horizonDays === null
    ? 'Every time that you have published can be booked.'
    : `Today people can book up to ${dateWords(addDays(today, horizonDays)).full}, at the time of day that it is now.`;

export const perPersonExample = (perPerson: number | null): string =>
  perPerson === null
    ? 'One person can book as many of your times as they like.'
    : `Someone who has ${perPerson === 1 ? 'one coming appointment' : `${perPerson} coming appointments`} with you books again when one of them is over or canceled.`;

export const perDayExample = (perDay: number | null): string =>
  perDay === null
    ? 'A day can be booked until no time of it is open.'
    : `When ${perDay === 1 ? 'one appointment is' : `${perDay} appointments are`} booked on a day, the other times of that day can't be booked.`;
