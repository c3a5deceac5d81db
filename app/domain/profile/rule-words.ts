import { msg, plural } from '@lingui/core/macro';
import { addDays, dateWords, type LocalDate, lengthWords } from '../time/clock';
import { timeOfMinutes } from '../time/ranges';
import type { ClockWords, Words } from '../words/words';
import type { Rules } from './rules';

/** What each rule that a shop can set is called. */
export const ruleNames = {
  openTo: msg`Open to`,
  askEmail: msg`E-mail address of whoever has no account`,
  askPhone: msg`Phone number of whoever books`,
  keepAnswersDays: msg`Days after which answers to your questions are deleted`,
  notice: msg`Booked at least this long before`,
  horizonDays: msg`Booked at most this many days ahead`,
  cancelUntil: msg`Canceled or moved at least this long before`,
  perPerson: msg`Coming appointments of one person`,
  perDay: msg`Appointments of a day`,
  waitlist: msg`When nothing is free, people may wait for a time`,
  reminders: msg`People are reminded before the start`,
} satisfies Partial<Record<keyof Rules, Words>>;

/** Why a rule is not somebody's own to change. */
export function setByShop(rule: keyof typeof ruleNames, shopName: string): Words {
  const name = ruleNames[rule];
  return msg`${name}: ${shopName} sets this for everybody in it.`;
}

// Explains each rule by an example.

const [hour, day] = [60, 1440];

/** '2 hours', '3 days', '1 day 30 minutes'. */
export function minutesWords(minutes: number): Words {
  const days = Math.floor(minutes / day);
  const rest = minutes % day;
  if (days === 0) return lengthWords(rest);
  const daysWords = msg({ message: plural({ days }, { one: '# day', other: '# days' }) });
  const length = lengthWords(rest);
  return rest > 0 ? msg`${daysWords} ${length}` : daysWords;
}

const clock = (minutes: number): ClockWords => ({ clock: timeOfMinutes(minutes) });

/** @param notice in minutes */
export function noticeExample(notice: number): Words {
  const [opened, soon] = [clock(10 * hour), clock(10 * hour + 5)];
  if (notice === 0) return msg`Someone who opens your page at ${opened} can book a time at ${soon}.`;
  const at = 10 * hour + notice;
  const [days, time] = [Math.floor(at / day), clock(at % day)];
  return days === 0
    ? msg`Someone who opens your page at ${opened} sees times from ${time}.`
    : msg`Someone who opens your page at ${opened} sees times from ${time} ${plural({ days }, { one: 'of the next day', other: '# days later' })}.`;
}

type Promised = Pick<Rules, 'askEmail' | 'cancelUntil'> & { hasMail: boolean };

/** What whoever books can count on, and until when they may change their mind. */
export function promiseWords({ askEmail, cancelUntil, hasMail }: Promised): Words {
  const length = minutesWords(cancelUntil);
  const isUntilStart = cancelUntil === 0;
  if (!hasMail || askEmail === 'no')
    return isUntilStart
      ? msg`Your time is yours at once; free to cancel until it begins.`
      : msg`Your time is yours at once; free to cancel until ${length} before.`;
  if (askEmail === 'optional')
    return isUntilStart
      ? msg`A confirmation comes by mail if you leave an address; free to cancel until it begins.`
      : msg`A confirmation comes by mail if you leave an address; free to cancel until ${length} before.`;
  return isUntilStart
    ? msg`A confirmation comes by mail; free to cancel until it begins.`
    : msg`A confirmation comes by mail; free to cancel until ${length} before.`;
}

/** @param cancelUntil in minutes */
export function cancelExample(cancelUntil: number): Words {
  const at = 15 * hour - cancelUntil;
  const [days, start, end] = [-Math.floor(at / day), clock(15 * hour), clock(((at % day) + day) % day)];
  return days > 0
    ? msg`An appointment at ${start} can be canceled or moved until ${end} ${plural({ days }, { one: 'of the day before', other: '# days before' })}.`
    : msg`An appointment at ${start} can be canceled or moved until ${end}.`;
}

export function horizonExample(horizonDays: number | null, today: LocalDate): Words {
  if (horizonDays === null) return msg`Every time that you have published can be booked.`;
  const date = dateWords(addDays(today, horizonDays)).full;
  return msg`Today people can book up to ${date}, at the time of day that it is now.`;
}

export const perPersonExample = (perPerson: number | null): Words =>
  perPerson === null
    ? msg`One person can book as many of your times as they like.`
    : msg`Someone who has ${plural({ perPerson }, { one: 'one coming appointment', other: '# coming appointments' })} with you books again when one of them is over or canceled.`;

export const perDayExample = (perDay: number | null): Words =>
  perDay === null
    ? msg`A day can be booked until no time of it is open.`
    : msg`When ${plural({ perDay }, { one: 'one appointment is', other: '# appointments are' })} booked on a day, the other times of that day can't be booked.`;
