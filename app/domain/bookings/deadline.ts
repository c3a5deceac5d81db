import { conflict, type DomainError } from '../errors';
import { minutesWords } from '../profile/rule-words';
import { dateWords, type Instant, localDateOf, localTimeOf, minute, zoneWords } from '../time/clock';
import type { Appointment } from './appointments';

type Changeable = Pick<
  Appointment,
  'startsAt' | 'timeZone' | 'providerName' | 'changeableUntil' | 'providerEmail' | 'providerPhone'
>;

export const isChangeable = (
  { startsAt, changeableUntil }: Pick<Changeable, 'startsAt' | 'changeableUntil'>,
  now: Instant,
): boolean => startsAt > now && (changeableUntil ?? startsAt) >= now;

export const alreadyStarted = () => conflict('This appointment has already started.');

/** The last moment at which a client can cancel or move. */
export const deadlineOf = ({ startsAt, changeableUntil }: Pick<Changeable, 'startsAt' | 'changeableUntil'>): Instant =>
  changeableUntil ?? startsAt;

/** How long before the start the deadline is. */
export const deadlineLengthWords = (appointment: Pick<Changeable, 'startsAt' | 'changeableUntil'>): string =>
  minutesWords(Math.round((appointment.startsAt - deadlineOf(appointment)) / minute));

/** The words that introduce the deadline. */
const lateWords = (appointment: Pick<Changeable, 'startsAt' | 'changeableUntil'>): string => {
  const length = deadlineLengthWords(appointment);
  return `This appointment can't be canceled or moved any more: that is possible up to ${length} before, until`;
};

/** The deadline in words, by the provider's clock: 'Wednesday, 2 December 2026, 10:00 Lisbon time'. */
export const tooLateWords = (appointment: Changeable): string => {
  const { timeZone, providerName } = appointment;
  const until = deadlineOf(appointment);
  const { full } = dateWords(localDateOf(until, timeZone));
  const reach = [appointment.providerPhone, appointment.providerEmail].filter(Boolean).join(', ');
  return `${lateWords(appointment)} ${full}, ${localTimeOf(until, timeZone)} ${zoneWords(timeZone)}. Please ask ${providerName}${reach && `: ${reach}`}.`;
};

export const tooLate = (appointment: Changeable, now: Instant): DomainError =>
  appointment.startsAt <= now ? alreadyStarted() : conflict(tooLateWords(appointment));
